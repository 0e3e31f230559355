import { useId, useState } from 'react';
import { CalendarButton } from './calendar-button.tsx';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import frame from './field.module.css';
import { momentText, readMoment } from './moment.ts';

/** The value of the field if the typed text is not a day and time. The form then refuses it. */
export const unreadableMoment = '';

interface Props extends FieldProps {
  /**
   * The time in ISO 8601. It is null if the field is empty, and `unreadableMoment` if the typed
   * text is not a day and time.
   */
  value: string | null;
  onChange: (value: string | null) => void;
  name?: string;
  disabled?: boolean;
}

/** The format of a typed day and time is the same in every language. */
const shape = 'YYYY-MM-DD HH:mm';

const momentOf = (text: string): string | null =>
  text.trim() === '' ? null : (readMoment(text) ?? unreadableMoment);

/**
 * A field for a day and time in the viewer's time zone, to the minute. The user types 2026-11-22
 * 18:30 or chooses the day from the calendar. The calendar keeps the typed time, or else sets
 * midnight.
 */
export const MomentField = (props: Props) => {
  const { label, value, onChange, name, disabled, ...field } = props;
  const id = useId();
  const [today] = useState(() => momentText(new Date().toISOString()).slice(0, 10));
  const [typed, setTyped] = useState(() => momentText(value));
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    if (momentOf(typed) !== value) setTyped(momentText(value));
  }
  const take = (text: string): void => {
    setTyped(text);
    onChange(momentOf(text));
  };
  const [day = '', time = '00:00'] = momentText(value).split(' ');
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div className={frame['box']} data-disabled={disabled || undefined}>
        <input
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          placeholder={shape}
          maxLength={20}
          className={frame['input']}
          data-number
          value={typed}
          disabled={disabled}
          aria-invalid={field.error !== undefined || value === unreadableMoment || undefined}
          aria-describedby={describedBy(id, props)}
          aria-required={field.required || undefined}
          {...(name !== undefined && { name })}
          onChange={(event) => take(event.target.value)}
          onBlur={() => {
            if (value) setTyped(momentText(value));
          }}
        />
        <CalendarButton
          value={day}
          today={today}
          disabled={disabled}
          onPick={(picked) => take(`${picked} ${time}`)}
        />
      </div>
    </FieldFrame>
  );
};
