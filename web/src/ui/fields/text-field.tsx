import { useId } from 'react';
import type { CSSProperties, ChangeEvent, InputHTMLAttributes, ReactNode, Ref } from 'react';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import styles from './field.module.css';

type InputProps = Pick<
  InputHTMLAttributes<HTMLInputElement | HTMLTextAreaElement>,
  | 'name'
  | 'placeholder'
  | 'disabled'
  | 'readOnly'
  | 'autoFocus'
  | 'onFocus'
  | 'onBlur'
  | 'onKeyDown'
  | 'onPaste'
>;

interface Props extends FieldProps, InputProps {
  value: string;
  onChange: (value: string) => void;
  prefix?: ReactNode;
  suffix?: ReactNode;
  /** The maximum number of characters. An emoji counts as one character. */
  max?: number;
  /** The number of visible lines for a longer text. If absent, the field has one line. */
  lines?: number;
  /**
   * True if the field is for digits. All digits then have the same width, and a phone shows its
   * number keyboard.
   */
  numeric?: boolean;
  ref?: Ref<HTMLInputElement & HTMLTextAreaElement>;
}

const Counter = ({ value, max }: { value: string; max: number }) => {
  const count = [...value].length;
  return (
    <span className={styles['counter']} data-over={count > max || undefined}>
      {count}/{max}
    </span>
  );
};

/** A text input below its label. */
export const TextField = (props: Props) => {
  const {
    label,
    value,
    onChange,
    name,
    placeholder,
    prefix,
    suffix,
    max,
    lines,
    numeric,
    disabled,
    readOnly,
    autoFocus,
    onFocus,
    onBlur,
    onKeyDown,
    onPaste,
    ref,
    ...field
  } = props;
  const id = useId();
  const shared = {
    id,
    value,
    className: styles['input'],
    autoComplete: 'off',
    spellCheck: false,
    'aria-invalid': field.error !== undefined || undefined,
    'aria-describedby': describedBy(id, props),
    'aria-required': field.required || undefined,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      onChange(event.target.value),
    ...(name !== undefined && { name }),
    ...(placeholder !== undefined && { placeholder }),
    ...(disabled && { disabled }),
    ...(readOnly && { readOnly }),
    ...(autoFocus && { autoFocus }),
    ...(onFocus && { onFocus }),
    ...(onBlur && { onBlur }),
    ...(onKeyDown && { onKeyDown }),
    ...(onPaste && { onPaste }),
    ...(ref && { ref }),
  };
  return (
    <FieldFrame
      id={id}
      label={label}
      {...field}
      after={field.after ?? (max !== undefined && <Counter value={value} max={max} />)}
    >
      <div className={styles['box']} data-disabled={disabled || undefined}>
        {prefix !== undefined && <span className={styles['prefix']}>{prefix}</span>}
        {lines === undefined ? (
          <input
            {...shared}
            type="text"
            {...(numeric && { inputMode: 'decimal', 'data-number': true })}
          />
        ) : (
          <textarea {...shared} rows={lines} style={{ '--lines': lines } as CSSProperties} />
        )}
        {suffix !== undefined && <span className={styles['suffix']}>{suffix}</span>}
      </div>
    </FieldFrame>
  );
};
