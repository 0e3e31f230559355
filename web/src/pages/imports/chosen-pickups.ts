import type { ImportPickup } from '@waystation/contract/imports/import.ts';
import { windowOf } from '#parcels/pickup-window.ts';

/** The chosen windows of these pickups, as the confirmation names them; by their first rows. */
export const chosenPickups = (
  pickups: readonly Pick<ImportPickup, 'row'>[],
  windows: ReadonlyMap<number, string>,
): { row: number; pickup_from: string; pickup_until: string }[] =>
  pickups.flatMap(({ row }) => {
    const window = windowOf(windows.get(row) ?? '');
    return window === null
      ? []
      : [{ row, pickup_from: window.starts_at, pickup_until: window.ends_at }];
  });
