import type { ImportPickup } from '@waystation/contract/imports/import.ts';
import { windowTrouble } from '#parcels/offered-windows.ts';
import type { WindowTrouble } from '#parcels/offered-windows.ts';
import { windowOf } from '#parcels/pickup-window.ts';
import type { PickupWindow } from '#parcels/pickup-window.ts';

/** The chosen windows, keyed by `pickupKey`. */
export type ChosenWindows = ReadonlyMap<string, string>;

/**
 * The key under which the window for a pickup is stored. It consists of the carrier, the product
 * and the place. It does not use the number of the pickup's first row, because that row may later
 * have another sender, for which no window was chosen.
 */
export const pickupKey = ({
  provider,
  promise_id = '',
  places: { sender_province, sender_city, sender_county, sender_address },
}: Pick<ImportPickup, 'provider' | 'promise_id' | 'places'>): string =>
  JSON.stringify([
    provider,
    promise_id,
    sender_province,
    sender_city,
    sender_county,
    sender_address,
  ]);

/**
 * The chosen windows in the form that the confirmation sends, each with the number of its pickup's
 * first row.
 */
export const chosenPickups = (
  pickups: readonly ImportPickup[],
  windows: ChosenWindows,
): { row: number; pickup_from: string; pickup_until: string }[] =>
  pickups.flatMap((pickup) => {
    const window = windowOf(windows.get(pickupKey(pickup)) ?? '');
    return window === null
      ? []
      : [{ row: pickup.row, pickup_from: window.starts_at, pickup_until: window.ends_at }];
  });

/**
 * The first reason why a carrier would refuse a chosen window; null if no reason is known. Each
 * window is compared with the windows that are offered for its pickup. These are `undefined` if
 * they are not known yet.
 */
export const pickupTrouble = (
  pickups: readonly ImportPickup[],
  windows: ChosenWindows,
  offered: readonly (readonly PickupWindow[] | null | undefined)[],
): WindowTrouble =>
  pickups
    .map((pickup, at) => windowTrouble(windows.get(pickupKey(pickup)) ?? '', offered[at]))
    .find((trouble) => trouble !== null) ?? null;
