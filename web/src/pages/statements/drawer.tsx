import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons-svg';
import type { ReactNode } from 'react';
import { statementJournal, topUpReference } from '@waystation/contract/money/statement.ts';
import type { Journal, Statement } from '@waystation/contract/money/statement.ts';
import { useFormat } from '#base/format.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import type { List } from '#resource/list/use-list.ts';
import { RecordDrawer } from '#resource/record/record-drawer.tsx';
import { Button } from '#ui/button.tsx';
import { visibleActions } from '#ui/overlay/row-action.ts';
import type { RowAction } from '#ui/overlay/row-action.ts';
import { Empty } from '#ui/empty.tsx';
import { Facts } from '#ui/facts.tsx';
import { Icon } from '#ui/icon.tsx';
import { Money } from '#ui/values/money.tsx';
import primitives from '#ui/primitives.module.css';
import { CodeText } from '#ui/values/code-text.tsx';
import { ParcelLink } from './columns.tsx';
import styles from './statements.module.css';
import { WhyTab } from './why-tab.tsx';
import { lineName, useLineWords } from './words.ts';

const Overview = ({ line }: { line: Statement }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useLineWords();
  const money = (key: string, label: string, fen: number | null, signed = false) => ({
    key,
    label,
    value: <Money fen={fen} signed={signed} />,
  });
  return (
    <Facts
      facts={[
        { key: 'type', label: t('statements.type'), value: words.type(line) },
        {
          key: 'status',
          fields: ['status', 'first_approved'],
          label: t('statements.status'),
          value: line.first_approved === 1 ? t('statements.first_approved') : words.status(line),
        },
        {
          key: 'station',
          fields: ['station_id', 'station_name'],
          label: t('common.station'),
          value: `${line.station_name} (${line.station_id})`,
        },
        {
          key: 'seq',
          label: t('statements.no'),
          value: line.seq === null ? '' : format.number(line.seq),
        },
        {
          key: 'waybill',
          fields: ['delivery_id', 'express_id'],
          label: t('statements.waybill'),
          // Empty for a transaction without a parcel.
          value:
            line.delivery_id === null && line.express_id === null ? '' : <ParcelLink row={line} />,
        },
        { key: 'period', label: t('statements.period'), value: line.period ?? '' },
        money('amount', t('statements.change'), line.amount, true),
        money('freeze_amount', t('statements.frozen_change'), line.freeze_amount, true),
        money('pre_amount', t('statements.pre'), line.pre_amount),
        { key: 'discount', label: t('statements.discount'), value: words.discount(line.discount) },
        money('discount_amount', t('statements.discount_amount'), line.discount_amount),
        money('guarantee_amount', t('statements.guarantee_amount'), line.guarantee_amount),
        money('post_amount', t('statements.post'), line.post_amount),
        money('profit', t('statements.profit'), line.profit),
        money('balance', t('statements.balance'), line.balance),
        money('available', t('statements.available'), line.available),
        {
          key: 'posted_at',
          label: t('statements.time'),
          value: line.posted_at === null ? '' : format.moment(line.posted_at),
        },
        { key: 'created_at', label: t('lists.created'), value: format.moment(line.created_at) },
        { key: 'updated_at', label: t('lists.updated'), value: format.moment(line.updated_at) },
        { key: 'id', label: 'ID', value: line.id },
        {
          key: 'account_nickname',
          fields: ['account_nickname', 'account_id'],
          label: t('statements.asked_by'),
          value: line.account_nickname ?? '',
        },
        {
          key: 'decided_nickname',
          label: t('statements.decided_by'),
          value: line.decided_nickname ?? '',
        },
        ...(line.type === 'top_up'
          ? [
              {
                key: 'reference',
                label: t('statements.reference'),
                value: <CodeText code={topUpReference(line.id)} />,
              },
            ]
          : []),
        {
          key: 'description',
          label: t('statements.description'),
          value: line.description,
          wide: true,
        },
        {
          key: 'decision_reason',
          label: t('statements.decision_reason'),
          value: line.decision_reason,
          wide: true,
        },
      ]}
    />
  );
};

const Verdict = ({ holds, children }: { holds: 0 | 1; children: ReactNode }) => {
  const { t } = useTexts();
  return (
    <p className={styles['verdict']} data-holds={holds}>
      {holds === 1 ? <Icon of={CheckCircleFilled} /> : <Icon of={CloseCircleFilled} />} {children}:{' '}
      {holds === 1 ? t('statements.holds') : t('statements.broken')}
    </p>
  );
};

