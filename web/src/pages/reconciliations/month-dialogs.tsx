import {
  closePeriod,
  listPeriods,
  reopenPeriod,
} from '@waystation/contract/money/reconciliation.ts';
import type { BookPeriod } from '@waystation/contract/money/reconciliation.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { useCall } from '#base/query.ts';
import { useUser } from '#shell/session/session.ts';
import { useTexts } from '#base/texts.ts';
import { ReasonFormDialog, SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './months.module.css';
import { OpenBills } from './month-checklist.tsx';
import { MissingBills } from './missing-bills.tsx';
import { billsShown } from './words.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';

/**
 * The sum of the negative amounts (`sign` −1, debit) or of the positive amounts (`sign` 1, credit).
 */
const sideOf = (amounts: readonly number[], sign: 1 | -1): number =>
  amounts.reduce((sum, amount) => sum + Math.max(0, amount * sign), 0);

/**
 * The monthly sum of each ledger account, as debit or credit. If the ledger is correct, the total
 * debit equals the total credit.
 */
export const TrialBalance = ({ month }: { month: BookPeriod }) => {
  const { t } = useTexts();
  const amounts = month.trial_balance.map(({ amount }) => amount);
  const tone = month.sum === 0 ? 'good' : 'danger';
  return (
    <table
      className={`${primitives['table']} ${styles['trial']}`}
      aria-label={t('reconciliations.trial')}
    >
      <thead>
        <tr>
          <th scope="col">{t('reconciliations.account')}</th>
          <th scope="col" data-number>
            {t('statements.debit')}
          </th>
          <th scope="col" data-number>
            {t('statements.credit')}
          </th>
        </tr>
      </thead>
      <tbody>
        {month.trial_balance.map(({ account, amount }) => (
          <tr key={account}>
            <th scope="row">{t(`statements.accounts.${account}`)}</th>
            <td data-number>{amount < 0 ? <Money fen={-amount} /> : ''}</td>
            <td data-number>{amount >= 0 ? <Money fen={amount} /> : ''}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('reconciliations.sum')}</th>
          <td data-number>
            <Money fen={sideOf(amounts, -1)} tone={tone} />
          </td>
          <td data-number>
            <Money fen={sideOf(amounts, 1)} tone={tone} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
};

/**
 * The reasons why a month cannot be closed. Each reason has a link to the page where it can be
 * resolved.
 */
const Hindrances = ({ month, onLeave }: { month: BookPeriod; onLeave: () => void }) => {
  const { t } = useTexts();
  const format = useFormat();
  const unread = month.open_bills.filter(({ status }) => status !== 'ready').length;
  return (
    <>
      {month.ended === 0 && (
        <Notice tone="danger">{t('reconciliations.close_early', { month: month.period })}</Notice>
      )}
      {month.earlier_open !== null && (
        <Notice tone="danger">
          {t('reconciliations.close_earlier', { month: month.earlier_open })}
        </Notice>
      )}
      {month.open_rows > 0 && (
        <Notice tone="danger">
          {t('reconciliations.close_open', { count: format.number(month.open_rows) })}
        </Notice>
      )}
      {unread > 0 && <Notice tone="danger">{t('reconciliations.close_unread')}</Notice>}
      <OpenBills bills={month.open_bills} onLeave={onLeave} />
      <MissingBills month={month} />
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
    </>
  );
};

interface Props {
  month: BookPeriod;
  onClose: () => void;
}

const isBlocked = ({ ended, earlier_open, open_bills, sum, missing_bills }: BookPeriod): boolean =>
  ended === 0 ||
  earlier_open !== null ||
  open_bills.length > 0 ||
  sum !== 0 ||
  missing_bills.some(({ reason }) => reason === null);

/**
 * The dialog that closes a month. It shows the rows that will be locked and the reasons why the
 * month cannot be closed.
 */
export const CloseMonth = ({ month: opened, onClose }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const { data: books } = useCall(listPeriods, {}, { quiet: true });
  const month = books?.items.find(({ period }) => period === opened.period) ?? opened;
  const sending = useSubmit({
    send: async () => {
      await call(closePeriod, { period: month.period });
      return t('reconciliations.close_done', { month: month.period });
    },
    refreshes: billsShown,
    refreshOnFailure: true,
    onDone: onClose,
  });
  return (
    <SubmitDialog
      title={t('reconciliations.close_title', { month: month.period })}
      ok={t('reconciliations.close_do', { month: month.period })}
      blocked={isBlocked(month)}
      sending={sending}
      onClose={onClose}
    >
      <Hindrances month={month} onLeave={onClose} />
      <p>{t('reconciliations.close_locks', { entries: format.number(month.entries) })}</p>
      <TrialBalance month={month} />
    </SubmitDialog>
  );
};

/**
 * The dialog that reopens a closed month and requires a reason. A user cannot reopen a month that
 * this user has closed.
 */
export const ReopenMonth = ({ month, onClose }: Props) => {
  const { t } = useTexts();
  const { nickname, username } = useUser();
  const own = month.closed_by_name !== null && [nickname, username].includes(month.closed_by_name);
  return (
    <ReasonFormDialog
      title={t('reconciliations.reopen_title', { month: month.period })}
      ok={t('reconciliations.reopen')}
      danger
      send={async (reason) => {
        await call(reopenPeriod, { period: month.period, reason });
        return t('reconciliations.reopen_done', { month: month.period });
      }}
      refreshes={billsShown}
      refreshOnFailure
      field={{ hint: t('reconciliations.reason_hint') }}
      above={
        <Notice tone={own ? 'warn' : 'info'}>
          {own
            ? t('reconciliations.reopen_self')
            : t('reconciliations.reopen_hint', { name: month.closed_by_name ?? '—' })}
        </Notice>
      }
      onClose={onClose}
    />
  );
};
