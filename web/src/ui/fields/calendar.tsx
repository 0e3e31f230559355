import {
  DoubleLeftOutlined,
  DoubleRightOutlined,
  LeftOutlined,
  RightOutlined,
} from '@ant-design/icons-svg';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { perLocale } from '#base/formats.ts';
import { useTexts } from '#base/texts.ts';
import { Icon } from '#ui/icon.tsx';
import styles from './calendar.module.css';
import { dayByKey, monthWeeks, plusMonths } from './month-weeks.ts';

interface Props {
  /** `YYYY-MM-DD`; empty if no day is set. */
  value: string;
  today: string;
  min?: string | undefined;
  max?: string | undefined;
  onPick: (day: string) => void;
}

/** The calendar treats each day as midnight in UTC. */
const timeZone = 'UTC';
const wordsOf = perLocale((locale) => ({
  month: new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone }),
  weekdayShort: new Intl.DateTimeFormat(locale, {
    weekday: locale === 'zh-CN' ? 'narrow' : 'short',
    timeZone,
  }),
  weekday: new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone }),
  day: new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone }),
}));

/**
 * A month in which the user chooses a day. It looks the same in every browser and language, and
 * weeks begin on Monday. The focus begins on the selected day, or on today.
 */
export const Calendar = ({ value, today, min, max, onPick }: Props) => {
  const { t, locale } = useTexts();
  const grid = useRef<HTMLTableElement>(null);
  const [day, setDay] = useState(value || today);
  const focusNext = useRef(true);
  useEffect(() => {
    if (!focusNext.current) return;
    focusNext.current = false;
    grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }, [day]);
  const weeks = monthWeeks(day);
  const month = day.slice(0, 7);
  const words = wordsOf(locale);
  const title = words.month.format(new Date(day));
  const barred = (each: string): boolean => (!!min && each < min) || (!!max && each > max);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = dayByKey(day, event.key, event.shiftKey);
    if (next === null) return;
    event.preventDefault();
    focusNext.current = true;
    setDay(next);
  };
  const steps = [
    { by: -12, icon: DoubleLeftOutlined, label: t('common.calendar_year_before') },
    { by: -1, icon: LeftOutlined, label: t('common.calendar_month_before') },
    { by: 1, icon: RightOutlined, label: t('common.calendar_month_after') },
    { by: 12, icon: DoubleRightOutlined, label: t('common.calendar_year_after') },
  ];
  const step = ({ by, icon, label }: (typeof steps)[number]) => (
    <button
      key={by}
      type="button"
      aria-label={label}
      title={label}
      onClick={() => setDay(plusMonths(day, by))}
    >
      <Icon of={icon} />
    </button>
  );
  return (
    <div className={styles['calendar']}>
      <div className={styles['head']}>
        {steps.slice(0, 2).map(step)}
        <span className={styles['title']} aria-live="polite">
          {title}
        </span>
        {steps.slice(2).map(step)}
      </div>
      <table ref={grid} role="grid" aria-label={title} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {weeks[0]!.map((each) => (
              <th key={each} scope="col" abbr={words.weekday.format(new Date(each))}>
                {words.weekdayShort.format(new Date(each))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((each) => (
                <td key={each} aria-selected={each === value}>
                  <button
                    type="button"
                    tabIndex={each === day ? 0 : -1}
                    aria-label={words.day.format(new Date(each))}
                    aria-current={each === today ? 'date' : undefined}
                    aria-disabled={barred(each) || undefined}
                    data-outside={each.slice(0, 7) !== month || undefined}
                    data-chosen={each === value || undefined}
                    onClick={() => !barred(each) && onPick(each)}
                  >
                    {Number(each.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button
        type="button"
        className={styles['today']}
        aria-disabled={barred(today) || undefined}
        onClick={() => !barred(today) && onPick(today)}
      >
        {t('common.days.today')}
      </button>
    </div>
  );
};
