import { useState } from 'react';
import type { ReactNode } from 'react';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { expressStatements } from '@waystation/contract/parcels/express-calls.ts';
import { statementStatuses, statementTypes } from '@waystation/contract/money/statement.ts';
import type { StatementStatus, StatementType } from '@waystation/contract/money/statement.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { useFormat } from '#base/format.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { yuan } from '#ui/values/amounts.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import { Waiting } from '#ui/waiting.tsx';
import { GiveDialog, leftOf } from './give-dialog.tsx';
import type { Give, Left } from './give-dialog.tsx';
import styles from './parcel-drawer.module.css';

type Line = OutputOf<typeof expressStatements>['items'][number];
const priced = new Set(['charge', 'reweigh', 'surcharge']);

/**
 * Shows the sum that the parcel's station was charged, next to the parcel's price. The sum and the
 * price must be equal.
 */
const Charged = ({ parcel, lines }: { parcel: Express; lines: readonly Line[] }) => {
  const { t } = useTexts();
  const own = lines.filter((line) => line.station_id === parcel.station_id && line.seq !== null);
  const sum = (of: readonly Line[], key: 'amount' | 'freeze_amount'): number =>
    of.reduce((total, line) => total + line[key], 0);
  const charged = -sum(
    own.filter(({ type }) => priced.has(type)),
    'amount',
  );
  const frozen = sum(own, 'freeze_amount');
  const repaid = sum(
    own.filter(({ type }) => !priced.has(type)),
    'amount',
  );
  const reversed = own.some(({ type }) => type === 'reversal');
  const words = [
    !own.some(({ type }) => priced.has(type))
      ? t('expresses.money.held', { amount: yuan(frozen), price: yuan(parcel.post_amount) })
      : t(
          charged === parcel.post_amount
            ? 'expresses.money.charged_equal'
            : 'expresses.money.charged',
          {
            amount: yuan(charged),
            price: yuan(parcel.post_amount),
          },
        ),
    repaid !== 0 &&
      t(reversed ? 'expresses.money.reversed' : 'expresses.money.repaid', { amount: yuan(repaid) }),
  ];
  return <p className={styles['comes']}>{words.filter(Boolean).join(' ')}</p>;
};

/**
 * The amounts that may still be refunded or paid out for the parcel, each with its button. If
 * nothing is left, the reason is shown.
 */
const Giving = ({ parcel, left }: { parcel: Express; left: Left }) => {
  const { t } = useTexts();
  const [open, setOpen] = useState<Give | null>(null);
  return (
    <div className={styles['giving']}>
      {(['refund', 'payout'] as const).map((what) => {
        const most = leftOf(what, left);
        const none =
          what === 'payout' && left.payout_limit_amount === 0
            ? 'payout_not_yet'
            : (`${what}_none` as const);
        return (
          <p key={what}>
            <Button disabled={most === 0} onClick={() => setOpen(what)}>
              {t(`parcel.give.${what}`)}
            </Button>
            <span className={styles['quiet']}>
              {most === 0
                ? t(`parcel.give.${none}`)
                : t(`parcel.give.${what}_most`, {
                    amount: yuan(most),
                    limit: yuan(left.payout_limit_amount),
                  })}
            </span>
          </p>
        );
      })}
      {open && <GiveDialog what={open} parcel={parcel} left={left} onClose={() => setOpen(null)} />}
    </div>
  );
};

/** Two values in one cell. They are side by side, or one under the other on a narrow screen. */
const Two = ({ narrow, first, second }: { narrow: boolean; first: ReactNode; second: ReactNode }) =>
  narrow ? (
    <td data-number>
      {first}
      <br />
      <span className={styles['quiet']}>{second}</span>
    </td>
  ) : (
    <>
      <td data-number>{first}</td>
      <td data-number>{second}</td>
    </>
  );

const Heads = ({ narrow, first, second }: { narrow: boolean; first: string; second: string }) =>
  narrow ? (
    <th scope="col" data-number>
      {first}
      <br />
      {second}
    </th>
  ) : (
    [first, second].map((words) => (
      <th key={words} scope="col" data-number>
        {words}
      </th>
    ))
  );

const LineRow = ({ line, several, narrow }: { line: Line; several: boolean; narrow: boolean }) => {
  const { language } = useTexts();
  const format = useFormat();
  return (
    <tr>
      <td>
        <time className="tabular" dateTime={line.created_at} title={format.moment(line.created_at)}>
          {format.time(line.created_at)}
        </time>
      </td>
      <td title={line.description || undefined} data-wraps>
        <a
          href={screenHref('StatementTable', {
            id: String(line.id),
            ...(priced.has(line.type) && { view: 'why' }),
          })}
        >
          {statementTypes[line.type as StatementType]?.[language] ?? line.type}
        </a>
        {line.status !== 'posted' && (
          <span className={styles['quiet']}>
            {' '}
            {statementStatuses[line.status as StatementStatus]?.[language] ?? line.status}
          </span>
        )}
        {several && narrow && (
          <>
            <br />
            <span className={styles['quiet']}>{line.station_name}</span>
          </>
        )}
      </td>
      {several && !narrow && <td>{line.station_name}</td>}
      <Two
        narrow={narrow}
        // A hold or a release changes only the held amount, not the balance.
        first={
          <Money fen={line.amount === 0 && line.freeze_amount !== 0 ? null : line.amount} signed />
        }
        second={<Money fen={line.freeze_amount} signed />}
      />
      <Two
        narrow={narrow}
        first={<Money fen={line.balance} />}
        second={<Money fen={line.available} />}
      />
    </tr>
  );
};

const Lines = ({ lines }: { lines: readonly Line[] }) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const several = new Set(lines.map((line) => line.station_name)).size > 1;
  return (
    <div
      className={styles['scroll']}
      tabIndex={0}
      role="region"
      aria-label={t('expresses.tab.money')}
    >
      <table
        className={`${primitives['table']} ${styles['table']}`}
        data-narrow={narrow || undefined}
      >
        <thead>
          <tr>
            <th scope="col">{t('expresses.money.time')}</th>
            <th scope="col">{t('expresses.money.type')}</th>
            {several && !narrow && <th scope="col">{t('common.station')}</th>}
            <Heads
              narrow={narrow}
              first={t('expresses.money.amount')}
              second={t('expresses.money.frozen')}
            />
            <Heads
              narrow={narrow}
              first={t('expresses.money.balance')}
              second={t('expresses.money.available')}
            />
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <LineRow key={line.id} line={line} several={several} narrow={narrow} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** The transactions of this parcel, in the order in which they were posted. */
export const MoneyTab = ({ parcel }: { parcel: Express }) => {
  const { t } = useTexts();
  const { data, error, refetch } = useCall(
    expressStatements,
    { id: parcel.id },
    { quiet: true, keep: true },
  );
  if (!data) return error ? <ErrorPanel error={error} onRetry={refetch} /> : <Waiting />;
  if (data.items.length === 0)
    return <Empty title={t('expresses.no_statements')} hint={t('expresses.no_statements_hint')} />;
  return (
    <>
      <Charged parcel={parcel} lines={data.items} />
      {data.left && <Giving parcel={parcel} left={data.left} />}
      {data.items.some(({ status }) => status === 'pending') && (
        <Notice tone="info">{t('parcel.give.pending')}</Notice>
      )}
      <Lines lines={data.items} />
    </>
  );
};
