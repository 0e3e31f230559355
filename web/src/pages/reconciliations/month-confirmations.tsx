import { BellOutlined, DownloadOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { remindPeriod } from '@waystation/contract/money/reconciliation.ts';
import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { listConfirmations } from '@waystation/contract/money/station-statement.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import { Money } from '#ui/values/money.tsx';
import { Waiting } from '#ui/waiting.tsx';
import months from './months.module.css';
import styles from './reconciliations.module.css';

const StatementsDialog = lazyComponent(
  async () => (await import('#money/statements-dialog.tsx')).StatementsDialog,
);

const shown = [listConfirmations] as const;

/**
 * The button that reminds the stations that have not confirmed. The server refuses a second
 * reminder on the same day.
 */
const RemindButton = ({ period, count }: { period: string; count: number }) => {
  const { t } = useTexts();
  const format = useFormat();
  const { busy, run } = useActions<'remind'>(shown);
  const remind = () =>
    run('remind', async () => {
      const { stations, unheard } = await call(remindPeriod, { period });
      const done = t('reconciliations.remind_done', { count: format.number(stations) });
      if (unheard.length === 0) return notify.success(done);
      // These stations cannot be reminded automatically, so a user must contact them. The notice
      // stays until the user closes it.
      const names = unheard.join(t('shell.list_comma'));
      notify.lasting({
        key: `unheard-${period}`,
        title: done,
        description: t('reconciliations.remind_unheard', { names }),
      });
    });
  return (
    <Button
      data-remind
      icon={<Icon of={BellOutlined} />}
      loading={busy.size > 0}
      onClick={() => void remind()}
    >
      {t('reconciliations.remind', { count: format.number(count) })}
    </Button>
  );
};

/** The stations' confirmations of the month. The stations that have not confirmed come first. */
export const Confirmations = ({ month }: { month: BookPeriod }) => {
  const { period } = month;
  const [saving, setSaving] = useState(false);
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
      <div className={styles['send']}>
        {month.status === 'closed' && data.confirmed < data.stations && (
          <RemindButton period={period} count={data.stations - data.confirmed} />
        )}
        {data.items.length > 0 && (
          <Button icon={<Icon of={DownloadOutlined} />} onClick={() => setSaving(true)}>
            {t('statements.archive')}
          </Button>
        )}
        {saving && <StatementsDialog period={period} onClose={() => setSaving(false)} />}
        {data.reminded !== null && (
          <span className={primitives['quiet']}>
            {t('reconciliations.reminded', {
              name: data.reminded.by_name,
              time: format.time(data.reminded.at),
              count: format.number(data.reminded.stations),
            })}
          </span>
        )}
      </div>
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
