import type { Locale } from '#base/language.ts';
import { windowDay, windowKey, windowOf } from './pickup-window.ts';
import type { PickupWindow } from './pickup-window.ts';

/** The maximum number of days with windows that the form offers. */
const mostDays = 3;

/**
 * The windows that the form offers, sorted by time. They are the windows that have not ended, on
 * the first three days that have such windows.
 */
export const offeredWindows = <W extends PickupWindow>(
  windows: readonly W[],
  locale: Locale,
  now = Date.now(),
): W[] => {
  const ahead = windows
    .filter(({ ends_at }) => Date.parse(ends_at) > now)
    .toSorted((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at));
  const days = [...new Set(ahead.map((window) => windowDay(window, locale)))].slice(0, mostDays);
  return ahead.filter((window) => days.includes(windowDay(window, locale)));
};

/**
 * The pickup windows that the carrier offers for all of several parcels. If there are none, the
 * windows that it offers for any of them. Figures about how often a window was kept are left out if
 * they differ between the parcels.
 */
export const sharedWindows = <W extends PickupWindow & { history: unknown }>(
  answers: readonly (readonly W[])[],
): W[] => {
  const found = new Map<string, W[]>();
  for (const window of answers.flat()) {
    const key = windowKey(window);
    found.set(key, [...(found.get(key) ?? []), window]);
  }
  const all = [...found.values()];
  const common = all.filter((same) => same.length === answers.length);
  return (common.length > 0 ? common : all).flatMap((same) =>
    same.slice(0, 1).map((window) => {
      const isAgreed = same.every(
        ({ history }) => JSON.stringify(history) === JSON.stringify(window.history),
      );
      return isAgreed ? window : { ...window, history: null };
    }),
  );
};

/**
 * The first offered window that has not begun. If all have begun, the first offered window. Null if
 * no window is offered.
 */
export const nextWindow = <W extends PickupWindow>(
  windows: readonly W[],
  locale: Locale,
  now = Date.now(),
): W | null => {
  const offered = offeredWindows(windows, locale, now);
  return offered.find(({ starts_at }) => Date.parse(starts_at) > now) ?? offered[0] ?? null;
};

/** The reason why a chosen window is not available; null if no reason is known. */
export type WindowTrouble = 'pickup_window_gone' | 'no_pickup_windows' | null;

/**
 * The reason why the carrier would refuse the chosen window; null if no reason is known. `windows`
 * is undefined until the carrier has answered. `own` is the window of a parcel that the carrier
 * already has. It stays valid even if the carrier no longer offers it.
 */
export const windowTrouble = (
  pickup: string,
  windows: readonly PickupWindow[] | null | undefined,
  own = '',
  now = Date.now(),
): WindowTrouble => {
  const chosen = windowOf(pickup);
  if (chosen === null || pickup === own) return null;
  if (windows === null) return 'no_pickup_windows';
  const isPast = Date.parse(chosen.ends_at) <= now;
  const isOther =
    windows !== undefined &&
    windows.length > 0 &&
    !windows.some((each) => windowKey(each) === windowKey(chosen));
  return isPast || isOther ? 'pickup_window_gone' : null;
};
