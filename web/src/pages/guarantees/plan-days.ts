/** A business day is a day in Shanghai, whatever the user's time zone is. */
const shanghai = 8 * 3_600_000;
const whole = 86_400_000;

export const dayOf = (at: number): string => new Date(at + shanghai).toISOString().slice(0, 10);
export const today = (): string => dayOf(Date.now());
export const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + whole).toISOString().slice(0, 10);
