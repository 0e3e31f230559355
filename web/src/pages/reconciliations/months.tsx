import {
  CheckCircleFilled,
  CloseCircleFilled,
  LockFilled,
  UnlockOutlined,
} from '@ant-design/icons-svg';
import { Button } from '#ui/button.tsx';
import { useState } from 'react';
import { listPeriods, periodStatuses } from '@waystation/contract/money/reconciliation.ts';
import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { yuan } from '#ui/values/amounts.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';
import { Waiting } from '#ui/waiting.tsx';
import { inClosingOrder, stepOf } from './month-order.ts';
import type { MonthStep } from './month-order.ts';
import styles from './months.module.css';

/** The number of months that are shown before the user asks for all. */
const latest = 3;

export interface MonthDoors {
  open: (month: BookPeriod) => void;
  close: (month: BookPeriod) => void;
  reopen: (month: BookPeriod) => void;
  /** Opens the list of bills with a filter for a month. */
  bills: (period: string) => void;
}

export const MonthStatus = ({ month }: { month: BookPeriod }) => {
  const { language } = useTexts();
  return (
    <span className={styles['status']} data-status={month.status}>
      {month.status === 'closed' ? <Icon of={LockFilled} /> : <Icon of={UnlockOutlined} />}{' '}
      {wordOf(periodStatuses, month.status, language)}
    </span>
  );
};

/** Shows whether the amounts of all ledger accounts of the month sum to zero. */
export const Balance = ({ sum }: { sum: number }) => {
  const { t } = useTexts();
  return (
    <span className={styles['balance']} data-holds={sum === 0}>
      {sum === 0 ? <Icon of={CheckCircleFilled} /> : <Icon of={CloseCircleFilled} />}{' '}
      {sum === 0
        ? t('reconciliations.balanced')
        : t('reconciliations.unbalanced', { sum: yuan(sum) })}
    </span>
  );
};

const ClosedBy = ({ month }: { month: BookPeriod }) => {
  const { t } = useTexts();
  const format = useFormat();
  if (month.closed_at === null || month.status === 'open') return <>—</>;
  return (
    <>
      {t('reconciliations.closed_by', {
        name: month.closed_by_name ?? '',
        time: format.time(month.closed_at),
      })}
    </>
  );
};

interface RowProps {
  month: BookPeriod;
  step: MonthStep;
  doors: MonthDoors;
}

/**
 * The button that closes or reopens a month. If neither is possible, the reason is shown instead.
 */
const Act = ({ month, step, doors }: RowProps) => {
  const { t } = useTexts();
  if ('bar' in step)
    return (
      <span className={primitives['quiet']}>
        {step.bar === 'not_ended'
          ? t('reconciliations.bar_not_ended')
          : t(`reconciliations.bar_${step.bar}`, { month: step.month })}
      </span>
    );
  const closed = step.can === 'reopen';
  return (
    <Button
      size="small"
      type={closed ? 'default' : 'primary'}
      aria-label={t(closed ? 'reconciliations.reopen_title' : 'reconciliations.close_title', {
        month: month.period,
      })}
      onClick={() => (closed ? doors.reopen(month) : doors.close(month))}
    >
      {t(closed ? 'reconciliations.reopen' : 'reconciliations.close')}
    </Button>
  );
};

/** A number that links to the list that it counts. A zero is inconspicuous. */
const Door = ({
  count,
  label,
  onOpen,
  urgent = false,
}: {
  count: number;
  label: string;
  onOpen: () => void;
  urgent?: boolean;
}) => {
  const format = useFormat();
  if (count === 0) return <span className="tabular">0</span>;
  return (
    <button
      type="button"
      className={styles['door']}
      data-urgent={urgent || undefined}
      aria-label={`${label} ${format.number(count)}`}
      onClick={onOpen}
    >
      {format.number(count)}
    </button>
  );
};

