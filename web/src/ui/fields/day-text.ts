/**
 * Reads a typed day such as 2026-11-22. Other separators, one-digit months and days, and eight
 * digits are accepted too. Null for any other text.
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
