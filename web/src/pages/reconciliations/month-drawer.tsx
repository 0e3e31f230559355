import { Button } from '#ui/button.tsx';
import { listPeriods } from '@waystation/contract/money/reconciliation.ts';
import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { listConfirmations } from '@waystation/contract/money/station-statement.ts';
import { useFormat } from '#base/format.ts';
import { openScreen, screenHref } from '#shell/tabs/open-screen.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { DetailDrawer } from '#ui/overlay/detail-drawer.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Facts } from '#ui/facts.tsx';
import { Money } from '#ui/values/money.tsx';
import primitives from '#ui/primitives.module.css';
import { Waiting } from '#ui/waiting.tsx';
import { MissingBills } from './missing-bills.tsx';
import { inClosingOrder, stepOf } from './month-order.ts';
import { TrialBalance } from './month-dialogs.tsx';
import { Balance, MonthStatus } from './months.tsx';
import type { MonthDoors } from './months.tsx';
import months from './months.module.css';
import styles from './reconciliations.module.css';

const Content = ({ month }: { month: BookPeriod }) => {
  const { t } = useTexts();
  const format = useFormat();
  const moment = (name: string | null, at: string | null): string =>
    at === null
      ? ''
      : t('reconciliations.closed_by', { name: name ?? '', time: format.moment(at) });
  return (
    <div className={styles['drawer']}>
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
          {
            key: 'bills',
            label: t('reconciliations.bills'),
            value: format.number(month.reconciliations),
          },
          {
            key: 'open',
            label: t('reconciliations.open_rows'),
            value: format.number(month.open_rows),
          },
          {
            key: 'pending',
            label: t('reconciliations.pending'),
            value: format.number(month.pending),
          },
          {
            key: 'closed',
            label: t('reconciliations.closed'),
            value: moment(month.closed_by_name, month.closed_at),
            wide: true,
          },
          {
            key: 'reopened',
            label: t('reconciliations.reopened'),
            value: moment(month.reopened_by_name, month.reopened_at),
            wide: true,
          },
          {
            key: 'reason',
            label: t('reconciliations.reopen_reason'),
            value: month.reopen_reason,
            wide: true,
          },
        ]}
      />
      <h3>{t('reconciliations.trial')}</h3>
      <TrialBalance month={month} />
      {month.missing_bills.length > 0 && <h3>{t('reconciliations.missing_title')}</h3>}
      <MissingBills month={month} />
      <h3>{t('reconciliations.confirmations')}</h3>
      <Confirmations period={month.period} />
    </div>
  );
};

/** The stations' confirmations of the month; missing ones come first. */
const Confirmations = ({ period }: { period: string }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { data, error, refetch } = useCall(
    listConfirmations,
    { period },
    { quiet: true, staleTime: 0 },
  );
  if (!data && error) return <ErrorPanel error={error} onRetry={refetch} />;
  if (!data) return <Waiting />;
  return (
    <>
      <p>
        {t('reconciliations.confirmed_of', {
          count: format.number(data.confirmed),
          stations: format.number(data.stations),
        })}
        {data.over === 0 && <> · {t('reconciliations.confirm_later')}</>}
      </p>
      {data.items.length > 0 && (
        <table
          className={`${primitives['table']} ${months['trial']}`}
          aria-label={t('reconciliations.confirmations')}
        >
          <thead>
            <tr>
              <th scope="col">{t('common.station')}</th>
              <th scope="col" data-number>
                {t('reconciliations.closing')}
              </th>
              <th scope="col">{t('reconciliations.confirmed')}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((each) => (
              <tr key={each.station_id}>
                <th scope="row">
                  <a href={screenHref('StatementTable', { period, station_id: each.station_id })}>
                    {each.station_name}
                  </a>
                </th>
                <td data-number>
                  <Money fen={each.closing} />
                </td>
                <td>
                  {each.confirmed_at === null
                    ? t('reconciliations.unconfirmed')
                    : t('reconciliations.closed_by', {
                        name: each.confirmed_by_name ?? '',
                        time: format.time(each.confirmed_at),
                      })}
                  {each.changed === 1 && (
                    <span className={styles['changed']}> {t('reconciliations.changed_since')}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
};

interface Props {
  /** `YYYY-MM`, or none. */
  period: string | undefined;
  doors: MonthDoors;
  onMove: (period: string) => void;
  onClose: () => void;
}

/** One month of the ledger: its figures by account, and who closed and reopened it. */
export const MonthDrawer = ({ period, doors, onMove, onClose }: Props) => {
  const { t } = useTexts();
  const { data } = useCall(listPeriods, {}, { quiet: true });
  const items = inClosingOrder(data?.items ?? []);
  const at = items.findIndex((month) => month.period === period);
  const month = items[at];
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
      returnTo={() => document.querySelector<HTMLElement>(`[data-month="${period}"] button`)}
      actions={
        month && (
          <>
            <Button onClick={() => openScreen('StatementTable', { period: month.period })}>
              {t('menu.statements')}
            </Button>
            {next && 'can' in next && (
              <Button type="primary" onClick={() => doors[next.can](month)}>
                {t(`reconciliations.${next.can}`)}
              </Button>
            )}
          </>
        )
      }
    >
      {month && <Content month={month} />}
    </DetailDrawer>
  );
};
