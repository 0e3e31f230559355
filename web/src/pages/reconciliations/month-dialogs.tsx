import { useState } from 'react';
import { closePeriod, listReconciliations, reopenPeriod } from '@waystation/contract/reconciliation.ts';
import type { BookPeriod } from '@waystation/contract/reconciliation.ts';
import { errorWords, fieldWords } from '#app/api-error.ts';
import { call } from '#app/call.ts';
import { useFormat } from '#app/format.ts';
import { notify } from '#app/notify.tsx';
import { screenHref } from '#app/open-screen.ts';
import { refresh, useCall } from '#app/query.ts';
import { useUser } from '#app/session.ts';
import { useTexts } from '#app/texts.ts';
import { FormDialog } from '#ui/form-dialog.tsx';
import { Money } from '#ui/money.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/text-field.tsx';
import styles from './months.module.css';
import { billsShown, monthOf, openRowsOf, useBillWords } from './words.ts';

/** Each account's sum of the month; over all of them it is zero in books that hold. */
export const TrialBalance = ({ month }: { month: BookPeriod }) => {
  const { t } = useTexts();
  return (
    <table className={styles['trial']} aria-label={t('reconciliations.trial')}>
      <thead>
        <tr>
          <th scope="col">{t('reconciliations.account')}</th>
          <th scope="col" data-number>
            {t('reconciliations.amount')}
          </th>
        </tr>
      </thead>
      <tbody>
        {month.trial_balance.map(({ account, amount }) => (
          <tr key={account}>
            <th scope="row">{t(`statements.accounts.${account}`)}</th>
            <td data-number>
              <Money fen={amount} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('reconciliations.sum')}</th>
          <td data-number>
            <Money fen={month.sum} tone={month.sum === 0 ? 'good' : 'danger'} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
};

/** What keeps a month from being closed, each with the way to it. */
const Hindrances = ({ month, onLeave }: { month: BookPeriod; onLeave: () => void }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  const [thisMonth] = useState(() => monthOf(new Date()));
  const { data } = useCall(listReconciliations, { period: month.period, page_size: 100 }, { quiet: true, staleTime: 0 });
  const unread = data?.items.filter(({ status }) => status === 'reading' || status === 'mapping' || status === 'matching') ?? [];
  const undecided = data?.items.filter((bill) => bill.status === 'ready' && openRowsOf(bill) > 0) ?? [];
  return (
    <>
      {month.open_rows > 0 && <Notice tone="danger">{t('reconciliations.close_open', { count: format.number(month.open_rows) })}</Notice>}
      {unread.length > 0 && <Notice tone="danger">{t('reconciliations.close_unread')}</Notice>}
      {undecided.length + unread.length > 0 && (
        <ul className={styles['list']}>
          {[...undecided, ...unread].map((bill) => (
            <li key={bill.id}>
              <a href={screenHref('Reconciliations', { id: bill.id, decision: 'open' })} onClick={onLeave}>
                {bill.status === 'ready'
                  ? t('reconciliations.bill_door', { name: words.name(bill), count: format.number(openRowsOf(bill)) })
                  : `${words.name(bill)} · ${words.status(bill)}`}
              </a>
            </li>
          ))}
        </ul>
      )}
      {month.pending > 0 && (
        <Notice
          tone="warn"
          actions={
            <a href={screenHref('StatementTable', { status: 'pending' })} onClick={onLeave}>
              {t('reconciliations.see_pending')}
            </a>
          }
        >
          {t('reconciliations.close_pending', { count: format.number(month.pending) })}
        </Notice>
      )}
      {month.reconciliations === 0 && <Notice tone="warn">{t('reconciliations.close_no_bill', { month: month.period })}</Notice>}
      {month.period >= thisMonth && <Notice tone="warn">{t('reconciliations.close_early', { month: month.period })}</Notice>}
    </>
  );
};

interface Props {
  month: BookPeriod;
  onClose: () => void;
}

/** Locks a month: says what is locked, and what keeps it open. */
export const CloseMonth = ({ month, onClose }: Props) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await call(closePeriod, { period: month.period });
      notify.success(t('reconciliations.close_done', { month: month.period }));
      onClose();
    } catch (error) {
      setFailure(errorWords(error, language));
    } finally {
      setBusy(false);
      await refresh(...billsShown);
    }
  };
  return (
    <FormDialog
      open
      title={t('reconciliations.close_title', { month: month.period })}
      ok={t('reconciliations.close_do', { month: month.period })}
      busy={busy}
      blocked={month.open_rows > 0 || month.sum !== 0}
      failure={failure}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Hindrances month={month} onLeave={onClose} />
      <p>{t('reconciliations.close_locks', { entries: format.number(month.entries) })}</p>
      <TrialBalance month={month} />
    </FormDialog>
  );
};

/** Opens a closed month again, with the reason; whoever closed it cannot. */
export const ReopenMonth = ({ month, onClose }: Props) => {
  const { t, language } = useTexts();
  const { nickname, username } = useUser();
  const [reason, setReason] = useState('');
  const [wrong, setWrong] = useState<string | undefined>();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (): Promise<void> => {
    const length = [...reason.trim()].length;
    setWrong(length < 2 ? t('common.required') : length > 200 ? t('common.too_long', { max: 200 }) : undefined);
    setFailure(null);
    if (length < 2 || length > 200) return;
    setBusy(true);
    try {
      await call(reopenPeriod, { period: month.period, reason: reason.trim() });
      notify.success(t('reconciliations.reopen_done', { month: month.period }));
      onClose();
    } catch (error) {
      setWrong(fieldWords(error, language)['reason']);
      setFailure(errorWords(error, language));
    } finally {
      setBusy(false);
      await refresh(...billsShown);
    }
  };
  const own = month.closed_by_name !== null && [nickname, username].includes(month.closed_by_name);
  return (
    <FormDialog
      open
      title={t('reconciliations.reopen_title', { month: month.period })}
      ok={t('reconciliations.reopen')}
      danger
      busy={busy}
      failure={failure}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Notice tone={own ? 'warn' : 'info'}>
        {own ? t('reconciliations.reopen_self') : t('reconciliations.reopen_hint', { name: month.closed_by_name ?? '—' })}
      </Notice>
      <TextField
        label={t('reconciliations.reason')}
        name="reason"
        required
        autoFocus
        lines={2}
        max={200}
        value={reason}
        onChange={setReason}
        error={wrong}
        hint={t('reconciliations.reason_hint')}
      />
    </FormDialog>
  );
};
