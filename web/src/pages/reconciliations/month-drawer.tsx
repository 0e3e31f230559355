import { Button } from 'antd';
import { listPeriods } from '@waystation/contract/reconciliation.ts';
import type { BookPeriod } from '@waystation/contract/reconciliation.ts';
import { useFormat } from '#app/format.ts';
import { openScreen } from '#app/open-screen.ts';
import { useCall } from '#app/query.ts';
import { useTexts } from '#app/texts.ts';
import { DetailDrawer } from '#ui/detail-drawer.tsx';
import { Facts } from '#ui/facts.tsx';
import { TrialBalance } from './month-dialogs.tsx';
import { Balance, MonthStatus } from './months.tsx';
import type { MonthDoors } from './months.tsx';
import styles from './reconciliations.module.css';

const Content = ({ month }: { month: BookPeriod }) => {
  const { t } = useTexts();
  const format = useFormat();
  const moment = (name: string | null, at: string | null): string =>
    at === null ? '' : t('reconciliations.closed_by', { name: name ?? '', time: format.moment(at) });
  return (
    <div className={styles['drawer']}>
      <Facts
        facts={[
          { key: 'status', label: t('reconciliations.status'), value: <MonthStatus month={month} /> },
          { key: 'sum', label: t('reconciliations.trial'), value: <Balance sum={month.sum} /> },
          { key: 'entries', label: t('reconciliations.entries'), value: format.number(month.entries) },
          { key: 'bills', label: t('reconciliations.bills'), value: format.number(month.reconciliations) },
          { key: 'open', label: t('reconciliations.open_rows'), value: format.number(month.open_rows) },
          { key: 'pending', label: t('reconciliations.pending'), value: format.number(month.pending) },
          { key: 'closed', label: t('reconciliations.closed'), value: moment(month.closed_by_name, month.closed_at), wide: true },
          { key: 'reopened', label: t('reconciliations.reopened'), value: moment(month.reopened_by_name, month.reopened_at), wide: true },
          { key: 'reason', label: t('reconciliations.reopen_reason'), value: month.reopen_reason, wide: true },
        ]}
      />
      <h3>{t('reconciliations.trial')}</h3>
      <TrialBalance month={month} />
    </div>
  );
};

interface Props {
  /** `YYYY-MM`, or none. */
  period: string | undefined;
  doors: MonthDoors;
  onMove: (period: string) => void;
  onClose: () => void;
}

/** One month of the books: its figures by account, and who closed and reopened it. */
export const MonthDrawer = ({ period, doors, onMove, onClose }: Props) => {
  const { t } = useTexts();
  const { data } = useCall(listPeriods, {}, { quiet: true });
  const at = data?.items.findIndex((month) => month.period === period) ?? -1;
  const month = data?.items[at];
  const step = (to: number): (() => void) | null => {
    const other = at < 0 ? undefined : data?.items[to];
    return other ? () => onMove(other.period) : null;
  };
  return (
    <DetailDrawer
      open={month !== undefined}
      title={t('reconciliations.month_title', { month: period ?? '' })}
      onPrevious={step(at - 1)}
      onNext={step(at + 1)}
      onClose={onClose}
      returnTo={() => document.querySelector<HTMLElement>(`[data-month="${period}"] button`)}
      actions={
        month && (
          <>
            <Button onClick={() => openScreen('StatementTable', { period: month.period })}>{t('menu.statements')}</Button>
            <Button type="primary" onClick={() => (month.status === 'open' ? doors.close(month) : doors.reopen(month))}>
              {t(month.status === 'open' ? 'reconciliations.close' : 'reconciliations.reopen')}
            </Button>
          </>
        )
      }
    >
      {month && <Content month={month} />}
    </DetailDrawer>
  );
};
