import { useState } from 'react';
import { CalendarButton } from './calendar-button.tsx';
import styles from './day-input.module.css';
import { readDay } from './day-text.ts';
import { today } from './days.ts';

interface Props {
  /** `YYYY-MM-DD`; empty if no day is set. */
  value: string;
  onChange: (day: string) => void;
  min?: string | undefined;
  max?: string | undefined;
  id?: string;
  /** The name for screen readers if the input has no label element. */
  label?: string;
}

/** The format of a typed day is the same in every language. */
const shape = 'YYYY-MM-DD';

/**
 * A field for a day. The user types it as 2026-11-22 in any browser language, or chooses it from
 * the calendar.
 */
export const DayInput = ({ value, onChange, min, max, id, label }: Props) => {
  const [now] = useState(() => today(Date.now()));
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    if (readDay(typed) !== value) setTyped(value);
  }
  const day = readDay(typed);
  const outside =
    day !== null &&
    ((min !== undefined && min !== '' && day < min) ||
      (max !== undefined && max !== '' && day > max));
  const take = (text: string): void => {
    setTyped(text);
    const next = text.trim() === '' ? '' : readDay(text);
    const fits = next !== null && (next === '' || ((!min || next >= min) && (!max || next <= max)));
    if (fits && next !== value) onChange(next);
  };
  return (
    <span className={styles['day']}>
      <input
        {...(id !== undefined && { id })}
        {...(label !== undefined && { 'aria-label': label })}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        placeholder={shape}
        maxLength={14}
        value={typed}
        aria-invalid={(typed.trim() !== '' && (day === null || outside)) || undefined}
        onChange={(event) => take(event.target.value)}
        onBlur={() => setTyped(value)}
      />
      <span className={styles['calendar']}>
        <CalendarButton value={value} today={now} min={min} max={max} onPick={take} />
      </span>
    </span>
  );
};
