import { Autocomplete } from '@base-ui/react/autocomplete';
import { useEffect, useId, useRef, useState } from 'react';
import { Popup } from '#ui/overlay/popup.tsx';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import styles from './field.module.css';
import type { Option } from './option-list.tsx';

interface Props extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  /** What the text might become; none opens nothing. */
  suggestions: readonly Option[];
  onPick: (value: string) => void;
  name?: string;
  placeholder?: string;
  numeric?: boolean;
}

/** A text input that offers what it might mean; the text stays free. Arrows choose, Enter takes, Escape closes. */
export const SuggestField = (props: Props) => {
  const { label, value, onChange, suggestions, onPick, name, placeholder, numeric, ...field } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const composing = useRef(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  // Remounts the input, because an input method that still composes would overwrite the chosen suggestion.
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (round > 0) input.current?.focus();
  }, [round]);
  const open = anchor !== null && suggestions.length > 0;
  const close = (): void => setAnchor(null);
  const pick = (option: Option): void => {
    close();
    if (composing.current) setRound(round + 1);
    composing.current = false;
    onPick(option.value);
  };
  return (
    <FieldFrame id={id} label={label} {...field}>
      <Autocomplete.Root
        inline
        open={open}
        mode="none"
        items={suggestions}
        value={value}
        itemToStringValue={(option: Option) => option.label}
        onValueChange={(text, { reason }) => {
          if (reason !== 'input-change') return;
          setAnchor(box.current);
          onChange(text);
        }}
      >
        <div ref={box} className={styles['box']}>
          <Autocomplete.Input
            key={round}
            ref={input}
            id={id}
            className={styles['input']}
            spellCheck={false}
            aria-expanded={open}
            aria-invalid={field.error !== undefined || undefined}
            aria-describedby={describedBy(id, props)}
            aria-required={field.required || undefined}
            {...(name !== undefined && { name })}
            {...(placeholder !== undefined && { placeholder })}
            {...(numeric && { inputMode: 'decimal' as const, 'data-number': true })}
            onBlur={close}
            onCompositionStart={() => (composing.current = true)}
            onCompositionEnd={() => (composing.current = false)}
          />
        </div>
        {open && (
          <Popup anchor={anchor} onClose={close} wide>
            <Autocomplete.List aria-label={label} className={styles['list']}>
              {suggestions.map((option) => (
                <Autocomplete.Item
                  key={option.value}
                  value={option}
                  className={styles['option']}
                  render={(item, { highlighted }) => <div {...item} aria-selected={highlighted} data-active={highlighted || undefined} />}
                  onClick={() => pick(option)}
                >
                  <span>{option.label}</span>
                  {option.note !== undefined && <span className={styles['note']}>{option.note}</span>}
                </Autocomplete.Item>
              ))}
            </Autocomplete.List>
          </Popup>
        )}
      </Autocomplete.Root>
    </FieldFrame>
  );
};
