import { useState } from 'react';
import type { Ref } from 'react';
import { jobFollows, taskWords } from '@waystation/contract/shell/health-words.ts';
import { abandonFailedJob, health, retryFailedJob } from '@waystation/contract/shell/health.ts';
import type { FailedJob, Health } from '@waystation/contract/shell/health.ts';
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

const followsOf = ({ task }: FailedJob) => taskWords[task]?.follows ?? 'ended';

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

/** Its record, where somebody decides what the job cannot. */
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
  const decides = followsOf(job) === 'decide';
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
        {decides && <p className={styles['hint']}>{jobFollows.decide[language]}</p>}
      </div>
      <div className={primitives['buttons']}>
        <Button size="small" loading={busy} aria-label={named(say('retry'))} onClick={onRetry}>
          {say('retry')}
        </Button>
        {!decides && (
          <Button size="small" aria-label={named(say('abandon'))} onClick={onAbandon}>
            {say('abandon')}
          </Button>
        )}
      </div>
    </li>
  );
};

/** Jobs without attempts left, the newest first, each retried or given up. */
export const FailedJobs = ({
  jobs: { failed, failed_total },
  heading,
}: {
  jobs: Health['jobs'];
  heading: Ref<HTMLHeadingElement>;
}) => {
  const { say } = useHealthWords();
  const { busy, run } = useActions<number>([health]);
  const [abandoning, setAbandoning] = useState<FailedJob | null>(null);
  const retry = ({ id, failed_at }: FailedJob) =>
    run(id, async () => {
      await call(retryFailedJob, { id, failed_at });
      notify.success(say('retried'));
    });
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
          <ul className={styles['failed']}>
            {failed.map((job) => (
              <Row
                key={job.id}
                job={job}
                busy={busy.has(job.id)}
                onRetry={() => void retry(job)}
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
