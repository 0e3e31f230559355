import { Button } from '#ui/button.tsx';
import { listPeriods } from '@waystation/contract/money/reconciliation.ts';
import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { useFormat } from '#base/format.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { DetailDrawer } from '#ui/overlay/detail-drawer.tsx';
import { Facts } from '#ui/facts.tsx';
import type { Fact } from '#ui/facts.tsx';
import { Confirmations } from './month-confirmations.tsx';
import { MissingBills } from './missing-bills.tsx';
import { MonthChanges } from './month-changes.tsx';
import { MonthChecklist } from './month-checklist.tsx';
import { inClosingOrder, stepOf } from './month-order.ts';
import { TrialBalance } from './month-dialogs.tsx';
import { Balance, MonthStatus } from './months.tsx';
import type { MonthDoors } from './months.tsx';
import styles from './reconciliations.module.css';

/** Focuses the first field in which a reason must be entered. */
const goToReasons = (): void =>
  document.querySelector<HTMLElement>('[role=dialog] [name^="reason-"]')?.focus();

const toReminder = (): void =>
  document.querySelector<HTMLElement>('[role=dialog] [data-remind]')?.focus();

interface ContentProps {
  month: BookPeriod;
  into: string | null;
  doors: MonthDoors;
}

const Content = ({ month, into, doors }: ContentProps) => {
  const closed = month.status === 'closed';
  const { t } = useTexts();
  const format = useFormat();
  /**
   * A list with the fact that the month was closed or reopened. The list is empty if `at` is null,
   * because the month was never closed or reopened.
   */
  const since = (key: string, label: string, at: string | null, value: string): Fact[] =>
    at === null ? [] : [{ key, label, value, wide: true }];
  const moment = (name: string | null, at: string | null): string =>
    at === null
      ? ''
      : t('reconciliations.closed_by', { name: name ?? '', time: format.moment(at) });
  return (
    <div className={styles['drawer']}>
      <MonthChecklist
        month={month}
        into={into}
        onBills={() => doors.bills(month.period)}
        onMissing={goToReasons}
      />
      {closed && (
        <>
          <h3>{t('reconciliations.confirmations')}</h3>
          <Confirmations month={month} />
          <MonthChanges period={month.period} />
        </>
      )}
      {month.missing_bills.length > 0 && <h3>{t('reconciliations.missing_title')}</h3>}
      <MissingBills month={month} />
      <Facts
        facts={[
          {
            key: 'status',
            label: t('reconciliations.status'),
            value: <MonthStatus month={month} />,
          },
          { key: 'sum', label: t('reconciliations.trial'), value: <Balance sum={month.sum} /> },
          {
            key: 'entries',
            label: t('reconciliations.entries'),
            value: format.number(month.entries),
          },
          ...since(
            'closed',
            t('reconciliations.closed'),
            month.closed_at,
            moment(month.closed_by_name, month.closed_at),
          ),
          ...since(
            'reopened',
            t('reconciliations.reopened'),
            month.reopened_at,
            moment(month.reopened_by_name, month.reopened_at),
          ),
          ...since(
            'reason',
            t('reconciliations.reopen_reason'),
            month.reopened_at,
            month.reopen_reason,
          ),
        ]}
      />
      <h3>{t('reconciliations.trial')}</h3>
      <TrialBalance month={month} />
      {!closed && (
        <>
          <h3>{t('reconciliations.confirmations')}</h3>
          <Confirmations month={month} />
        </>
      )}
    </div>
  );
};

interface Props {
  /** The month as `YYYY-MM`; undefined if the drawer is closed. */
  period: string | undefined;
  doors: MonthDoors;
  onMove: (period: string) => void;
  onClose: () => void;
}

/** The drawer of one month of the ledger: its sums per account, and who closed and reopened it. */
export const MonthDrawer = ({ period, doors, onMove, onClose }: Props) => {
  const { t } = useTexts();
  const { data } = useCall(listPeriods, {}, { quiet: true });
  const items = inClosingOrder(data?.items ?? []);
  const at = items.findIndex((month) => month.period === period);
  const month = items[at];
  const open = items.filter(({ status }) => status === 'open').map((one) => one.period);
  const next = month && stepOf(month, items);
  const step = (to: number): (() => void) | null => {
    const other = at < 0 ? undefined : items[to];
    return other ? () => onMove(other.period) : null;
  };
  return (
    <DetailDrawer
      open={month !== undefined}
      title={t('reconciliations.month_title', { month: period ?? '' })}
      onPrevious={step(at - 1)}
      onNext={step(at + 1)}
      onClose={onClose}
      keys={[{ keys: 'r', label: t('reconciliations.confirmations'), run: toReminder }]}
      returnTo={() => document.querySelector<HTMLElement>(`[data-month="${period}"] button`)}
      actions={
        month && (
          <>
            <Button onClick={() => openScreen('StatementTable', { period: month.period })}>
              {t('menu.statements')}
            </Button>
            {next && 'can' in next && (
              <Button
                type={next.can === 'close' ? 'primary' : 'default'}
                danger={next.can === 'reopen'}
                onClick={() => doors[next.can](month)}
              >
                {t(`reconciliations.${next.can}`)}
              </Button>
            )}
          </>
        )
      }
    >
      {month && <Content month={month} into={open.toSorted()[0] ?? null} doors={doors} />}
    </DetailDrawer>
  );
};
