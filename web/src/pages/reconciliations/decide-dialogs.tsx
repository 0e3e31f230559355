import { useEffect, useState } from 'react';
import { acceptBillRows, disputeBillRows } from '@waystation/contract/money/reconciliation.ts';
import type { BillRow } from '@waystation/contract/money/reconciliation.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { notify } from '#ui/overlay/notify.tsx';
import { useTexts } from '#base/texts.ts';
import { signedYuan, yuan } from '#ui/values/amounts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { FirstRows } from '#ui/first-rows.tsx';
import { Money } from '#ui/values/money.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import primitives from '#ui/primitives.module.css';
import { noteLength } from '@waystation/contract/base/limits.ts';
import { ReasonField, lengthProblem, reasonProblem } from '#resource/form/reason-field.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { billsShown } from './words.ts';
import months from './months.module.css';
import { acceptable, disputable, previewOf, skippedOf } from './preview.ts';
import type { Preview } from './preview.ts';
import styles from './reconciliations.module.css';
import { waybillGroups } from '#ui/values/grouped.ts';
import { useLineName } from './line-columns.tsx';
import { allLines } from './use-decisions.ts';
import type { Which } from './use-decisions.ts';
import { useBillWords } from './words.ts';

interface Props {
  bill: number;
  which: Which;
  /** Called with the id of the job after the job was started. */
  onStarted: (job: number) => void;
  onClose: () => void;
}

/**
 * The lines that the decision applies to: the selected lines, or the lines that match the filter.
 * Null while they are loading.
 */
