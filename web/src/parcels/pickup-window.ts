import type { Express } from '@waystation/contract/parcels/express.ts';
import { perLocale } from '#base/formats.ts';
import type { Locale } from '#base/language.ts';

/** A pickup window of the carrier, with start and end in ISO 8601. */
export interface PickupWindow {
  starts_at: string;
  ends_at: string;
}

/**
 * A pickup window as the form stores it: `from/until`. An empty string means a pickup as soon as
 * possible.
 */
export const windowKey = ({ starts_at, ends_at }: PickupWindow): string =>
  `${new Date(starts_at).toISOString()}/${new Date(ends_at).toISOString()}`;

/**
 * Reads a pickup window from the text that the form stores. Null means a pickup as soon as
 * possible.
 */
export const windowOf = (key: string): PickupWindow | null => {
  const [starts_at = '', ends_at = ''] = key.split('/');
  return Date.parse(starts_at) < Date.parse(ends_at) ? { starts_at, ends_at } : null;
};

/**
 * The pickup window of a parcel as the form stores it. An empty string means a pickup as soon as
 * possible.
 */
export const windowOfParcel = (
  parcel: Partial<Pick<Express, 'pickup_from' | 'pickup_until'>>,
): string =>
  parcel.pickup_from && parcel.pickup_until ? `${parcel.pickup_from}/${parcel.pickup_until}` : '';

/**
 * The time zone of pickup windows. The audit log and the carrier's labels use the same time zone.
 */
const timeZone = 'Asia/Shanghai';
const zoneMinutes = -480;
const zoneNames: Readonly<Record<Locale, string>> = { 'zh-CN': '北京时间', 'en-US': 'China time' };

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const day = { month: '2-digit', day: '2-digit' } as const;

const formatsOf = perLocale((locale) => {
  const by = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone });
  const [clocks, times, years] = [by(clock), by({ ...day, ...clock }), by({ year: 'numeric' })];
  const [timesOfYears, dates] = [
    by({ year: 'numeric', ...day, ...clock }),
    by({ year: 'numeric', ...day }),
  ];
  return {
    clock: (at: Date) => clocks.format(at),
    date: (at: Date) => dates.format(at),
    time: (at: Date) =>
      (years.format(at) === years.format(new Date()) ? times : timesOfYears).format(at),
  };
});

/** The day on which a window starts, in the network's time zone. */
export const windowDay = ({ starts_at }: PickupWindow, locale: Locale): string =>
  formatsOf(locale).date(new Date(starts_at));

/** The name of the network's time zone. Empty if the user's time zone is the same. */
const zoneName = (at: Date, locale: Locale): string =>
  at.getTimezoneOffset() === zoneMinutes ? '' : ` ${zoneNames[locale]}`;

/** The start or end of a pickup window, such as "11/29 09:00", in the network's time zone. */
export const windowTime = (iso: string, locale: Locale): string => {
  const at = new Date(iso);
  return `${formatsOf(locale).time(at)}${zoneName(at, locale)}`;
};

/**
 * A pickup window such as "11/29 09:00–11:00" in the network's time. The time zone is added if the
 * user's time zone differs.
 */
export const windowText = ({ starts_at, ends_at }: PickupWindow, locale: Locale): string => {
  const [from, until] = [new Date(starts_at), new Date(ends_at)];
  const { time, date, clock: clockOf } = formatsOf(locale);
  const end = date(from) === date(until) ? clockOf(until) : time(until);
  return `${time(from)}–${end}${zoneName(from, locale)}`;
};
