import { CalendarOutlined } from '@ant-design/icons-svg';
import { useRef, useState } from 'react';
import { useTexts } from '#base/texts.ts';
import styles from './day-input.module.css';
import { readDay } from './day-text.ts';
import { Icon } from '#ui/icon.tsx';

interface Props {
  /** `YYYY-MM-DD`; empty: none. */
  value: string;
  onChange: (day: string) => void;
  min?: string | undefined;
  max?: string | undefined;
  id?: string;
  /** Heard, where no label stands for it. */
  label?: string;
}

/** The same in every language. */
const shape = 'YYYY-MM-DD';

/** A day typed as 2026-11-22 whatever the browser's language, or chosen from its calendar. */
export const DayInput = ({ value, onChange, min, max, id, label }: Props) => {
  const { t } = useTexts();
  const calendar = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    if (readDay(typed) !== value) setTyped(value);
  }
  const day = readDay(typed);
  const outside = day !== null && ((min !== undefined && min !== '' && day < min) || (max !== undefined && max !== '' && day > max));
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
      <button type="button" aria-label={t('common.calendar')} title={t('common.calendar')} onClick={() => calendar.current?.showPicker()}>
        <Icon of={CalendarOutlined} />
      </button>
      <input
        ref={calendar}
        type="date"
        className={styles['calendar']}
        tabIndex={-1}
        aria-hidden
        value={value}
        min={min || undefined}
        max={max || undefined}
        onChange={(event) => take(event.target.value)}
      />
    </span>
  );
};
