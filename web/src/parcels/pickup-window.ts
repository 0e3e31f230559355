import type { Format } from '#base/format.ts';

/** A pickup window of the carrier, both ends in ISO 8601. */
export interface PickupWindow {
  starts_at: string;
  ends_at: string;
}

/** A window as the form keeps it, `from/until`; empty: as soon as possible. */
export const windowKey = ({ starts_at, ends_at }: PickupWindow): string =>
  `${new Date(starts_at).toISOString()}/${new Date(ends_at).toISOString()}`;

/** The window of a form's text; null: as soon as possible. */
export const windowOf = (key: string): PickupWindow | null => {
  const [starts_at = '', ends_at = ''] = key.split('/');
  return Date.parse(starts_at) < Date.parse(ends_at) ? { starts_at, ends_at } : null;
};

/** "11/29 09:00–11:00" */
export const windowText = ({ starts_at, ends_at }: PickupWindow, format: Format): string =>
  `${format.time(starts_at)}–${
    format.date(starts_at) === format.date(ends_at)
      ? format.clock(Date.parse(ends_at))
      : format.time(ends_at)
  }`;
