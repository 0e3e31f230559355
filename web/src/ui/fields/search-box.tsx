import { CloseCircleFilled, SearchOutlined } from '@ant-design/icons-svg';
import { useEffect, useRef, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent } from 'react';
import { searchLimit, searchProblem } from '@waystation/contract/shell/search.ts';
import { takesScans } from '#base/scan-bursts.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import { enterRows } from '#ui/enter-rows.ts';
import styles from './search-box.module.css';

/** An explanation of how the typed `text` is understood as a search. */
export interface ReadSearch {
  q: string;
  /** A note shown beside the typed text. */
  note?: string | undefined;
  /** The reason why the text cannot be searched for. */
  bad?: string | undefined;
  /** An action that the search box offers instead of searching. */
  offer?: { label: string; run: () => void } | undefined;
}

interface Props {
  q: string;
  onSearch: (q: string) => void;
  label: string;
  placeholder: string;
  read?: (text: string) => ReadSearch;
}

const pause = 400;
const oneLine = (text: string): ReadSearch => ({ q: text.replace(/\s+/g, ' ').trim() });

/**
 * The quick search of a list. It starts after a short pause in typing, or immediately after Enter.
 * The key `/` moves the focus to it from anywhere on the page.
 */
export const SearchBox = ({ q, onSearch, label, placeholder, read = oneLine }: Props) => {
  const { t } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(q);
  const [seen, setSeen] = useState(q);
  const [composing, setComposing] = useState(false);
  // If a link or a removed filter changes the search text, the text in the box changes too.
  if (seen !== q) {
    setSeen(q);
    if (read(typed).q !== q) setTyped(q);
  }
  const reading = ((): ReadSearch => {
    const parsed = read(typed);
    return parsed.bad === undefined && searchProblem(parsed.q) !== null
      ? { ...parsed, bad: t('common.search_too_long', { most: searchLimit.characters }) }
      : parsed;
  })();
  const waiting = !composing && reading.bad === undefined && reading.q !== q;
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => onSearch(reading.q), pause);
    return () => clearTimeout(timer);
  }, [waiting, reading.q, onSearch]);
  const focusBox = (): void => {
    input.current?.focus();
    input.current?.select();
  };
  useShortcuts([
    { keys: '/', label, run: focusBox },
    { keys: 'f', label, unlisted: true, run: focusBox },
  ]);
  // The down arrow key moves the focus from the search box to the found rows.
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'ArrowDown' || event.nativeEvent.isComposing || reading.bad !== undefined)
      return;
    event.preventDefault();
    if (reading.q !== q) onSearch(reading.q);
    enterRows(event.currentTarget, reading.q !== q);
  };
  // An input removes line breaks from pasted text. Without this handler, the lines of a pasted
  // column would therefore become one text.
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const text = event.clipboardData.getData('text');
    if (!/[\r\n\t]/.test(text)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const pasted = read(
      `${value.slice(0, selectionStart ?? 0)} ${text} ${value.slice(selectionEnd ?? value.length)}`,
    );
    setTyped(pasted.q);
    if (pasted.bad === undefined && searchProblem(pasted.q) === null) onSearch(pasted.q);
  };
  return (
    <form
      role="search"
      className={styles['search']}
      data-bad={reading.bad !== undefined || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (reading.bad === undefined) onSearch(reading.q);
      }}
    >
      <Icon of={SearchOutlined} className={styles['icon']} />
      <input
        ref={input}
        {...takesScans}
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        aria-invalid={reading.bad !== undefined || undefined}
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onPaste={onPaste}
        onKeyDown={onKeyDown}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
      />
      {reading.bad === undefined ? (
        reading.note !== undefined && <span className={styles['note']}>{reading.note}</span>
      ) : (
        <span className={styles['note']} role="alert">
          {reading.bad}
        </span>
      )}
      {reading.offer && (
        <button
          type="button"
          className={styles['offer']}
          onClick={() => {
            setTyped(q);
            reading.offer!.run();
          }}
        >
          {reading.offer.label}
        </button>
      )}
      {typed !== '' && (
        <button
          type="button"
          className={styles['clear']}
          aria-label={t('common.clear_search')}
          onClick={() => {
            setTyped('');
            onSearch('');
            input.current?.focus();
          }}
        >
          <Icon of={CloseCircleFilled} />
        </button>
      )}
    </form>
  );
};
