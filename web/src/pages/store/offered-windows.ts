import type { Format } from '#base/format.ts';
import type { PickupWindow } from '#parcels/pickup-window.ts';

/** The limit of days that the form offers. */
const mostDays = 3;

/**
 * The windows to choose from, in the order of their time: those that still lie ahead, of the first
 * three days that have any.
 */
export const offeredWindows = (
  windows: readonly PickupWindow[],
  format: Format,
  now = Date.now(),
): PickupWindow[] => {
  const ahead = windows
    .filter(({ ends_at }) => Date.parse(ends_at) > now)
    .toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
  const days = [...new Set(ahead.map(({ starts_at }) => format.date(starts_at)))].slice(
    0,
    mostDays,
  );
  return ahead.filter(({ starts_at }) => days.includes(format.date(starts_at)));
};
