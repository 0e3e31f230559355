import { useState } from 'react';
import type { ReactNode } from 'react';
import { previewRows } from '@waystation/contract/shell/bulk.ts';
import type { Endpoint, InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { errorText } from '#base/error-text.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useCall } from '#base/query.ts';
import { useShortcuts } from '#base/shortcuts.ts';
import { useTexts } from '#base/texts.ts';
import { SubmitDialog } from '#resource/form/submit-dialog.tsx';
import { useSubmit } from '#shell/submit/use-submit.ts';
import { FirstRows } from '#ui/first-rows.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import styles from './bulk-preview.module.css';
import { filterInput } from './list-filters.ts';
import { useRowNames } from './row-names.ts';
import type { AnyList } from './use-list.ts';

export interface BulkAction {
  /** The name of the action on the server. */
  action: string;
  label: string;
  danger?: boolean;
}

type Preview = OutputOf<typeof previewRows>;
/** Writes one changed field of a row as text, with its values before and after the change. */
export type ChangeWords = (change: Preview['changes'][number]['fields'][number]) => string;

const none: ChangeWords = ({ field }) => field;

/**
 * Shows the number of rows that the action will change, and the number of skipped rows for each
 * reason.
 */
const Summary = ({ preview, changeOf }: { preview: Preview; changeOf: ChangeWords }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { total, tried, ready, skipped } = preview;
  const count = tried - ready;
  return (
    <>
      <p className={styles['counts']} role="status">
        <strong>{t('lists.bulk_ready', { count: format.number(ready) })}</strong>
        {count > 0 && <span>{t('lists.bulk_skipped', { count: format.number(count) })}</span>}
      </p>
      {count > 0 && (
        <ul
          className={styles['reasons']}
          tabIndex={0}
          aria-label={t('lists.bulk_skipped', { count: format.number(count) })}
        >
          {skipped.map((group) => (
            <li key={`${group.reason.code}:${JSON.stringify(group.reason.params)}`}>
              {t('lists.bulk_reason', {
                count: format.number(group.count),
                reason: errorText(group.reason.code, group.reason.params, language),
              })}
              <span className={styles['names']}>
                {group.names.join(language === 'zh' ? '、' : ', ')}
                {group.count > group.names.length && ' …'}
              </span>
            </li>
          ))}
        </ul>
      )}
      {preview.changes.length > 0 && (
        <ul className={styles['reasons']} tabIndex={0} aria-label={t('lists.bulk_changes')}>
          {preview.changes.map((row) => (
            <li key={row.name}>
              {row.name}
              <span className={styles['names']}>
                {row.fields.map(changeOf).join(language === 'zh' ? '；' : '; ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {ready > preview.changes.length && preview.changes.length > 0 && (
        <p>{t('lists.bulk_changes_first', { count: format.number(preview.changes.length) })}</p>
      )}
      {tried < total && (
        <p>{t('lists.bulk_tried', { tried: format.number(tried), total: format.number(total) })}</p>
      )}
    </>
  );
};

interface Props {
  list: AnyList;
  endpoint: Endpoint;
  doing: BulkAction;
  /** The values that the user entered for an action with values. Null until a value is entered. */
  values?: Readonly<Record<string, number | null>> | null;
  /** The texts that describe the change of one field. */
  changeOf?: ChangeWords;
  /**
   * Asks for a further confirmation before the action starts. If it returns false, the action does
   * not start.
   */
  ask?: () => Promise<boolean>;
  /** The input fields of the action. */
  children?: ReactNode;
  onClose: () => void;
}

interface Started {
  job_id: number;
}

/** Shows the preview of a bulk action on the selected rows. Enter starts the action. */
export const BulkPreview = ({
  list,
  endpoint,
  doing,
  values,
  changeOf = none,
  ask,
  children,
  onClose,
}: Props) => {
  const { t } = useTexts();
  const format = useFormat();
  // The rows that were selected when the dialog was opened. They are stored, because the list may
  // be read again while the dialog is open.
  const [which] = useState(() =>
    list.everything
      ? { filter: filterInput(list.place) }
      : { ids: list.chosen.map(({ id }) => id) },
  );
  const [count] = useState(() => (list.everything ? (list.counts.total ?? 0) : list.chosen.length));
  const [first] = useState(() =>
    list.everything ? (list.place.page === 1 ? (list.rows ?? []) : []) : list.chosen,
  );
  const names = useRowNames(first);
  const name = endpoint.path.split('/').at(-2)!;
  const { action, label, danger = false } = doing;
  const given = values ? { values } : {};
  const {
    data: preview,
    error,
    refetch,
  } = useCall(previewRows, values === null ? null : { list: name, action, ...which, ...given }, {
    quiet: true,
    staleTime: 0,
  });
  const sending = useSubmit({
    send: async () => {
      const expected = 'filter' in which ? { expected: preview!.total } : {};
      const { job_id } = (await call(endpoint, {
        action,
        ...which,
        ...given,
        ...expected,
      } as InputOf<Endpoint>)) as OutputOf<Endpoint> & Started;
      list.clearSelection();
      list.openJob(job_id);
      return null;
    },
    onDone: onClose,
  });
  // The action is blocked only if all rows were tried. If only some rows were tried and none is
  // possible, another row may still be possible.
  const blocked = preview === undefined || (preview.ready === 0 && preview.tried === preview.total);
  const submit = async (): Promise<void> => {
    if (!blocked && (ask === undefined || (await ask()))) await sending.submit();
  };
  useShortcuts([
    { keys: 'Enter', label, inDialog: true, unlisted: true, run: () => void submit() },
  ]);
  return (
    <SubmitDialog
      danger={danger}
      title={t('lists.bulk_title', { action: label, count: format.number(count) })}
      ok={label}
      width={520}
      blocked={blocked}
      sending={{ ...sending, submit }}
      onClose={onClose}
    >
      <FirstRows names={names} count={count} />
      {children}
      {error && !preview && <ErrorPanel error={error} onRetry={refetch} />}
      {values === null && <p>{t('lists.bulk_values')}</p>}
      {!preview && !error && values !== null && <p role="status">{t('lists.bulk_counting')}</p>}
      {preview && <Summary preview={preview} changeOf={changeOf} />}
      <p>{t('lists.bulk_hint')}</p>
    </SubmitDialog>
  );
};
