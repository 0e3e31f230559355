import { Combobox } from '@base-ui/react/combobox';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import { Popup } from '#ui/overlay/popup.tsx';
import styles from './field.module.css';
import { OptionList } from './option-list.tsx';
import type { Option } from './option-list.tsx';

export interface OptionSearchProps {
  /** Attributes and event handlers of the input element. */
  input: ComponentProps<'input'>;
  /**
   * Called each time an input is put into the page, including an input that replaces an earlier
   * one.
   */
  onMount?: (input: HTMLInputElement) => void;
  label: string;
  text: string;
  onText: (text: string) => void;
  /** The options in the order of display. This component does not filter them. */
  options: readonly Option[];
  /**
   * The value of the selected option, or '' if none is selected yet. Absent if an option cannot
   * stay selected. If it is present, the list opens with a highlighted option.
   */
  value?: string;
  /**
   * True if the typed text is not picked yet. If this prop is present, typing highlights the first
   * option, and Tab picks it.
   */
  typing?: boolean;
  /** The element to which the open list of options is attached. Null while the list is closed. */
  anchor: HTMLElement | null;
  onPick: (option: Option) => void;
  onClose: () => void;
  /** Content that is drawn instead of the list of options. */
  children?: ReactNode;
}

/**
 * The option that is highlighted when the list opens. It is the selected option, or else the first
 * option.
 */
const firstHighlighted = (options: readonly Option[], value: string | undefined): Option | null =>
  value === undefined
    ? null
    : (options.find((option) => option.value === value) ?? options[0] ?? null);

/**
 * A text input with options under it. Arrow keys highlight an option, Enter picks it, and Escape
 * closes the list.
 */
export const OptionSearch = (props: OptionSearchProps) => {
  const {
    input,
    onMount,
    label,
    text,
    onText,
    options,
    value,
    typing,
    anchor,
    onPick,
    onClose,
    children,
  } = props;
  const ref = useRef<HTMLInputElement>(null);
  const composing = useRef(false);
  const highlighted = useRef<Option | undefined>(undefined);
  const opened = useRef(false);
  // A counter whose change mounts the input and the list again, in two cases. If an option is
  // pressed while an input method composes text, the input would keep that text. If options change
  // after the list has closed, the library would highlight nothing at the next opening.
  const [round, setRound] = useState(0);
  const refocus = useRef(false);
  const mountAgain = (): void => {
    refocus.current = ref.current === document.activeElement;
    composing.current = false;
    opened.current = false;
    setRound((before) => before + 1);
  };
  useLayoutEffect(() => {
    if (anchor !== null) opened.current = value !== undefined;
    else if (opened.current) mountAgain();
  });
  useLayoutEffect(() => {
    if (refocus.current) ref.current?.focus();
    refocus.current = false;
  }, [round]);
  const mounted = useRef(onMount);
  useLayoutEffect(() => {
    if (ref.current) mounted.current?.(ref.current);
  }, [round]);
  const pick = (option: Option): void => {
    if (option.blocked) return;
    if (composing.current) mountAgain();
    onPick(option);
  };
  const onKeyDown = (
    event: KeyboardEvent<HTMLInputElement> & { preventBaseUIHandler: () => void },
  ): void => {
    input.onKeyDown?.(event);
    if (
      anchor === null ||
      !typing ||
      composing.current ||
      (event.key !== 'Tab' && event.key !== 'Enter')
    )
      return;
    // The library picks an option only after it has highlighted it in a drawn list. If a fast
    // typist presses Enter earlier, this code picks the option.
    const shown =
      options.find((option) => option.value === highlighted.current?.value) ?? options[0];
    if (!shown) return;
    event.preventBaseUIHandler();
    pick(shown);
  };
  return (
    <Combobox.Root
      key={round}
      inline
      open={anchor !== null}
      items={options}
      filter={null}
      value={firstHighlighted(options, value)}
      isItemEqualToValue={(one: Option, other: Option) => one.value === other.value}
      onValueChange={(option) => option && pick(option)}
      inputValue={text}
      onInputValueChange={(typed, { reason }) => {
        if (reason === 'input-change') onText(typed);
      }}
      autoHighlight={typing !== undefined}
      highlightItemOnHover={false}
      onItemHighlighted={(option) => {
        highlighted.current = option;
      }}
    >
      <Combobox.Input
        spellCheck={false}
        {...input}
        ref={ref}
        className={styles['input']}
        aria-expanded={anchor !== null}
        onKeyDown={onKeyDown}
        onCompositionStart={() => {
          composing.current = true;
        }}
        onCompositionEnd={() => {
          composing.current = false;
        }}
      />
      {anchor && (
        <Popup anchor={anchor} onClose={onClose} wide>
          {children || <OptionList label={label} options={options} value={value} />}
        </Popup>
      )}
    </Combobox.Root>
  );
};