/**
 * The debit and credit entries of the transaction. Also shows whether they are unchanged since they
 * were posted.
 */
const JournalTab = ({ transfer }: { transfer: Journal['transfer'] }) => {
  const { t } = useTexts();
  if (!transfer) return <Empty title={t('statements.none_posted')} />;
  const side = (sign: 1 | -1) =>
    transfer.entries.reduce((sum, { amount }) => sum + Math.max(0, amount * sign), 0);
  return (
    <>
      <table className={`${primitives['table']} ${styles['journal']}`}>
        <thead>
          <tr>
            <th scope="col">{t('statements.account')}</th>
            <th scope="col" data-number>
              {t('statements.debit')}
            </th>
            <th scope="col" data-number>
              {t('statements.credit')}
            </th>
            <th scope="col" data-number>
              {t('statements.balance')}
            </th>
          </tr>
        </thead>
        <tbody>
          {transfer.entries.map(({ account, station_name, amount, balance }) => (
            <tr key={`${account} ${station_name} ${amount}`}>
              <td>
                {t(`statements.accounts.${account}`)}
                {station_name !== null && <span className={styles['quiet']}> {station_name}</span>}
              </td>
              <td data-number>{amount < 0 ? <Money fen={-amount} /> : ''}</td>
              <td data-number>{amount >= 0 ? <Money fen={amount} /> : ''}</td>
              <td data-number>
                <Money fen={balance} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('statements.sum')}</th>
            <td data-number>
              <Money fen={side(-1)} />
            </td>
            <td data-number>
              <Money fen={side(1)} />
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
      <Verdict holds={transfer.hash_holds}>{t('statements.hash')}</Verdict>
      <p className={styles['hash']}>
        <CodeText code={transfer.hash}>
          <code>{transfer.hash}</code>
        </CodeText>
      </p>
      {transfer.chain && (
        <>
          <Verdict holds={transfer.chain.holds}>
            {t('statements.chain', { seq: transfer.chain.seq })}
          </Verdict>
          <p className={styles['hash']}>
            <code>{transfer.chain.hash}</code>
          </p>
        </>
      )}
    </>
  );
};

/**
 * The drawer of a transaction: its fields, its ledger entries, and whether the transaction is
 * unchanged since it was posted.
 */
export const StatementDrawer = ({
  list,
  actions,
}: {
  list: List<Statement>;
  actions: readonly RowAction<Statement>[];
}) => {
  const { t } = useTexts();
  const words = useLineWords();
  const { opened } = list;
  const { data, error, refetch } = useCall(
    statementJournal,
    opened === null ? null : { id: opened },
    { quiet: true, keep: true, staleTime: 0 },
  );
  const posted = data?.line.id === opened ? data : undefined;
  const line = posted?.line ?? list.openedRow;
  return (
    <RecordDrawer
      list={list}
      title={line ? lineName(line, words.type(line)) : t('shell.loading')}
      reading={{
        ready: posted !== undefined || (line !== undefined && error !== null),
        error,
        retry: refetch,
      }}
      tabs={[
        {
          key: 'overview',
          label: t('statements.overview'),
          content: line && <Overview line={line} />,
        },
        // The tabs of the previous transaction stay until those of this transaction are known, so
        // that no tab moves in the meantime.
        ...(data?.pricing
          ? [
              {
                key: 'why',
                label: t('statements.why_tab'),
                content: posted?.pricing && <WhyTab line={posted.line} pricing={posted.pricing} />,
              },
            ]
          : []),
        ...(data
          ? [
              {
                key: 'journal',
                label: t('statements.journal'),
                content: posted && <JournalTab transfer={posted.transfer} />,
              },
            ]
          : []),
      ]}
      actions={
        line && (
          <>
            {line.express_id !== null && line.post_amount !== null && (
              <Button
                onClick={() => openScreen('ExpressTable', { id: line.express_id!, view: 'price' })}
              >
                {t('statements.why')}
              </Button>
            )}
            {visibleActions(
              actions.filter(({ key }) => key !== 'why'),
              line,
            ).map((action) => (
              <Button
                key={action.key}
                danger={action.danger ?? false}
                onClick={() => action.run(line)}
              >
                {action.label}
              </Button>
            ))}
          </>
        )
      }
    />
  );
};
