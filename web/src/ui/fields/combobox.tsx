import { CloseCircleFilled, DownOutlined } from '@ant-design/icons-svg';
import { useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTexts } from '#base/texts.ts';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import styles from './field.module.css';
import { Icon } from '#ui/icon.tsx';
import { OptionList } from './option-list.tsx';
import type { Option } from './option-list.tsx';
import { Popup } from '#ui/overlay/popup.tsx';

export type { Option } from './option-list.tsx';

interface Props extends FieldProps {
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  /** What a chosen value is called while it is not among the options. */
  shown?: string;
  /** The options answer to what is typed, asked for elsewhere; else they are narrowed here. */
  onQuery?: (text: string) => void;
  placeholder?: string;
  clearable?: boolean;
  disabled?: boolean;
  name?: string;
}

const narrowed = (options: readonly Option[], query: string | null, elsewhere: boolean): readonly Option[] => {
  const words = elsewhere ? '' : (query ?? '').trim().toLowerCase();
  return words === '' ? options : options.filter((option) => option.label.toLowerCase().includes(words));
};

/** One of several, found by typing. */
export const Combobox = (props: Props) => {
  const { label, value, options, onChange, shown, onQuery, placeholder, clearable = false, disabled, name, ...field } = props;
  const { t } = useTexts();
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [query, setQuery] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const found = narrowed(options, query, onQuery !== undefined);
  const chosen = options.find((option) => option.value === value)?.label ?? (value === '' ? '' : (shown ?? value));
  const open = anchor !== null;
  const show = (): void => {
    if (open || disabled) return;
    setActive(
      Math.max(
        0,
        options.findIndex((option) => option.value === value),
      ),
    );
    setAnchor(box.current);
  };
  const close = (): void => {
    setAnchor(null);
    setQuery(null);
    if (query !== null) onQuery?.('');
  };
  const pick = (option: Option | undefined): void => {
    if (option?.blocked) return;
    if (option) onChange(option.value);
    close();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) show();
      else setActive((active + (event.key === 'ArrowDown' ? 1 : -1) + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      pick(found[active]);
    } else if (event.key === 'Tab' && open) {
      if (query !== null && query !== '') pick(found[active]);
      else close();
    }
  };
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div ref={box} className={styles['box']} data-disabled={disabled || undefined}>
        <input
          id={id}
          role="combobox"
          className={styles['input']}
          aria-expanded={open}
          aria-autocomplete="list"
          aria-invalid={field.error !== undefined || undefined}
          aria-describedby={describedBy(id, props)}
          aria-required={field.required || undefined}
          autoComplete="off"
          spellCheck={false}
          value={query ?? chosen}
          placeholder={placeholder}
          disabled={disabled}
          {...(name !== undefined && { name })}
          {...(open && { 'aria-controls': `${id}-list`, ...(found[active] && { 'aria-activedescendant': `${id}-list-${active}` }) })}
          onFocus={(event) => event.target.select()}
          onClick={show}
          onBlur={close}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            show();
            setActive(0);
            setQuery(event.target.value);
            onQuery?.(event.target.value);
          }}
        />
        {clearable && value !== '' && !disabled ? (
          <button type="button" className={styles['icon']} aria-label={t('common.clear_field', { field: label })} onClick={() => onChange('')}>
            <Icon of={CloseCircleFilled} />
          </button>
        ) : (
          <span className={styles['icon']} aria-hidden>
            <Icon of={DownOutlined} />
          </span>
        )}
      </div>
      {open && (
        <Popup anchor={anchor} onClose={close} wide>
          <OptionList id={`${id}-list`} label={label} options={found} value={value} active={active} onPick={pick} />
        </Popup>
      )}
    </FieldFrame>
  );
};
