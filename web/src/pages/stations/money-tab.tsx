import { useState } from 'react';
import {
  listStatements,
  statementStatuses,
  statementTypes,
} from '@waystation/contract/money/statement.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useFormat } from '#base/format.ts';
import { openScreen, screenHref } from '#shell/tabs/open-screen.ts';
import { useCall } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { BlockedNotice } from '#money/blocked-notice.tsx';
import { AdjustDialog, WithdrawDialog } from '#money/money-dialogs.tsx';
import { TopUpRequestDialog } from '#money/top-up-request-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { signedYuan } from '#ui/values/amounts.ts';
import { today } from '#ui/fields/days.ts';
import { Money } from '#ui/values/money.tsx';
import { Term } from '#ui/term.tsx';
import { Waybill } from '#ui/values/waybill.tsx';
import primitives from '#ui/primitives.module.css';
import type { Authority } from './authority.ts';
import styles from './stations.module.css';

/**
 * The four amounts of a station's money, including the available balance that follows from the
 * others.
 */
export const Balance = ({ station }: { station: Station }) => {
  const { t } = useTexts();
  const figures = [
    {
      key: 'money',
      label: t('stations.money'),
      sentence: t('stations.term.money'),
      fen: station.money,
    },
    {
      key: 'freeze',
      label: t('stations.freeze'),
      sentence: t('stations.term.freeze'),
      fen: station.freeze,
    },
    {
      key: 'fixed_freeze',
      label: t('stations.fixed_freeze'),
      sentence: t('stations.term.reserve'),
      fen: station.fixed_freeze,
    },
  ];
  return (
    <>
      <dl className={styles['balance']}>
        {figures.map(({ key, label, sentence, fen }) => (
          <div key={key}>
            <dt>
              <Term word={label} sentence={sentence} />
            </dt>
            <dd>
              <Money fen={fen} />
            </dd>
          </div>
        ))}
        <div data-sum>
          <dt>
            <Term word={t('stations.available')} sentence={t('stations.term.available')} />
          </dt>
          <dd>
            <Money
              fen={station.available}
              {...(station.available < 0 && { tone: 'danger' as const })}
            />
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
        <span className={styles['what']}>
          <a href={screenHref('StatementTable', { id: String(line.id) })}>
            {wordOf(statementTypes, line.type, language)}
          </a>
          {line.status !== 'posted' && (
            <span>{wordOf(statementStatuses, line.status, language)}</span>
          )}
          {line.delivery_id !== null && <Waybill number={line.delivery_id} />}
        </span>
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

/**
 * The requests that wait for an administrator: all withdrawals, and the adjustments above the
 * limit.
 */
const Requests = ({ station, decides }: { station: Station; decides: boolean }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { data } = useCall(
    listStatements,
    { station_id: station.id, status: 'pending', page_size: 20 },
    { quiet: true, staleTime: 0 },
  );
  if (!data || data.items.length === 0) return null;
  const href = screenHref('StatementTable', { station_id: String(station.id), status: 'pending' });
  return (
    <>
      <div className={`${primitives['row']} ${styles['heading']}`}>
        <h3>{t('stations.requests')}</h3>
        {decides && <a href={href}>{t('stations.decide')}</a>}
      </div>
      <ul className={`${primitives['list']} ${styles['requests']}`}>
        {data.items.map(({ id, type, amount, description, created_at }) => (
          <li key={id}>
            <span>
              {wordOf(statementTypes, type, language)} <Money fen={amount} signed />
            </span>
            <span className={styles['detail']}>
              {[t('stations.request_submitted', { time: format.time(created_at) }), description]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
};

interface Props {
  station: Station;
  /** The rights that the user has on this station. */
  authority: Authority;
  topUp: (() => void) | null;
}

/**
 * The buttons for the money of the station that the user's role permits. Administrators top up and
 * adjust; the station's users request a withdrawal.
 */
const Doings = ({ station, authority, topUp }: Props) => {
  const { t } = useTexts();
  const { role } = useUser();
  const [dialog, setDialog] = useState<'adjust' | 'withdraw' | 'top_up' | null>(null);
  const close = (): void => setDialog(null);
  const own = authority === 'own' && (role === 'station' || role === 'partner');
  return (
    <div className={primitives['buttons']}>
      {topUp && (
        <Button size="small" type="primary" onClick={topUp}>
          {t('stations.top_up')}
        </Button>
      )}
      {authority === 'office' && (
        <Button size="small" onClick={() => setDialog('adjust')}>
          {t('stations.adjust')}
        </Button>
      )}
      {own && (
        <Button size="small" type="primary" onClick={() => setDialog('top_up')}>
          {t('statements.request_top_up')}
        </Button>
      )}
      {own && (
        <Button size="small" onClick={() => setDialog('withdraw')}>
          {t('stations.withdraw')}
        </Button>
      )}
      <Button
        size="small"
        onClick={() =>
          openScreen('StatementTable', {
            station_id: String(station.id),
            period: today(Date.now()).slice(0, 7),
          })
        }
      >
        {t('stations.statement')}
      </Button>
      {dialog === 'adjust' && (
        <AdjustDialog of={{ id: station.id, name: station.name }} onClose={close} />
      )}
      {dialog === 'top_up' && <TopUpRequestDialog onClose={close} />}
      {dialog === 'withdraw' && <WithdrawDialog onClose={close} />}
    </div>
  );
};

/** The station's balances and its latest transactions. */
export const MoneyTab = ({ station, authority, topUp }: Props) => {
  const { t } = useTexts();
  const { data, error, refetch } = useCall(
    listStatements,
    { station_id: station.id, page_size: 20 },
    { quiet: true, staleTime: 0 },
  );
  // Requests are shown in a separate list further up, so this list excludes them.
  const lines = data?.items.filter(({ status }) => status !== 'pending');
  return (
    <>
      {station.blocked === 1 && (
        <div className={styles['warned']}>
          <BlockedNotice station={station} />
        </div>
      )}
      <Balance station={station} />
      <Doings station={station} authority={authority} topUp={topUp} />
      <Requests station={station} decides={authority === 'office'} />
      <div className={`${primitives['row']} ${styles['heading']}`}>
        <h3>{t('stations.latest')}</h3>
        <a href={screenHref('StatementTable', { station_id: String(station.id) })}>
          {t('stations.all_lines')}
        </a>
      </div>
      {error && !data && <ErrorPanel error={error} onRetry={refetch} />}
      {lines?.length === 0 && <p className={styles['note']}>{t('stations.no_lines')}</p>}
      {lines && lines.length > 0 && (
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
              {lines.map((line) => (
                <Line key={line.id} line={line} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
};
