import { useState } from 'react';
import { bulkExpresses, previewBulk } from '@waystation/contract/shell/bulk.ts';
import type { PreviewedAction } from '@waystation/contract/shell/bulk.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { errorText } from '#base/error-text.ts';
import type { ExpressRow } from '@waystation/contract/parcels/express.ts';
import { listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { exceptionNoteLength } from '@waystation/contract/parcels/express-exceptions.ts';
import { cancelReasonLength, mostSheetParcels } from '@waystation/contract/base/limits.ts';
import { ApiError } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { usePersonName } from '#base/person-name.ts';
import { useCall } from '#base/query.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { numberOf } from '#parcels/parcel-rules.ts';
import { CancelReason } from '#parcels/cancel-reason.tsx';
import { lengthProblem } from '#resource/form/reason-field.tsx';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { filterInput, listInput } from '#resource/list/list-filters.ts';
import type { AnyList } from '#resource/list/use-list.ts';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { FirstRows } from '#ui/first-rows.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { yuan } from '#ui/values/amounts.ts';
import styles from './bulk-dialog.module.css';
import { allOf } from './choose-all.ts';
import { OpenOutcomes } from './open-outcomes.tsx';

/**
 * The bulk actions on parcels that show a preview first. Exporting is excluded, because the list
 * has its own button for it.
 */
export type ParcelBulk = Exclude<PreviewedAction, 'export'>;
type Preview = OutputOf<typeof previewBulk>;

/**
 * The input for the chosen rows: the ids of the selected rows, or the filters if all matching rows
 * were selected.
 */
const chosenOf = ({ everything, place, chosen }: AnyList) =>
  everything ? { filter: filterInput(place) } : { ids: chosen.map(({ id }) => id) };

const Effect = ({ action, preview }: { action: ParcelBulk; preview: Preview }) => {
  const { t } = useTexts();
  const format = useFormat();
  if (preview.ready === 0) return <p>{t('expresses.bulk.none')}</p>;
  if (action === 'print')
    return preview.printed > 0 ? (
      <p>{t('expresses.bulk.printed', { count: format.number(preview.printed) })}</p>
    ) : null;
  return <p>{t(`expresses.bulk.effect.${action}`, { amount: yuan(preview.post_amount) })}</p>;
};

/**
 * The number of rows that the action will change, and for each reason the number of rows that it
 * will skip.
 */
const Summary = ({ action, preview }: { action: ParcelBulk; preview: Preview }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const skipped = preview.total - preview.ready;
  return (
    <>
      <p className={styles['counts']} role="status">
        <strong>
          {t(`expresses.bulk.ready.${action}`, { count: format.number(preview.ready) })}
        </strong>
        {skipped > 0 && (
          <span>{t('expresses.bulk.skipped', { count: format.number(skipped) })}</span>
        )}
      </p>
      {skipped > 0 && (
        <ul
          className={styles['reasons']}
          aria-label={t('expresses.bulk.skipped', { count: format.number(skipped) })}
        >
          {preview.skipped.map(({ reason, count }) => (
            <li key={`${reason.code}:${JSON.stringify(reason.params)}`}>
              <span className="tabular">
                {t('expresses.bulk.count', { count: format.number(count) })}
              </span>
              <span>{errorText(reason.code, reason.params, language)}</span>
            </li>
          ))}
        </ul>
      )}
      <Effect action={action} preview={preview} />
      <OpenOutcomes groups={preview.open_outcomes} />
    </>
  );
};

interface Props {
  list: AnyList;
  action: ParcelBulk;
  /** Prints the rows in the given order. */
  onPrint: (rows: readonly ExpressRow[]) => void;
  onClose: () => void;
}

/**
 * The dialog with the preview of a bulk action on the selected parcels. Enter starts the action.
 */
export const BulkDialog = ({ list, action, onPrint, onClose }: Props) => {
  const { t } = useTexts();
  const nameOf = usePersonName();
  const format = useFormat();
  const [reason, setReason] = useState('');
  const needsReason = action === 'cancel' || action === 'intercept' || action === 'handle';
  // The rows that were selected when the dialog opened. They are kept, because the list may be read
  // again while the dialog is open.
  const [chosen] = useState(() => chosenOf(list));
  const [rows] = useState(() => list.chosen as readonly ExpressRow[]);
  // The dialog requests the first matches itself, because the list may show a page other than the
  // first.
  const { data: found } = useCall(
    listExpresses,
    'filter' in chosen
      ? { ...listInput(list.place), page: 1, page_size: 5, fields: 'receive_city' }
      : null,
    { quiet: true },
  );
  const first = 'filter' in chosen ? (found?.items ?? []) : rows;
  const {
    data: preview,
    error,
    refetch,
  } = useCall(previewBulk, { action, ...chosen }, { quiet: true, staleTime: 0 });
  const sending = useSubmit({
    send: async () => {
      if (action === 'print') {
        onPrint('filter' in chosen ? await allOf(list.place) : rows);
        return null;
      }
      const expected = 'filter' in chosen ? { expected: preview!.total } : {};
      const { job_id } = await call(bulkExpresses, {
        action,
        ...chosen,
        ...expected,
        ...(needsReason && { reason: reason.trim() }),
      });
      list.clearSelection();
      list.openJob(job_id);
      return null;
    },
    fields: ['reason'],
    onDone: onClose,
  });
  const tooMany = action === 'print' && preview !== undefined && preview.total > mostSheetParcels;
  const blocked = preview === undefined || preview.ready === 0 || tooMany;
  const most = action === 'handle' ? exceptionNoteLength : cancelReasonLength;
  const check = () =>
    needsReason
      ? { reason: reason.trim() === '' ? t('common.required') : lengthProblem(reason, most, t) }
      : {};
  const write = (value: string): void => {
    setReason(value);
    sending.clearErrors();
  };
  useShortcuts([
    {
      keys: 'Enter',
      label: t(`expresses.bulk.do.${action}`),
      inDialog: true,
      unlisted: true,
      run: () => !blocked && void sending.submit(check()),
    },
  ]);
  return (
    <SubmitDialog
      danger={action === 'cancel' || action === 'intercept'}
      title={t(`expresses.bulk.title.${action}`)}
      ok={t(`expresses.bulk.do.${action}`)}
      leave={t('common.close')}
      width={520}
      blocked={blocked}
      sending={sending}
      check={check}
      onClose={onClose}
    >
      <FirstRows
        names={first.map((row) =>
          [numberOf(row), nameOf(row.receive_name), row.receive_city].filter(Boolean).join(' · '),
        )}
        count={'filter' in chosen ? (preview?.total ?? first.length) : rows.length}
      />
      {error &&
        !preview &&
        (error instanceof ApiError && error.code === 'selection_too_large' ? (
          <p>{t('expresses.bulk.too_many_matched')}</p>
        ) : (
          <ErrorPanel error={error} onRetry={refetch} />
        ))}
      {!preview && !error && <p role="status">{t('expresses.bulk.counting')}</p>}
      {preview && <Summary action={action} preview={preview} />}
      {tooMany && <p>{t('expresses.bulk.sheet', { most: format.number(mostSheetParcels) })}</p>}
      {(action === 'cancel' || action === 'intercept') && (
        <CancelReason
          reason={reason}
          error={sending.errors['reason']}
          disabled={sending.busy}
          onChange={write}
        />
      )}
      {action === 'handle' && (
        <TextField
          label={t('parcel.exception_do.note')}
          hint={t('parcel.exception_do.note_hint')}
          value={reason}
          onChange={write}
          required
          autoFocus
          lines={2}
          max={exceptionNoteLength}
          disabled={sending.busy}
          error={sending.errors['reason']}
        />
      )}
    </SubmitDialog>
  );
};
