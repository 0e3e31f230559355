import { useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import styles from './field.module.css';
import { OptionList } from './option-list.tsx';
import type { Option } from './option-list.tsx';
import { Popup } from '#ui/overlay/popup.tsx';

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

const nothing = -1;

/** A text input that offers what it might mean; the text stays free. Arrows choose, Enter takes, Escape closes. */
export const SuggestField = (props: Props) => {
  const { label, value, onChange, suggestions, onPick, name, placeholder, numeric, ...field } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [active, setActive] = useState(nothing);
  const open = anchor !== null && suggestions.length > 0;
  const close = (): void => {
    setAnchor(null);
    setActive(nothing);
  };
  const pick = (option: Option): void => {
    close();
    onPick(option.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!open || event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive(active === nothing && step === -1 ? suggestions.length - 1 : (active + step + suggestions.length) % suggestions.length);
    } else if (event.key === 'Enter' && suggestions[active]) {
      event.preventDefault();
      pick(suggestions[active]);
    }
  };
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div ref={box} className={styles['box']}>
        <input
          id={id}
          type="text"
          role="combobox"
          className={styles['input']}
          value={value}
          autoComplete="off"
          spellCheck={false}
          aria-expanded={open}
          aria-autocomplete="list"
          aria-invalid={field.error !== undefined || undefined}
          aria-describedby={describedBy(id, props)}
          aria-required={field.required || undefined}
          {...(name !== undefined && { name })}
          {...(placeholder !== undefined && { placeholder })}
          {...(numeric && { inputMode: 'decimal' as const, 'data-number': true })}
          {...(open && { 'aria-controls': `${id}-list`, ...(suggestions[active] && { 'aria-activedescendant': `${id}-list-${active}` }) })}
          onBlur={close}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setAnchor(box.current);
            setActive(nothing);
            onChange(event.target.value);
          }}
        />
      </div>
      {open && (
        <Popup anchor={anchor} onClose={close} wide>
          <OptionList id={`${id}-list`} label={label} options={suggestions} value="" active={active} onPick={pick} />
        </Popup>
      )}
    </FieldFrame>
  );
};
