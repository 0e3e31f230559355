import { useEffect, useRef, useState } from 'react';
import type { Ref } from 'react';
import {
  isNeverAbandoned,
  jobFollows,
  taskWords,
} from '@waystation/contract/shell/health-words.ts';
import { abandonFailedJob, health, retryFailedJob } from '@waystation/contract/shell/health.ts';
import type { FailedJob, Health } from '@waystation/contract/shell/health.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import { ReasonFormDialog } from '#resource/form/submit-dialog.tsx';
import { useActions } from '#shell/submit/use-actions.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Button } from '#ui/button.tsx';
import { notify } from '#ui/overlay/notify.tsx';
import primitives from '#ui/primitives.module.css';
import styles from './health.module.css';
import { useHealthWords } from './words.ts';

const followsOf = ({ task }: FailedJob) => taskWords[task]?.follows ?? 'decide';

const AbandonDialog = ({ job, onClose }: { job: FailedJob; onClose: () => void }) => {
  const { language } = useTexts();
  const { say, task } = useHealthWords();
  return (
    <ReasonFormDialog
      title={say('abandon_title', { task: task(job.task) })}
      ok={say('abandon')}
      danger
      above={<p>{jobFollows[followsOf(job)][language]}</p>}
      send={async (reason) => {
        await call(abandonFailedJob, { id: job.id, failed_at: job.failed_at, reason });
        return say('abandoned');
      }}
      refreshes={[health]}
      refreshOnFailure
      onClose={onClose}
    />
  );
};

/** A link to the parcel or bill of the job, if the job cannot decide and a person must. */
const Door = ({ job: { express_id, reconciliation_id } }: { job: FailedJob }) => {
  const { say } = useHealthWords();
  if (express_id !== null)
    return <a href={screenHref('ExpressTable', { id: express_id })}>{say('open_parcel')}</a>;
  if (reconciliation_id !== null)
    return (
      <a href={screenHref('Reconciliations', { id: reconciliation_id })}>{say('open_bill')}</a>
    );
  return null;
};

const Row = ({
  job,
  busy,
  onRetry,
  onAbandon,
}: {
  job: FailedJob;
  busy: boolean;
  onRetry: () => void;
  onAbandon: () => void;
}) => {
  const { language } = useTexts();
  const format = useFormat();
  const { say, task } = useHealthWords();
  const follows = followsOf(job);
  const stays = isNeverAbandoned(follows);
  const named = (action: string): string =>
    say('of_job', { action, task: task(job.task), id: String(job.id) });
  return (
    <li data-job={job.id}>
      <div>
        <h3>
          {task(job.task)} <Door job={job} />
        </h3>
        <p className={styles['hint']}>
          {say('failed_after', { time: format.time(job.failed_at), attempts: job.attempts })}
        </p>
        <p className={styles['error']}>{job.error === '' ? say('no_error') : job.error}</p>
        {stays && <p className={styles['hint']}>{wordOf(jobFollows, follows, language)}</p>}
      </div>
      <div className={primitives['buttons']}>
        {follows !== 'ended' && (
          <Button size="small" loading={busy} aria-label={named(say('retry'))} onClick={onRetry}>
            {say('retry')}
          </Button>
        )}
        {!stays && (
          <Button size="small" aria-label={named(say('abandon'))} onClick={onAbandon}>
            {say('abandon')}
          </Button>
        )}
      </div>
    </li>
  );
};

/**
 * The failed jobs that will not be tried again automatically, newest first. The user can retry or
 * abandon each of them.
 */
export const FailedJobs = ({
  jobs: { failed, failed_total },
  heading,
  onEmpty,
}: {
  jobs: Health['jobs'];
  heading: Ref<HTMLHeadingElement>;
  /** Called when the last failed job was retried. */
  onEmpty: () => void;
}) => {
  const { say } = useHealthWords();
  const { busy, run } = useActions<number>([health]);
  const [abandoning, setAbandoning] = useState<FailedJob | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const [retried, setRetried] = useState<{ id: number; at: number } | null>(null);
  const retry = async ({ id, failed_at }: FailedJob, at: number): Promise<void> => {
    const done = await run(id, async () => {
      await call(retryFailedJob, { id, failed_at });
      notify.success(say('retried'));
    });
    if (done) setRetried({ id, at });
  };
  // When a retried row disappears, its focused button disappears too. Moves the focus to the button
  // of the next row, or else to the heading.
  useEffect(() => {
    if (retried === null || failed.some(({ id }) => id === retried.id)) return;
    setRetried(null);
    const rows = list.current?.querySelectorAll<HTMLElement>('li') ?? [];
    const next = rows[Math.min(retried.at, rows.length - 1)]?.querySelector<HTMLElement>('button');
    if (next) next.focus();
    else onEmpty();
  }, [retried, failed, onEmpty]);
  return (
    <>
      {failed.length > 0 && (
        <section className={`${primitives['card']} ${styles['card']}`} data-card="failed">
          <h2 ref={heading} tabIndex={-1}>
            {say('failed_jobs')}
          </h2>
          {failed_total > failed.length && (
            <p className={styles['hint']}>{say('failed_shown', { count: failed.length })}</p>
          )}
          <ul ref={list} className={styles['failed']}>
            {failed.map((job, at) => (
              <Row
                key={job.id}
                job={job}
                busy={busy.has(job.id)}
                onRetry={() => void retry(job, at)}
                onAbandon={() => setAbandoning(job)}
              />
            ))}
          </ul>
        </section>
      )}
      {abandoning && <AbandonDialog job={abandoning} onClose={() => setAbandoning(null)} />}
    </>
  );
};
