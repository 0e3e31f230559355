import { DownloadOutlined } from '@ant-design/icons-svg';
import { useState } from 'react';
import { listConfirmations } from '@waystation/contract/money/station-statement.ts';
import { useFormat } from '#base/format.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Combobox } from '#ui/fields/combobox.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { lazyComponent } from '#ui/lazy.tsx';
import { Money } from '#ui/values/money.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import primitives from '#ui/primitives.module.css';
import { latestMonths } from './months.ts';
import styles from './statements.module.css';

const StatementsDialog = lazyComponent(
  async () => (await import('#money/statements-dialog.tsx')).StatementsDialog,
);

interface Props {
  period: string;
  onPeriod: (period: string) => void;
  onClose: () => void;
}

/**
 * The stations' confirmations of a month, for the administrator who closes it. The stations that
 * have not confirmed come first.
 */
export const ConfirmationsDrawer = ({ period, onPeriod, onClose }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const [saving, setSaving] = useState(false);
  const [months] = useState(() => latestMonths(Date.now(), 36));
  const { data, error, refetch } = useCall(
    listConfirmations,
    { period },
    { quiet: true, keep: true, staleTime: 0 },
  );
  return (
    <Drawer open size={720} title={t('statements.confirmations')} onClose={onClose}>
      <div className={styles['inputs']}>
        <Combobox
          label={t('statements.period')}
          value={period}
          options={months.map((value) => ({ value, label: value }))}
          onChange={onPeriod}
        />
        {data && (
          <p className={styles['quiet']} role="status">
            {t('statements.confirmed_of', {
              confirmed: format.number(data.confirmed),
              stations: format.number(data.stations),
            })}
            {data.over === 0 && <> · {t('statements.not_over')}</>}
            {data.closed === 1 && <> · {t('statements.closed')}</>}
          </p>
        )}
        {data && data.items.length > 0 && (
          <Button icon={<Icon of={DownloadOutlined} />} onClick={() => setSaving(true)}>
            {t('statements.archive')}
          </Button>
        )}
        {saving && <StatementsDialog period={period} onClose={() => setSaving(false)} />}
      </div>
      {error && !data && <ErrorPanel error={error} onRetry={refetch} />}
      {data?.items.length === 0 && <Empty title={t('statements.none_in_period')} />}
      {data && data.items.length > 0 && (
        <div
          className={styles['scroll']}
          tabIndex={0}
          role="region"
          aria-label={t('statements.confirmations')}
        >
          <table className={`${primitives['table']} ${styles['journal']}`}>
            <thead>
              <tr>
                <th scope="col">{t('common.station')}</th>
                <th scope="col" data-number data-wide>
                  {t('statements.gained')}
                </th>
                <th scope="col" data-number data-wide>
                  {t('statements.spent')}
                </th>
                <th scope="col" data-number>
                  {t('statements.closing')}
                </th>
                <th scope="col">{t('statements.confirm')}</th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((row) => (
                <tr key={row.station_id}>
                  <th scope="row">
                    <a
                      href={screenHref('StatementTable', {
                        station_id: String(row.station_id),
                        period,
                      })}
                      onClick={onClose}
                    >
                      {row.station_name}
                    </a>
                  </th>
                  <td data-number data-wide>
                    <Money fen={row.in} />
                  </td>
                  <td data-number data-wide>
                    <Money fen={row.out} />
                  </td>
                  <td data-number>
                    <Money fen={row.closing} />
                  </td>
                  <td>
                    {row.confirmed_at === null ? (
                      <span className={styles['quiet']}>{t('statements.waiting')}</span>
                    ) : (
                      <span className={styles['confirmed']} data-changed={row.changed}>
                        {row.changed === 1 ? t('statements.changed') : row.confirmed_by_name}{' '}
                        <time
                          className={styles['quiet']}
                          dateTime={row.confirmed_at}
                          title={format.moment(row.confirmed_at)}
                        >
                          {format.time(row.confirmed_at)}
                        </time>
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Drawer>
  );
};
