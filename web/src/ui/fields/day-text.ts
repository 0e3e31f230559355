/**
 * Reads a typed day: 2026-11-22, also with other separators, with one-digit months and days, or as
 * eight digits; null for any other text.
 */
export const readDay = (text: string): string | null => {
  const [, year, ...rest] =
    /^(\d{4})(?:(\d{2})(\d{2})|[-/.年](\d{1,2})[-/.月](\d{1,2})日?)$/.exec(text.trim()) ?? [];
  const [month, day] = rest.filter((part) => part !== undefined);
  if (year === undefined || month === undefined || day === undefined) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== iso ? null : iso;
};
