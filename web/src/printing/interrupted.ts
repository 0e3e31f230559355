import { local, readJson } from '#base/storage.ts';
import type { Printable } from './printable.ts';

const lock = 'waystation-printing';
const keyOf = (userId: number): string => `waystation-printing:${userId}`;

const isPrintable = (value: unknown): value is Printable =>
  typeof (value as Printable | null)?.id === 'number';

/**
 * Stores the labels of a batch that are not printed yet. After a reload or a crash, no label is
 * lost.
 */
export const noteLeft = (userId: number, rows: readonly Printable[]): void => {
  if (rows.length === 0) local.drop(keyOf(userId));
  else
    local.write(
      keyOf(userId),
      JSON.stringify(
        rows.map(({ id, delivery_id, order_id, print_count }) => ({
          id,
          delivery_id,
          order_id,
          print_count,
        })),
      ),
    );
};

/**
 * Lets only one browser window print at a time. Other windows wait, so that the labels of each list
 * come out in order.
 */
export const whilePrinting = <T>(run: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request(lock, run) : run();

/**
 * The labels that a batch left unprinted because its browser window was closed. The list is usually
 * empty.
 */
export const interruptedRows = async (userId: number): Promise<readonly Printable[]> => {
  const stored = readJson(local, keyOf(userId));
  if (!Array.isArray(stored)) return [];
  const isBusy = (await navigator.locks?.query())?.held?.some(({ name }) => name === lock) ?? false;
  return isBusy ? [] : stored.filter(isPrintable);
};
