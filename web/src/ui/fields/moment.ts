import { readDay } from './day-text.ts';

let moments: Intl.DateTimeFormat | undefined;

/** Writes an ISO 8601 time as `YYYY-MM-DD HH:mm` in the viewer's time zone; '' for null. */
export const momentText = (iso: string | null): string => {
  if (iso === null) return '';
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  // The Swedish locale writes a day and time in the format that users type.
  moments ??= new Intl.DateTimeFormat('sv-SE', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return moments.format(at);
};

/**
 * Reads a typed day and time in the viewer's time zone and returns it in ISO 8601. It accepts texts
 * such as 2026-11-22 18:30, 2026/11/22T9:05 and 202611221830. Null for any other text.
 */
export const readMoment = (text: string): string | null => {
  const [, dayText, hours, minutes] =
    /^(.*?)(?:(?<=\d{8})(?=\d{4}$)|[ T]+)(\d{1,2})[:：]?(\d{2})$/.exec(text.trim()) ?? [];
  const day = dayText === undefined ? null : readDay(dayText);
  if (day === null || Number(hours) > 23 || Number(minutes) > 59) return null;
  return new Date(`${day}T${hours!.padStart(2, '0')}:${minutes}`).toISOString();
};
