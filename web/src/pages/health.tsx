import { useRef } from 'react';
import { health } from '@waystation/contract/shell/health.ts';
import { useFormat } from '#base/format.ts';
import { preloadQuery, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import { Waiting } from '#ui/waiting.tsx';
import {
  BackupsCard,
  CarriersCard,
  DatabaseCard,
  JobsCard,
  LedgerCard,
  NoticesCard,
  ProcessesCard,
} from './health/cards.tsx';
import { FailedJobs } from './health/failed-jobs.tsx';
import styles from './health/health.module.css';
import { Verdict } from './health/verdict.tsx';
import { useHealthWords } from './health/words.ts';

const every = 10_000;

export const preload = (): Promise<unknown> => preloadQuery(health, {});

/**
 * The page with the state of the installation, for super admins only. It shows the problems first,
 * and then the figures.
 */
export const Page = () => {
  const { t } = useTexts();
  const format = useFormat();
  const { say } = useHealthWords();
  const failed = useRef<HTMLHeadingElement>(null);
  const verdict = useRef<HTMLParagraphElement>(null);
  const { data, error, refetch } = useCall(health, {}, { refetchInterval: every, quiet: true });
  const seeFailed = (): void => {
    failed.current?.scrollIntoView({ block: 'start' });
    failed.current?.focus({ preventScroll: true });
  };
  return (
    <section className={styles['page']}>
      <div className={styles['head']}>
        <h1>{t('menu.health')}</h1>
        {data && (
          <p className={styles['hint']}>
            {say('updated', { time: format.clock(Date.parse(data.at)) })}
          </p>
        )}
      </div>
      {error && !data && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {error && data && (
        <Notice tone="warn">{say('unreachable', { time: format.time(data.at) })}</Notice>
      )}
      {!error && !data && <Waiting />}
      {data && (
        <>
          <Verdict problems={data.problems} heading={verdict} onSeeFailed={seeFailed} />
          <FailedJobs jobs={data.jobs} heading={failed} onEmpty={() => verdict.current?.focus()} />
          <div className={styles['groups']}>
            <JobsCard jobs={data.jobs} />
            <CarriersCard carriers={data.carriers} />
            <DatabaseCard database={data.database} replica={data.replica} disks={data.disks} />
            <ProcessesCard process={data.process} workers={data.workers} database={data.database} />
            <BackupsCard backups={data.backups} wal={data.wal} />
            <NoticesCard notices={data.notices} />
            <LedgerCard proof={data.proof} orders={data.orders} />
          </div>
        </>
      )}
    </section>
  );
};
