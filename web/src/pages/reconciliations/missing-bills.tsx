import { useState } from 'react';
import { explainMissingBill } from '@waystation/contract/money/reconciliation.ts';
import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './months.module.css';
import { billsShown, useBillWords } from './words.ts';
import { reasonLength } from '@waystation/contract/base/limits.ts';
import { reasonProblem } from '#resource/form/reason-field.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';

type Account = BookPeriod['missing_bills'][number];

/** The reason why an account has no bill. If no reason is stored, shows a field to enter it. */
const Reason = ({
  period,
  account,
  locked,
}: {
  period: string;
  account: Account;
  locked: boolean;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const [editing, setEditing] = useState(false);
  const [reason, setReason] = useState(account.reason ?? '');
  const sending = useSubmit({
    send: async () => {
      await call(explainMissingBill, {
        period,
        merchant_id: account.merchant_id,
        reason: reason.trim(),
      });
      setEditing(false);
      return null;
    },
    refreshes: billsShown,
    refreshOnFailure: true,
  });
  if (account.reason !== null && !editing)
    return (
      <p>
        {account.reason}{' '}
        <span className={primitives['quiet']}>
          {t('reconciliations.closed_by', {
            name: account.by_name ?? '',
            time: format.time(account.at!),
          })}
        </span>{' '}
        {!locked && (
          <Button type="link" size="small" onClick={() => setEditing(true)}>
            {t('reconciliations.missing_change')}
          </Button>
        )}
      </p>
    );
  return (
    <div className={styles['explain']}>
      <TextField
        label={t('reconciliations.missing_reason')}
        name={`reason-${account.merchant_id}`}
        max={reasonLength.max}
        value={reason}
        onChange={setReason}
        error={sending.errors['reason'] ?? sending.failure ?? undefined}
      />
      <Button
        loading={sending.busy}
        onClick={() => void sending.submit({ reason: reasonProblem(reason, t) })}
      >
        {t('reconciliations.missing_save')}
      </Button>
    </div>
  );
};

/**
 * The carrier accounts that picked up parcels in the month but have no bill for it, each with its
 * reason. Shows nothing if there is no such account.
 */
export const MissingBills = ({ month }: { month: BookPeriod }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  const closed = month.status === 'closed';
  const unexplained = month.missing_bills.filter(({ reason }) => reason === null).length;
  if (month.missing_bills.length === 0) return null;
  return (
    <>
      {unexplained > 0 && (
        <Notice tone="danger">
          {t('reconciliations.missing_bills', {
            count: format.number(unexplained),
            month: month.period,
          })}
        </Notice>
      )}
      <ul className={styles['missing']} aria-label={t('reconciliations.missing_title')}>
        {month.missing_bills.map((account) => (
          <li key={account.merchant_id}>
            <strong>{account.name}</strong>{' '}
            <span className={primitives['quiet']}>
              {words.carrier(account.provider)} · {account.customer_code} ·{' '}
              {t('reconciliations.missing_parcels', { count: format.number(account.parcels) })}
            </span>
            <Reason period={month.period} account={account} locked={closed} />
          </li>
        ))}
      </ul>
    </>
  );
};
