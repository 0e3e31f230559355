import { formatOf } from './format.ts';
import type { Locale } from './language.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** "14:02", in the viewer's zone. */
export const clock = (at: number): string => {
  const moment = new Date(at);
  return `${two(moment.getHours())}:${two(moment.getMinutes())}`;
};

/** "2026/11/21 14:02", where the day matters and the zone does not. */
export const dateClock = (iso: string, locale: Locale): string => `${formatOf(locale).date(iso)} ${clock(Date.parse(iso))}`;
