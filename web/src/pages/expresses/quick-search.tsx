import { SearchOutlined, CloseCircleFilled } from '@ant-design/icons';
import { useEffect, useRef, useState } from 'react';
import type { ClipboardEvent } from 'react';
import { useShortcuts } from '#app/shortcuts.ts';
import { useTexts } from '#app/texts.ts';
import { mostNumbers, readSearch } from './numbers.ts';
import styles from './quick-search.module.css';

interface Props {
  q: string;
  onSearch: (q: string) => void;
}

const pause = 400;

/** One box for numbers, phone tails and names. Many numbers pasted at once are looked up each; typing searches after a pause, Enter at once. */
export const QuickSearch = ({ q, onSearch }: Props) => {
  const { t } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(q);
  const [seen, setSeen] = useState(q);
  const [composing, setComposing] = useState(false);
  // A link or a removed filter changes the search from outside: the box follows.
  if (seen !== q) {
    setSeen(q);
    if (readSearch(typed).q !== q) setTyped(q);
  }
  const reading = readSearch(typed);
  const waiting = !composing && !reading.tooMany && reading.q !== q;
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
    { keys: '/', label: t('expresses.key_search'), run: focusBox },
    { keys: 'f', label: t('expresses.key_search'), unlisted: true, run: focusBox },
  ]);
  // An input drops line ends, which would glue the numbers of a column together.
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const text = event.clipboardData.getData('text');
    if (!/[\r\n\t]/.test(text)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd, value } = event.currentTarget;
    const pasted = readSearch(`${value.slice(0, selectionStart ?? 0)} ${text} ${value.slice(selectionEnd ?? value.length)}`);
    setTyped(pasted.q);
    if (!pasted.tooMany) onSearch(pasted.q);
  };
  return (
    <form
      role="search"
      className={styles['search']}
      data-bad={reading.tooMany || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        if (!reading.tooMany) onSearch(reading.q);
      }}
    >
      <SearchOutlined aria-hidden className={styles['icon']} />
      <input
        ref={input}
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={t('expresses.search')}
        aria-invalid={reading.tooMany || undefined}
        placeholder={t('expresses.search_placeholder')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onPaste={onPaste}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
      />
      {reading.tooMany ? (
        <span className={styles['note']} role="alert">
          {t('expresses.too_many', { most: mostNumbers, count: reading.numbers })}
        </span>
      ) : (
        reading.numbers > 0 && <span className={styles['note']}>{t('expresses.numbers', { count: reading.numbers })}</span>
      )}
      {typed !== '' && (
        <button
          type="button"
          aria-label={t('expresses.clear_search')}
          onClick={() => {
            setTyped('');
            onSearch('');
            input.current?.focus();
          }}
        >
          <CloseCircleFilled aria-hidden />
        </button>
      )}
    </form>
  );
};