const useLines = (
  bill: number,
  which: Which,
  onFailed: () => void,
): { rows: readonly BillRow[] | null; read: number } => {
  const [rows, setRows] = useState<readonly BillRow[] | null>('rows' in which ? which.rows : null);
  const [read, setRead] = useState(0);
  useEffect(() => {
    if ('rows' in which) return;
    const stop = new AbortController();
    void allLines(bill, which.filter, setRead, stop.signal).then(setRows, (error: unknown) => {
      if (stop.signal.aborted) return;
      notify.failure(error);
      onFailed();
    });
    return () => stop.abort();
    // The dialog keeps the lines for which it was opened, although the selection may change.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return { rows, read };
};

/**
 * The input for the lines of a decision. It contains their ids, or the filter with the expected
 * number of lines.
 */
const rowsInput = (which: Which, rows: readonly BillRow[], wanted: (row: BillRow) => boolean) =>
  'rows' in which
    ? { ids: rows.filter(wanted).map(({ id }) => id) }
    : { filter: which.filter, expected: rows.length };

const PreviewTable = ({ preview }: { preview: Preview }) => {
  const { t } = useTexts();
  const format = useFormat();
  const words = useBillWords();
  const { buckets } = preview;
  const amounts = ({ count, more, less, cost }: Preview | Preview['buckets'][number]) => (
    <>
      <td data-number>{format.number(count)}</td>
      <td data-number>{more === 0 && less === 0 ? '—' : <Money fen={more - less} signed />}</td>
      <td data-number>{cost === 0 ? '—' : <Money fen={cost} signed />}</td>
    </>
  );
  return (
    <table className={`${primitives['table']} ${months['trial']}`}>
      <thead>
        <tr>
          <th scope="col">{t('reconciliations.bucket')}</th>
          <th scope="col" data-number>
            {t('reconciliations.accept_lines')}
          </th>
          <th scope="col" data-number>
            {t('reconciliations.accept_pays')}
          </th>
          <th scope="col" data-number>
            {t('reconciliations.accept_costs')}
          </th>
        </tr>
      </thead>
      <tbody>
        {buckets.map((each) => (
          <tr key={each.bucket}>
            <th scope="row">{words.bucket(each.bucket)}</th>
            {amounts(each)}
          </tr>
        ))}
      </tbody>
      {buckets.length > 1 && (
        <tfoot>
          <tr>
            <th scope="row">{t('reconciliations.sum')}</th>
            {amounts(preview)}
          </tr>
        </tfoot>
      )}
    </table>
  );
};

/** Shows the number of selected lines that are skipped, per reason. */
const Skipped = ({
  rows,
  taken,
}: {
  rows: readonly BillRow[];
  taken: (row: BillRow) => boolean;
}) => {
  const { t } = useTexts();
  const format = useFormat();
  const groups = skippedOf(rows, taken);
  if (groups.length === 0) return null;
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <div role="status">
      {t('reconciliations.skipped', { count: format.number(total) })}
      <ul className={styles['skipped']}>
        {groups.map(({ reason, count }) => (
          <li key={reason}>
            {t(`reconciliations.skip.${reason}`, { count: format.number(count) })}
          </li>
        ))}
      </ul>
    </div>
  );
};

/** The names of the first five lines to which the decision applies. */
const First = ({ rows }: { rows: readonly BillRow[] }) => {
  const nameOf = useLineName();
  const names = rows.slice(0, 5).map((row) => {
    const delivery_id = row.delivery_id && waybillGroups(row.delivery_id).join(' ');
    return nameOf({ ...row, delivery_id });
  });
  return <FirstRows names={names} count={rows.length} />;
};

/**
 * The dialog that accepts the lines. It previews the effect on the stations and on the platform.
 */
export const AcceptDialog = ({ bill, which, onStarted, onClose }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const { rows, read } = useLines(bill, which, onClose);
  const [reason, setReason] = useState('');
  const sending = useSubmit({
    send: async () => {
      const { job_id } = await call(acceptBillRows, {
        id: bill,
        ...rowsInput(which, rows!, acceptable),
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      });
      onStarted(job_id);
      return null;
    },
    refreshes: billsShown,
    refreshOnFailure: true,
    onDone: onClose,
  });
  const preview = rows && previewOf(rows);
  const count = format.number(preview?.count ?? 0);
  return (
    <SubmitDialog
      title={
        preview && preview.count > 0
          ? t('reconciliations.accept_title', { count })
          : t('reconciliations.accept')
      }
      ok={
        preview && preview.count > 0
          ? t('reconciliations.accept_do', { count })
          : t('reconciliations.accept')
      }
      width={520}
      blocked={preview === null || preview.count === 0}
      sending={sending}
      check={() => ({ reason: lengthProblem(reason, noteLength, t) })}
      onClose={onClose}
    >
      {preview === null ? (
        <p role="status" className={styles['quiet']}>
          {t('reconciliations.accept_counting', { done: format.number(read) })}
        </p>
      ) : preview.count === 0 ? (
        <>
          <Notice tone="info">{t('reconciliations.accept_nothing')}</Notice>
          <Skipped rows={rows ?? []} taken={acceptable} />
        </>
      ) : (
        <>
          <First rows={(rows ?? []).filter(acceptable)} />
          <PreviewTable preview={preview} />
          <p>
            {t('reconciliations.accept_stations', {
              more: yuan(preview.more),
              less: yuan(preview.less),
              stations: format.number(preview.stations),
            })}
            <br />
            {t('reconciliations.accept_cost', { amount: signedYuan(preview.cost) })}
          </p>
          <Skipped rows={rows ?? []} taken={acceptable} />
          <TextField
            label={t('reconciliations.accept_reason')}
            name="reason"
            autoFocus
            max={noteLength}
            value={reason}
            onChange={setReason}
            error={sending.errors['reason']}
          />
        </>
      )}
    </SubmitDialog>
  );
};

/**
 * The reason of the last dispute. It is suggested again, because a carrier often repeats the same
 * error.
 */
let lastReason = '';

/**
 * The dialog that disputes the lines. It disputes only the undecided ones, with the same reason for
 * all of them.
 */
export const DisputeDialog = ({ bill, which, onStarted, onClose }: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  const { rows, read } = useLines(bill, which, onClose);
  const [reason, setReason] = useState(lastReason);
  const sending = useSubmit({
    send: async () => {
      const { job_id } = await call(disputeBillRows, {
        id: bill,
        ...rowsInput(which, rows!, disputable),
        reason: reason.trim(),
      });
      lastReason = reason.trim();
      onStarted(job_id);
      return null;
    },
    refreshes: billsShown,
    refreshOnFailure: true,
    onDone: onClose,
  });
  const count = rows?.filter(disputable).length ?? 0;
  return (
    <SubmitDialog
      title={
        count > 0
          ? t('reconciliations.dispute_title', { count: format.number(count) })
          : t('reconciliations.dispute')
      }
      ok={t('reconciliations.dispute_do')}
      blocked={rows === null || count === 0}
      sending={sending}
      check={() => ({ reason: reasonProblem(reason, t) })}
      onClose={onClose}
    >
      {rows === null ? (
        <p role="status" className={styles['quiet']}>
          {t('reconciliations.accept_counting', { done: format.number(read) })}
        </p>
      ) : (
        <>
          <Notice tone="info">
            {t(count === 0 ? 'reconciliations.dispute_nothing' : 'reconciliations.dispute_hint')}
          </Notice>
          <First rows={rows.filter(disputable)} />
          <Skipped rows={rows} taken={disputable} />
        </>
      )}
      {(rows === null || count > 0) && (
        <ReasonField
          autoFocus
          value={reason}
          onChange={setReason}
          error={sending.errors['reason']}
        />
      )}
    </SubmitDialog>
  );
};
