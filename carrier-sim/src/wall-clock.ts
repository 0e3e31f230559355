const hour = 3_600_000;

/**
 * Returns the local time `yyyy-MM-dd HH:mm:ss` in the time zone `hours` east of Greenwich (China:
 * 8).
 */
export const wallClock = (at: number, hours = 8): string =>
  new Date(at + hours * hour).toISOString().slice(0, 19).replace('T', ' ');

/**
 * Returns the instant of a text `yyyy-MM-dd HH:mm:ss`. Null if the text is not valid, for example
 * with month 13, with 30 February or without a zero.
 */
export const readWallClock = (text: string, hours = 8): number | null => {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return null;
  const asGreenwich = Date.parse(`${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(asGreenwich) || wallClock(asGreenwich, 0) !== text) return null;
  return asGreenwich - hours * hour;
};
