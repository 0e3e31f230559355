import type { Locale } from '#app/language.ts';

/** "14:02", in the viewer's zone. */
export const clock = (at: number, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);

/** "2026/11/21 14:02", where the day matters and the zone does not. */
export const dateClock = (iso: string, locale: Locale): string => {
  const at = Date.parse(iso);
  return `${new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)} ${clock(at, locale)}`;
};
