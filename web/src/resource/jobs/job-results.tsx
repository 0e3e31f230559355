import { errorText, isErrorCode } from '#base/error-text.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { getJob, retryJob } from '@waystation/contract/shell/jobs.ts';
import type { JobGroup, JobItem, JobResult } from '@waystation/contract/shell/jobs.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './job-drawer.module.css';

export type Job = OutputOf<typeof getJob>;

/** The actions on a row of a job. Each action gets the id of the row. */
export interface JobRows {
  open: (id: number) => void;
  /** The button on a failed row that opens the row for correction. */
  mend?: { label: string; run: (id: number) => void } | undefined;
}

export const reasonText = (reason: JobItem['reason'], language: Language): string =>
  reason === null
    ? ''
    : isErrorCode(reason.code)
      ? errorText(reason.code, reason.params ?? {}, language)
      : reason.code;

export const ended = ({ status }: Pick<Job, 'status'>): boolean =>
  status === 'done' || status === 'failed';

export const Results = ({ job, rows }: { job: Job; rows: JobRows | undefined }) => {
  const { t, language } = useTexts();
  const words: Record<JobResult, string> = {
    ok: t('lists.result_ok'),
    skip: t('lists.result_skip'),
    fail: t('lists.result_fail'),
  };
  return (
    <table className={styles['results']}>
      <thead>
        <tr>
          <th scope="col">{t('lists.row')}</th>
          <th scope="col">{t('lists.result')}</th>
          <th scope="col">{t('lists.why')}</th>
        </tr>
      </thead>
      <tbody>
        {job.results.items.map((item) => (
          <tr key={item.id}>
            <td>
              {rows && item.name !== '' ? (
                <button
                  type="button"
                  className={primitives['linkButton']}
                  onClick={() => rows.open(item.subject_id)}
                >
                  {item.name}
                </button>
              ) : (
                item.name || `#${item.subject_id}`
              )}
            </td>
            <td data-result={item.result}>
              {item.result === null ? t('lists.waiting') : words[item.result]}
            </td>
            <td>
              {reasonText(item.reason, language) || '—'}
              {rows?.mend && item.result === 'fail' && (
                <button
                  type="button"
                  className={`${primitives['linkButton']} ${styles['mend']}`}
                  onClick={() => rows.mend!.run(item.subject_id)}
                >
                  {rows.mend.label}
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/**
 * The reasons why the action failed for some rows, with the number of rows for each reason.
 * Pressing a reason shows its rows. After the job has ended, failed rows can be tried again.
 */
export const Groups = ({
  job,
  code,
  onCode,
  onRetried,
}: { job: Job; code: string | null; onCode: (group: JobGroup | null) => void } & {
  onRetried: (id: number) => void;
}) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { busy, run } = useActions<string>();
  if (job.groups.length === 0) return null;
  return (
    <ul className={styles['groups']} aria-label={t('lists.reasons')}>
      {job.groups.map((group) => (
        <li key={`${group.result}:${group.reason.code}`} data-result={group.result}>
          <button
            type="button"
            className={styles['group']}
            aria-pressed={code === group.reason.code}
            onClick={() => onCode(code === group.reason.code ? null : group)}
          >
            <span className="tabular">{format.number(group.count)}</span>
            <span>
              {group.same === 1
                ? reasonText(group.reason, language)
                : t('lists.reason_first', { reason: reasonText(group.reason, language) })}
            </span>
          </button>
          {group.result === 'fail' && ended(job) && (
            <Button
              size="small"
              loading={busy.has(group.reason.code)}
              disabled={busy.size > 0}
              onClick={() =>
                void run(group.reason.code, async () =>
                  onRetried((await call(retryJob, { id: job.id, code: group.reason.code })).job_id),
                )
              }
            >
              {t('lists.retry_group', { count: format.number(group.count) })}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
};
