import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nextWindow, offeredWindows, sharedWindows, windowTrouble } from './offered-windows.ts';
import { windowKey, windowOf, windowText, windowTime } from './pickup-window.ts';

const locale = 'zh-CN';
/** The ISO time of an hour of a day in November, both given in the network's time zone. */
const at = (day: number, hour: number): string =>
  new Date(Date.UTC(new Date().getFullYear(), 10, day, hour - 8)).toISOString();
const viewAt = (offset: number): void =>
  void vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(offset);
beforeEach(() => viewAt(-480));
const window = (day: number, from: number, until: number) => ({
  starts_at: at(day, from),
  ends_at: at(day, until),
});

describe('pickup windows in the form', () => {
  it('a pickup window is shown with its day, its start and its end', () => {
    expect(windowText(window(29, 9, 11), locale)).toBe('11/29 09:00–11:00');
  });

  it('a pickup window is shown in the network’s time, and the time zone is shown if the browser’s time zone differs', () => {
    viewAt(300);
    expect(windowText(window(29, 9, 11), 'zh-CN')).toBe('11/29 09:00–11:00 北京时间');
    expect(windowText(window(29, 9, 11), 'en-US')).toBe('11/29, 09:00–11:00 China time');
    expect(windowTime(at(29, 9), 'en-US')).toBe('11/29, 09:00 China time');
  });

  it('a pickup window that ends on another day is shown with both days', () => {
    expect(windowText({ starts_at: at(28, 22), ends_at: at(29, 1) }, locale)).toBe(
      '11/28 22:00–11/29 01:00',
    );
  });

  it('the form offers pickup windows of three days, sorted by time, and no window that has already ended', () => {
    const days = [window(27, 9, 11), window(26, 9, 11), window(28, 9, 11), window(29, 9, 11)];
    const offered = offeredWindows(
      [...days, window(26, 7, 8), window(28, 7, 9)],
      locale,
      Date.parse(at(26, 10)),
    );
    expect(offered.map((each) => windowText(each, locale))).toEqual([
      '11/26 09:00–11:00',
      '11/27 09:00–11:00',
      '11/28 07:00–09:00',
      '11/28 09:00–11:00',
    ]);
  });

  it('the next pickup window is the first window that has not begun; if every window has begun, it is the first that has not ended', () => {
    const [begun, next] = [window(26, 9, 11), window(26, 11, 13)];
    const now = Date.parse(at(26, 10));
    expect(nextWindow([window(27, 9, 11), next, begun], locale, now)).toBe(next);
    expect(nextWindow([begun], locale, now)).toBe(begun);
    expect(nextWindow([window(26, 7, 8)], locale, now)).toBeNull();
  });

  it('a pickup window is read back from the text that the form stores, and any other text is read as null', () => {
    const chosen = window(29, 9, 11);
    expect(windowOf(windowKey(chosen))).toEqual(chosen);
    for (const text of ['', '/', 'soon', `${chosen.starts_at}/`]) expect(windowOf(text)).toBeNull();
  });

  const chosen = windowKey(window(29, 9, 11));
  const early = Date.parse(at(26, 10));
  it.each([
    ['that the carrier offers', [window(29, 9, 11)], early, null],
    ['without an answer yet', undefined, early, null],
    ['where the carrier names no window at all', [], early, null],
    ['of another day than the carrier offers', [window(30, 9, 11)], early, 'pickup_window_gone'],
    ['that has passed', [window(29, 9, 11)], Date.parse(at(29, 11)), 'pickup_window_gone'],
    ['of a carrier without windows', null, early, 'no_pickup_windows'],
  ] as const)('a chosen pickup window %s is judged before the order', (_, windows, now, reason) =>
    expect(windowTrouble(chosen, windows, '', now)).toBe(reason),
  );

  it('a pickup as soon as possible is never reported as unavailable', () =>
    expect(windowTrouble('', null, '', early)).toBeNull());

  it('a passed pickup window is reported as unavailable, except if it is the window that the parcel already has', () => {
    const late = Date.parse(at(29, 12));
    const other = windowKey(window(29, 7, 9));
    expect(windowTrouble(chosen, [window(30, 9, 11)], chosen, late)).toBeNull();
    expect(windowTrouble(other, [window(30, 9, 11)], chosen, late)).toBe('pickup_window_gone');
  });
});

describe('pickup windows of several parcels', () => {
  const of = (day: number, from: number, history: object | null = null) => ({
    ...window(day, from, from + 2),
    history,
  });

  it('the form for parcels of several products offers only the pickup windows that all the products offer', () => {
    const shared = sharedWindows([
      [of(29, 9), of(29, 11), of(30, 9)],
      [of(29, 11), of(30, 9), of(30, 11)],
    ]);
    expect(shared).toEqual([of(29, 11), of(30, 9)]);
  });

  it('the form for parcels without a common pickup window offers the windows of every parcel', () => {
    expect(sharedWindows([[of(29, 9)], [of(29, 11)]])).toEqual([of(29, 9), of(29, 11)]);
    expect(sharedWindows<ReturnType<typeof of>>([])).toEqual([]);
  });

  it('if all carriers state the same rate of kept pickups for a shared window, the window shows it; otherwise it shows no rate', () => {
    const rate = { kept: 9, missed: 1 };
    expect(sharedWindows([[of(29, 9, rate)], [of(29, 9, { ...rate })]])).toEqual([of(29, 9, rate)]);
    expect(sharedWindows([[of(29, 9, rate)], [of(29, 9)]])).toEqual([of(29, 9)]);
  });
});
