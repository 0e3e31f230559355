import { useEffect, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import styles from './tab-strip.module.css';

export interface StripTab<K extends string> {
  key: K;
  label: ReactNode;
  /** The count beside the label, in a less visible colour. */
  count?: string | undefined;
  /** A second line of text under the label. */
  note?: ReactNode;
  /** True if the tab has no content. */
  empty?: boolean;
}

interface Props<K extends string> {
  label: string;
  tabs: readonly StripTab<K>[];
  value: K;
  onChange: (key: K) => void;
  /** The id of the element whose content changes with the selected tab. */
  controls: string;
}

/**
 * If the tabs are too wide for the strip but fit with their counts below the labels, moves the
 * counts there.
 */
const fit = (strip: HTMLElement): void => {
  const overflows = (): boolean => strip.scrollWidth > strip.clientWidth;
  // Removing the counts may shorten the content of the strip and so change its scroll position. The
  // position is therefore stored first.
  const { scrollLeft } = strip;
  delete strip.dataset['stacked'];
  if (!overflows()) return;
  strip.dataset['stacked'] = '';
  if (!overflows()) return;
  delete strip.dataset['stacked'];
  strip.scrollLeft = scrollLeft;
};

/**
 * Tabs in one line, which scrolls if it is too long. An arrow key moves to another tab and
 * immediately selects it.
 */
export const TabStrip = <K extends string>({
  label,
  tabs,
  value,
  onChange,
  controls,
}: Props<K>) => {
  const strip = useRef<HTMLDivElement>(null);
  const counts = tabs.map(({ count = '' }) => count).join(' ');
  // The counts are loaded later and make the tabs wider, so the selected tab is then scrolled into
  // view again.
  const isCounted = counts.trim() !== '';
  useEffect(() => {
    strip.current
      ?.querySelector('[aria-selected=true]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [value, isCounted]);
  useLayoutEffect(() => {
    const element = strip.current;
    if (!element || !isCounted) return;
    fit(element);
    const watch = new ResizeObserver(() => fit(element));
    watch.observe(element);
    return () => watch.disconnect();
  }, [counts, isCounted]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.key === value);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.key);
    strip.current?.querySelector<HTMLElement>(`[data-tab="${next.key}"]`)?.focus();
  };
  return (
    <div
      ref={strip}
      className={styles['strip']}
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
      tabIndex={-1}
    >
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          data-tab={tab.key}
          id={`${controls}-${tab.key}`}
          aria-selected={tab.key === value}
          aria-controls={controls}
          tabIndex={tab.key === value ? 0 : -1}
          data-empty={tab.empty || undefined}
          data-noted={tab.note !== undefined || undefined}
          onClick={() => onChange(tab.key)}
        >
          {tab.label}
          {tab.count !== undefined && <span className={styles['count']}>{tab.count}</span>}
          {tab.note !== undefined && <span className={styles['note']}>{tab.note}</span>}
        </button>
      ))}
    </div>
  );
};
