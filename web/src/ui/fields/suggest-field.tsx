import { useId, useRef, useState } from 'react';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import styles from './field.module.css';
import type { Option } from './option-list.tsx';
import { OptionSearch } from './option-search.tsx';

interface Props extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  /** The suggestions for the text; if there are none, no list is opened. */
  suggestions: readonly Option[];
  onPick: (value: string) => void;
  name?: string;
  placeholder?: string;
  numeric?: boolean;
}

/**
 * A text input that suggests options but also accepts any other text. Arrow keys move, Enter
 * accepts a suggestion, and Escape closes the list.
 */
export const SuggestField = (props: Props) => {
  const { label, value, onChange, suggestions, onPick, name, placeholder, numeric, ...field } =
    props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = (): void => setAnchor(null);
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div ref={box} className={styles['box']}>
        <OptionSearch
          input={{
            id,
            'aria-invalid': field.error !== undefined || undefined,
            'aria-describedby': describedBy(id, props),
            'aria-required': field.required || undefined,
            ...(name !== undefined && { name }),
            ...(placeholder !== undefined && { placeholder }),
            ...(numeric && { inputMode: 'decimal', 'data-number': true }),
            onBlur: close,
          }}
          label={label}
          text={value}
          onText={(text) => {
            setAnchor(box.current);
            onChange(text);
          }}
          options={suggestions}
          anchor={suggestions.length > 0 ? anchor : null}
          onPick={(option) => {
            close();
            onPick(option.value);
          }}
          onClose={close}
        />
      </div>
    </FieldFrame>
  );
};
