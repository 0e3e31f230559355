import { Button } from 'antd';
import { listStatements, statementStatuses, statementTypes } from '@waystation/contract/statement.ts';
import type { Statement } from '@waystation/contract/statement.ts';
import type { Station } from '@waystation/contract/station.ts';
import { useFormat } from '#app/format.ts';
import { screenHref } from '#app/open-screen.ts';
import { useCall } from '#app/query.ts';
import { useTexts } from '#app/texts.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { signedYuan } from '#ui/amounts.ts';
import { Money } from '#ui/money.tsx';
import { Waybill } from '#ui/waybill.tsx';
import styles from './stations.module.css';

/** The four figures that make what may be spent. */
export const Balance = ({ station }: { station: Station }) => {
  const { t } = useTexts();
  const figures = [
    { key: 'money', label: t('stations.money'), fen: station.money },
    { key: 'freeze', label: t('stations.freeze'), fen: station.freeze },
    { key: 'fixed_freeze', label: t('stations.fixed_freeze'), fen: station.fixed_freeze },
  ];
  return (
    <>
      <dl className={styles['balance']}>
        {figures.map(({ key, label, fen }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <Money fen={fen} />
            </dd>
          </div>
        ))}
        <div data-sum>
          <dt>{t('stations.available')}</dt>
          <dd>
            <Money fen={station.available} {...(station.available < 0 && { tone: 'danger' as const })} />
          </dd>
        </div>
      </dl>
      <p className={styles['note']}>{t('stations.equation')}</p>
    </>
  );
};

const Line = ({ line }: { line: Statement }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  return (
    <tr>
      <td>
        <time className="tabular" dateTime={line.posted_at ?? line.created_at}>
          {format.time(line.posted_at ?? line.created_at)}
        </time>
      </td>
      <td>
        {statementTypes[line.type][language]}
        {line.status !== 'posted' && ` · ${statementStatuses[line.status][language]}`}
        {line.delivery_id !== null && (
          <>
            {' · '}
            <Waybill number={line.delivery_id} copy={false} />
          </>
        )}
      </td>
      <td data-end>
        {line.amount === 0 && line.freeze_amount !== 0 ? (
          t('stations.frozen_change', { amount: signedYuan(line.freeze_amount) })
        ) : (
          <Money fen={line.amount} signed />
        )}
      </td>
      <td data-end>
        <Money fen={line.balance} />
      </td>
    </tr>
  );
};

/** What a station has and what moved it last. */
export const MoneyTab = ({ station, topUp }: { station: Station; topUp: (() => void) | null }) => {
  const { t } = useTexts();
  const { data, error, refetch } = useCall(listStatements, { station_id: station.id, page_size: 20 }, { quiet: true, staleTime: 0 });
  return (
    <>
      <Balance station={station} />
      <div className={styles['heading']}>
        <h3>{t('stations.latest')}</h3>
        <span className={styles['check']}>
          <a href={screenHref('StatementTable', { station_id: String(station.id) })}>{t('stations.all_lines')}</a>
          {topUp && (
            <Button size="small" onClick={topUp}>
              {t('stations.top_up')}
            </Button>
          )}
        </span>
      </div>
      {error && !data && <ErrorPanel error={error} onRetry={refetch} />}
      {data?.items.length === 0 && <p className={styles['note']}>{t('stations.no_lines')}</p>}
      {data && data.items.length > 0 && (
        <div className={styles['scroll']}>
          <table className={styles['lines']}>
            <thead>
              <tr>
                <th scope="col">{t('stations.line_time')}</th>
                <th scope="col">{t('stations.line_type')}</th>
                <th scope="col" data-end>
                  {t('stations.line_change')}
                </th>
                <th scope="col" data-end>
                  {t('stations.line_balance')}
                </th>
              </tr>
            </thead>
            <tbody>
              {data.items.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
};
