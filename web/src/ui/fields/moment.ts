import { readDay } from './day-text.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** ISO 8601 → `YYYY-MM-DD HH:mm` in the viewer's zone; '' where there is none. */
export const momentText = (iso: string | null): string => {
  if (iso === null) return '';
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
};

/** A day and time as they are typed, in the viewer's zone → ISO 8601: 2026-11-22 18:30, 2026/11/22T9:05, 202611221830; null where they are none. */
export const readMoment = (text: string): string | null => {
  const [, dayText, hours, minutes] = /^(.*?)(?:(?<=\d{8})(?=\d{4}$)|[ T]+)(\d{1,2})[:：]?(\d{2})$/.exec(text.trim()) ?? [];
  const day = dayText === undefined ? null : readDay(dayText);
  if (day === null || Number(hours) > 23 || Number(minutes) > 59) return null;
  return new Date(`${day}T${two(Number(hours))}:${minutes}`).toISOString();
};