const Row = ({ month, step, doors }: RowProps) => {
  const { t } = useTexts();
  const format = useFormat();
  const bills = t('reconciliations.see_bills', { month: month.period });
  return (
    <tr data-month={month.period}>
      <th scope="row">
        <button
          type="button"
          className={styles['door']}
          data-month-name={month.period}
          aria-label={t('reconciliations.month_of', { month: month.period })}
          onClick={() => doors.open(month)}
        >
          {month.period}
        </button>
      </th>
      <td>
        <MonthStatus month={month} />
      </td>
      <td data-number>{format.number(month.entries)}</td>
      <td>
        <Balance sum={month.sum} />
      </td>
      <td data-number>
        <Door
          count={month.reconciliations}
          label={bills}
          onOpen={() => doors.bills(month.period)}
        />
      </td>
      <td data-number>
        <Door
          count={month.open_rows}
          label={t('reconciliations.see_open', { month: month.period })}
          onOpen={() => doors.open(month)}
          urgent
        />
      </td>
      <td data-number>{format.number(month.pending)}</td>
      <td>
        <ClosedBy month={month} />
      </td>
      <td data-number>
        <Act month={month} step={step} doors={doors} />
      </td>
    </tr>
  );
};

const Card = ({ month, step, doors }: RowProps) => {
  const { t } = useTexts();
  const format = useFormat();
  return (
    <li className={styles['card']} data-month={month.period}>
      <div>
        <button
          type="button"
          className={styles['door']}
          data-month-name={month.period}
          aria-label={t('reconciliations.month_of', { month: month.period })}
          onClick={() => doors.open(month)}
        >
          <strong>{month.period}</strong>
        </button>
        <MonthStatus month={month} />
        <span className={styles['end']}>
          <Act month={month} step={step} doors={doors} />
        </span>
      </div>
      <div>
        <Balance sum={month.sum} />
        <span className={primitives['quiet']}>
          {t('reconciliations.entries')} {format.number(month.entries)} ·{' '}
          {t('reconciliations.open_rows')} {format.number(month.open_rows)} ·{' '}
          {t('reconciliations.pending')} {format.number(month.pending)}
        </span>
      </div>
    </li>
  );
};

const Table = ({ rows }: { rows: readonly RowProps[] }) => {
  const { t } = useTexts();
  return (
    <table className={styles['table']} aria-label={t('reconciliations.months')}>
      <thead>
        <tr>
          <th scope="col">{t('reconciliations.month')}</th>
          <th scope="col">{t('reconciliations.status')}</th>
          <th scope="col" data-number>
            {t('reconciliations.entries')}
          </th>
          <th scope="col">{t('reconciliations.trial')}</th>
          <th scope="col" data-number>
            {t('reconciliations.bills')}
          </th>
          <th scope="col" data-number>
            {t('reconciliations.open_rows')}
          </th>
          <th scope="col" data-number>
            {t('reconciliations.pending')}
          </th>
          <th scope="col">{t('reconciliations.closed')}</th>
          <th scope="col" data-number>
            {t('lists.actions')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.month.period} {...row} />
        ))}
      </tbody>
    </table>
  );
};

/** Moves the focus to the name of the next month. After the last month, moves it to the first. */
const toNextMonth = (): void => {
  const names = [...document.querySelectorAll<HTMLElement>('[data-month-name]')].filter((name) =>
    name.checkVisibility(),
  );
  const at = names.findIndex((name) => name === document.activeElement);
  (names[at + 1] ?? names[0])?.focus();
};

/**
 * The months of the ledger, beginning with the month to close next. Each shows whether it is
 * closed, whether it balances, and the reasons why it cannot be closed.
 */
export const Months = ({ doors }: { doors: MonthDoors }) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  useShortcuts([{ keys: 'm', label: t('reconciliations.months'), run: toNextMonth }]);
  const [all, setAll] = useState(false);
  const { data, error, refetch } = useCall(listPeriods, {}, { staleTime: 0 });
  if (!data && error) return <ErrorPanel error={error} onRetry={refetch} />;
  if (!data) return <Waiting />;
  if (data.items.length === 0)
    return <p className={primitives['quiet']}>{t('reconciliations.no_months')}</p>;
  const rows = inClosingOrder(data.items).map((month) => ({
    month,
    step: stepOf(month, data.items),
    doors,
  }));
  const shown = all ? rows : rows.slice(0, latest);
  return (
    <div className={styles['months']}>
      {narrow ? (
        <ul aria-label={t('reconciliations.months')}>
          {shown.map((row) => (
            <Card key={row.month.period} {...row} />
          ))}
        </ul>
      ) : (
        <Table rows={shown} />
      )}
      {data.items.length > latest && (
        <Button
          type="link"
          size="small"
          className={styles['all']}
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all
            ? t('reconciliations.fewer_months', { count: latest })
            : t('reconciliations.all_months', { count: data.items.length })}
        </Button>
      )}
    </div>
  );
};
