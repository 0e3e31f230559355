import {
  CheckCircleFilled,
  ClockCircleOutlined,
  ExclamationCircleFilled,
} from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { listConfirmations } from '@waystation/contract/money/station-statement.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Icon } from '#ui/icon.tsx';
import primitives from '#ui/primitives.module.css';
import months from './months.module.css';
import { billsOf } from './month-order.ts';
import { useBillWords } from './words.ts';

/**
 * The state of a step. `bars`: the month cannot be closed until the step is done. `waits`: other
 * people must act, but the month can already be closed.
 */
type State = 'done' | 'bars' | 'waits';
const icons = {
  done: CheckCircleFilled,
  bars: ExclamationCircleFilled,
  waits: ClockCircleOutlined,
};

const Line = ({ state, children }: { state: State; children: ReactNode }) => {
  const { t } = useTexts();
  return (
    <li data-state={state}>
      <Icon of={icons[state]} />
      <span>
        <span className="sr-only">{t(`reconciliations.check_${state}`)} </span>
        {children}
      </span>
    </li>
  );
};

interface BillsProps {
  bills: BookPeriod['open_bills'];
  onLeave?: () => void;
}

/** The bills that have undecided lines, each with a link to these lines. */
export const OpenBills = ({ bills, onLeave }: BillsProps) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  if (bills.length === 0) return null;
  return (
    <ul className={months['list']}>
      {bills.map((bill) => (
        <li key={bill.id}>
          <a
            href={screenHref('Reconciliations', { id: bill.id, decision: 'open' })}
            onClick={() => onLeave?.()}
          >
            {bill.status === 'ready'
              ? t('reconciliations.bill_door', {
                  name: words.name(bill),
                  count: format.number(bill.open_rows),
                })
              : `${words.name(bill)} · ${words.status(bill)}`}
          </a>
        </li>
      ))}
    </ul>
  );
};

/**
 * The differences of the month that are not decided yet. Lines that arrived after the month was
 * closed prevent only the closing of the month `into`.
 */
const Undecided = ({ month, into }: { month: BookPeriod; into: string | null }) => {
  const { t } = useTexts();
  const format = useFormat();
  const late = month.late_bills.length > 0;
  const bills = late ? month.late_bills : month.open_bills;
  const unread = bills.filter(({ status }) => status !== 'ready').length;
  const rows = bills.reduce((sum, { open_rows }) => sum + open_rows, 0);
  const words = (): string => {
    if (bills.length === 0) return t('reconciliations.check_decided');
    if (unread > 0) return t('reconciliations.check_unread', { count: format.number(unread) });
    const count = { count: format.number(rows) };
    return late && into !== null
      ? t('reconciliations.check_late', { ...count, month: into })
      : t('reconciliations.check_rows', count);
  };
  return (
    <Line state={bills.length === 0 ? 'done' : late ? 'waits' : 'bars'}>
      {words()}
      <OpenBills bills={bills} />
    </Line>
  );
};

interface Props {
  month: BookPeriod;
  /** The open month to which late bill lines are posted; null if there is none. */
  into: string | null;
  /**
   * Called to show the bills of the month. `onMissing` is called to show the accounts without a
   * bill.
   */
  onBills: () => void;
  onMissing: () => void;
}

/** The steps of the month until it is confirmed, each with a link to the work that is left. */
export const MonthChecklist = ({ month, into, onBills, onMissing }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const { period } = month;
  const { data } = useCall(listConfirmations, { period }, { quiet: true, staleTime: 0 });
  const unexplained = month.missing_bills.filter(({ reason }) => reason === null).length;
  const confirmed = data && data.confirmed === data.stations;
  return (
    <ul className={months['checks']} aria-label={t('reconciliations.checks')}>
      {month.earlier_open !== null && (
        <Line state="bars">
          {t('reconciliations.bar_close_first', { month: month.earlier_open })}
        </Line>
      )}
      <Line state={unexplained > 0 ? 'bars' : 'done'}>
        {unexplained > 0 ? (
          <button type="button" className={primitives['linkButton']} onClick={onMissing}>
            {t('reconciliations.check_missing', { count: format.number(unexplained) })}
          </button>
        ) : (
          <button type="button" className={primitives['linkButton']} onClick={onBills}>
            {t(`reconciliations.check_${billsOf(month)}`, {
              count: format.number(month.reconciliations),
            })}
          </button>
        )}
      </Line>
      <Undecided month={month} into={into} />
      {month.pending > 0 && (
        <Line state="waits">
          <a href={screenHref('StatementTable', { status: 'pending' })}>
            {t('reconciliations.check_pending', { count: format.number(month.pending) })}
          </a>
        </Line>
      )}
      {data && (
        <Line state={confirmed ? 'done' : 'waits'}>
          <a href={screenHref('StatementTable', { confirmations: period })}>
            {t('reconciliations.confirmed_of', {
              count: format.number(data.confirmed),
              stations: format.number(data.stations),
            })}
          </a>
          {data.over === 0 && <> · {t('reconciliations.confirm_later')}</>}
        </Line>
      )}
    </ul>
  );
};
