import { CloseCircleFilled, DownOutlined } from '@ant-design/icons-svg';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent, RefObject } from 'react';
import { useTexts } from '#base/texts.ts';
import { FieldFrame, describedBy } from './field.tsx';
import type { FieldProps } from './field.tsx';
import styles from './field.module.css';
import { Icon } from '#ui/icon.tsx';
import type { Option } from './option-list.tsx';

export type { Option } from './option-list.tsx';

interface Props extends FieldProps {
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  /** The name of the selected value if the options do not contain it. */
  shown?: string;
  /**
   * Called with the typed text. The caller then fetches the options that match. If this prop is
   * absent, the given options are filtered.
   */
  onQuery?: (text: string) => void;
  placeholder?: string;
  clearable?: boolean;
  disabled?: boolean;
  name?: string;
}

const matching = (
  options: readonly Option[],
  query: string | null,
  fetched: boolean,
): readonly Option[] => {
  const words = fetched ? '' : (query ?? '').trim().toLowerCase();
  return words === ''
    ? options
    : options.filter((option) => option.label.toLowerCase().includes(words));
};

type OptionSearchModule = typeof import('./option-search.tsx');
let loaded: OptionSearchModule | null = null;

/**
 * The search input with its options; null until its file is fetched at the first opening. If that
 * fails, it is fetched again at the next opening.
 */
const useOptionSearch = (open: boolean): OptionSearchModule | null => {
  const [library, setLibrary] = useState(loaded);
  useEffect(() => {
    if (!open || library) return;
    let wanted = true;
    import('./option-search.tsx').then(
      (fetched) => {
        loaded = fetched;
        if (wanted) setLibrary(fetched);
      },
      () => null,
    );
    return () => {
      wanted = false;
    };
  }, [open, library]);
  return library;
};

/** The position of the caret, or the selected range, in an input. */
type Caret = [start: number | null, end: number | null];

/**
 * The plain input that is shown until the first opening. If it has the focus when it is replaced,
 * it stores the position of its text cursor in `caret`.
 */
const PlainInput = ({
  caret,
  ...input
}: ComponentProps<'input'> & { caret: RefObject<Caret | null> }) => {
  const ref = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (element && element === document.activeElement)
        caret.current = [element.selectionStart, element.selectionEnd];
    };
  }, [caret]);
  return (
    <input
      ref={ref}
      role="combobox"
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      className={styles['input']}
      {...input}
    />
  );
};

/** The icon at the end of the field. It is a button that clears the field, or an arrow. */
const EndIcon = ({ label, onClear }: { label: string; onClear: (() => void) | null }) => {
  const { t } = useTexts();
  return onClear ? (
    <button
      type="button"
      className={styles['icon']}
      aria-label={t('common.clear_field', { field: label })}
      onClick={onClear}
    >
      <Icon of={CloseCircleFilled} />
    </button>
  ) : (
    <span className={styles['icon']} aria-hidden>
      <Icon of={DownOutlined} />
    </span>
  );
};

/**
 * A field for one of several options, which can be found by typing. It is a plain input until it is
 * opened, because the library is fetched only then.
 */
export const Combobox = (props: Props) => {
  const {
    label,
    value,
    options,
    onChange,
    shown,
    onQuery,
    placeholder,
    clearable = false,
    disabled,
    name,
    ...field
  } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const caret = useRef<Caret>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [query, setQuery] = useState<string | null>(null);
  /** The text that the user confirmed with Enter before any option matched it. */
  const confirmed = useRef<string>(null);
  // True while an input method composes text. The input is not replaced then, because the
  // unfinished text would be lost.
  const [composing, setComposing] = useState(false);
  const open = anchor !== null;
  const library = useOptionSearch(open && !composing);
  const chosen =
    options.find((option) => option.value === value)?.label ??
    (value === '' ? '' : (shown ?? value));
  const show = (): void => {
    if (!disabled) setAnchor(box.current);
  };
  const close = (): void => {
    confirmed.current = null;
    setAnchor(null);
    setQuery(null);
    if (query !== null) onQuery?.('');
  };
  const takeOver = (input: HTMLInputElement): void => {
    if (!caret.current) return;
    input.focus();
    input.setSelectionRange(...caret.current);
    caret.current = null;
  };
  const pick = (option: Option): void => {
    onChange(option.value);
    close();
  };
  /**
   * Picks the option that the list would highlight, even if the library is not loaded yet. If there
   * is no option yet and `waits` is true, the first option that arrives is picked.
   */
  const pickConfirmed = (waits: boolean): void => {
    const [first] = matching(options, query, false);
    if (first === undefined) confirmed.current = waits ? query : null;
    else if (library === null && !first.blocked) pick(first);
  };
  useEffect(() => {
    if (query === null || confirmed.current !== query) return;
    const [first] = matching(options, query, false);
    if (first === undefined || first.blocked) return;
    confirmed.current = null;
    pick(first);
  });
  const onText = (text: string): void => {
    show();
    setQuery(text);
    onQuery?.(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (!open && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      show();
    } else if (open && event.key === 'Enter') event.preventDefault();
    if (query && (event.key === 'Enter' || event.key === 'Tab'))
      pickConfirmed(event.key === 'Enter');
  };
  const input: ComponentProps<'input'> = {
    id,
    'aria-invalid': field.error !== undefined || undefined,
    'aria-describedby': describedBy(id, props),
    'aria-required': field.required || undefined,
    placeholder,
    disabled,
    ...(name !== undefined && { name }),
    onFocus: (event) => event.target.select(),
    onClick: show,
    onBlur: close,
    onKeyDown,
  };
  return (
    <FieldFrame id={id} label={label} {...field}>
      <div ref={box} className={styles['box']} data-disabled={disabled || undefined}>
        {library ? (
          <library.OptionSearch
            input={input}
            onMount={takeOver}
            label={label}
            text={query ?? chosen}
            onText={onText}
            options={matching(options, query, onQuery !== undefined)}
            value={value}
            typing={query !== null && query !== ''}
            anchor={anchor}
            onPick={pick}
            onClose={close}
          />
        ) : (
          <PlainInput
            {...input}
            caret={caret}
            value={query ?? chosen}
            aria-expanded={open}
            onChange={(event) => onText(event.target.value)}
            onCompositionStart={() => setComposing(true)}
            onCompositionEnd={() => setComposing(false)}
          />
        )}
        <EndIcon
          label={label}
          onClear={clearable && value !== '' && !disabled ? () => onChange('') : null}
        />
      </div>
    </FieldFrame>
  );
};
