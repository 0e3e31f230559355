import { create } from 'zustand';
import { local, readJson } from '#base/storage.ts';
import type { Printable } from '#printing/printable.ts';

/**
 * The labels that were ordered together with their parcels and are not printed yet; the oldest
 * comes first. All browser windows of this user share the list.
 */
export const useToPrint = create<{ user: number | null; rows: readonly Printable[] }>(() => ({
  user: null,
  rows: [],
}));

const keyOf = (user: number): string => `waystation-to-print:${user}`;
/** The maximum number of rows. Further labels are found in the parcel list under "to print". */
const mostRows = 500;

const isRow = (value: unknown): value is Printable =>
  typeof (value as Printable | null)?.id === 'number';

const read = (): void => {
  const { user } = useToPrint.getState();
  const stored = user === null ? null : readJson(local, keyOf(user));
  useToPrint.setState({ rows: Array.isArray(stored) ? stored.filter(isRow) : [] });
};

const write = (rows: readonly Printable[]): void => {
  const { user } = useToPrint.getState();
  if (user === null) return;
  if (rows.length === 0) local.drop(keyOf(user));
  else local.write(keyOf(user), JSON.stringify(rows.slice(-mostRows)));
  read();
};

export const addToPrint = ({ id, delivery_id, order_id, print_count }: Printable): void => {
  read();
  const { rows } = useToPrint.getState();
  if (!rows.some((row) => row.id === id))
    write([...rows, { id, delivery_id, order_id, print_count }]);
};

/** Removes the first `most` rows from the labels to print, and returns these rows. */
export const takeToPrint = (most: number): readonly Printable[] => {
  read();
  const { rows } = useToPrint.getState();
  write(rows.slice(most));
  return rows.slice(0, most);
};

/** Puts labels that were not printed back at the front of the list. */
export const returnToPrint = (taken: readonly Printable[]): void => {
  read();
  const { rows } = useToPrint.getState();
  write([...taken, ...rows.filter((row) => !taken.some(({ id }) => id === row.id))]);
};

export const openToPrint = (userId: number): void => {
  if (useToPrint.getState().user === userId) return;
  useToPrint.setState({ user: userId });
  read();
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === keyOf(userId)) read();
  });
};
