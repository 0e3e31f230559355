import { useState } from 'react';
import type { ReactNode } from 'react';
import { TextField } from './text-field.tsx';
import type { FieldProps } from './field.tsx';

/** The value of a field whose text is not a valid number; an empty field has the value null. */
export const unreadable = Number.NaN;

/**
 * The properties of a field for a number. `value` is null if nothing is typed, and NaN if the typed
 * text is not a valid number.
 */
export interface NumericProps extends FieldProps {
  value: number | null;
  onChange: (value: number | null) => void;
  name?: string;
  placeholder?: string;
  disabled?: boolean;
  autoFocus?: boolean;
}

interface Props extends NumericProps {
  /** Converts the typed text to a value; null if the text is not a valid value. */
  parse: (text: string) => number | null;
  /** Converts the value to the text in the field. */
  write: (value: number) => string;
  prefix?: ReactNode;
  suffix?: ReactNode;
}

/**
 * A field for a number that is typed as text. Its value is a whole number of the smallest unit. The
 * typed text stays unchanged until the value is changed from outside.
 */
export const ParsedField = ({ value, onChange, parse, write, ...rest }: Props) => {
  const textOf = (parsed: number | null): string =>
    parsed === null || Number.isNaN(parsed) ? '' : write(parsed);
  const [typed, setTyped] = useState(() => textOf(value));
  const [seen, setSeen] = useState(value);
  const valueOf = (text: string): number | null =>
    text.trim() === '' ? null : (parse(text) ?? unreadable);
  if (!Object.is(seen, value)) {
    setSeen(value);
    if (!Object.is(valueOf(typed), value)) setTyped(textOf(value));
  }
  return (
    <TextField
      {...rest}
      numeric
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(valueOf(text));
      }}
      onBlur={() => {
        if (value !== null && !Number.isNaN(value)) setTyped(write(value));
      }}
    />
  );
};
