import { useId } from 'react';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import frame from './field.module.css';
import { localInput, momentOf } from './moment.ts';

interface Props extends FieldProps {
  /** ISO 8601; null: none. */
  value: string | null;
  onChange: (value: string | null) => void;
  name?: string;
  disabled?: boolean;
  /** The earliest that may be chosen, ISO 8601. */
  min?: string;
}

/** A moment in the viewer's zone, to the minute. */
export const MomentField = (props: Props) => {
  const { label, value, onChange, name, disabled, min, ...field } = props;
  const id = useId();
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div className={frame['box']} data-disabled={disabled || undefined}>
        <input
          id={id}
          type="datetime-local"
          className={frame['input']}
          data-number
          value={localInput(value)}
          min={min === undefined ? undefined : localInput(min)}
          disabled={disabled}
          aria-invalid={field.error !== undefined || undefined}
          aria-describedby={describedBy(id, props)}
          aria-required={field.required || undefined}
          {...(name !== undefined && { name })}
          onChange={(event) => onChange(momentOf(event.target.value))}
        />
      </div>
    </FieldFrame>
  );
};
