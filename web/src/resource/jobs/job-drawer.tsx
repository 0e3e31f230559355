import { DownloadOutlined } from '@ant-design/icons-svg';
import { useEffect, useId, useRef, useState } from 'react';
import { mostPageSize } from '@waystation/contract/base/limits.ts';
import type { Endpoint } from '@waystation/contract/base/endpoint.ts';
import { getJob, getJobFile, retryJob } from '@waystation/contract/shell/jobs.ts';
import type { JobItem, JobResult } from '@waystation/contract/shell/jobs.ts';
import { announce } from '#base/announce.ts';
import { call, callFile } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { useLiveEvents } from '#base/live-events.ts';
import { refresh, useCall } from '#base/query.ts';
import { saveFile } from '#base/save-file.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { Button } from '#ui/button.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { Notice } from '#ui/notice.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { Pager } from '#ui/pager.tsx';
import { Progress } from '#ui/progress.tsx';
import { TabStrip } from '#ui/tab-strip.tsx';
import primitives from '#ui/primitives.module.css';
import { Waiting } from '#ui/waiting.tsx';
import styles from './job-drawer.module.css';
import { csvOf } from './result-csv.ts';
import type { Job, JobRows } from './job-results.tsx';
import { reasonText, ended, Results, Groups } from './job-results.tsx';

type Tab = 'all' | JobResult;

/**
 * The displayed rows: their page, and one result or one reason of failure by which they are
 * filtered.
 */
interface Shown {
  tab: Tab;
  code: string | null;
  page: number;
}

const everyRow: Shown = { tab: 'all', code: null, page: 1 };
const pollEvery = 700;
const pageSize = 50;

/** Reads every result of a job, page by page. */
const allResults = async (id: number): Promise<JobItem[]> => {
  const items: JobItem[] = [];
  for (let cursor: string | undefined; ;) {
    const { results } = await call(getJob, {
      id,
      page_size: mostPageSize,
      ...(cursor !== undefined && { cursor }),
    });
    items.push(...results.items);
    if (results.next_cursor === null || results.items.length === 0) return items;
    cursor = results.next_cursor;
  }
};

/** Follows a job until it ends. Then reads again the rows that the job has changed. */
const useJob = (id: number, { tab, code, page }: Shown, refreshes: readonly Endpoint[]) => {
  const { t } = useTexts();
  const [going, setGoing] = useState(true);
  const reading = useCall(
    getJob,
    {
      id,
      page,
      page_size: pageSize,
      ...(tab !== 'all' && { result: tab }),
      ...(code !== null && { code }),
    },
    { quiet: true, keep: true, staleTime: 0, refetchInterval: going ? pollEvery : false },
  );
  const job = reading.data;
  useLiveEvents('job', ({ job_id }) => {
    if (job_id === id) void reading.refetch();
  });
  const still = job === undefined || job.id !== id || !ended(job);
  if (still !== going) setGoing(still);
  const reported = useRef<number | null>(null);
  useEffect(() => {
    if (!job || job.id !== id || !ended(job) || reported.current === id) return;
    reported.current = id;
    announce(t('lists.job_ended', { ok: job.ok, skipped: job.skipped, failed: job.failed }));
    void refresh(...refreshes);
  }, [job, id, t, refreshes]);
  return reading;
};

/** The buttons for a job that has ended. */
const Ended = ({ job, onRetried }: { job: Job; onRetried: (id: number) => void }) => {
  const { t, language } = useTexts();
  const { busy: running, run } = useActions<'job'>();
  const busy = running.size > 0;
  const words: Record<JobResult, string> = {
    ok: t('lists.result_ok'),
    skip: t('lists.result_skip'),
    fail: t('lists.result_fail'),
  };
  const results = () =>
    run('job', async () => {
      const items = await allResults(job.id);
      const lines = items.map((item) => [
        item.name,
        item.result === null ? '' : words[item.result],
        reasonText(item.reason, language),
      ]);
      saveFile(
        csvOf([[t('lists.row'), t('lists.result'), t('lists.why')], ...lines]),
        `${job.kind}-${job.id}.csv`,
      );
    });
  const file = () =>
    run('job', async () => {
      const { blob, name } = await callFile(getJobFile, { id: job.id });
      saveFile(blob, name);
    });
  const unfinished =
    job.failed + (job.status === 'failed' && job.kind !== 'export' ? job.total - job.done : 0);
  return (
    <div className={primitives['buttons']}>
      {job.file && (
        <Button
          type="primary"
          icon={<Icon of={DownloadOutlined} />}
          loading={busy}
          onClick={() => void file()}
        >
          {t('lists.download', { name: job.file.name })}
        </Button>
      )}
      {unfinished > 0 && (
        <Button
          type="primary"
          loading={busy}
          onClick={() =>
            void run('job', async () => onRetried((await call(retryJob, { id: job.id })).job_id))
          }
        >
          {t('lists.retry_failed', { count: unfinished })}
        </Button>
      )}
      {!job.kind.endsWith('export') && (
        <Button
          icon={<Icon of={DownloadOutlined} />}
          disabled={busy}
          onClick={() => void results()}
        >
          {t('lists.download_results')}
        </Button>
      )}
    </div>
  );
};

export interface Props {
  id: number;
  title: string;
  /** Endpoints whose data contain the rows that the job changes; they are read again. */
  refreshes: readonly Endpoint[];
  rows?: JobRows;
  onRetried: (id: number) => void;
  onClose: () => void;
}

const Body = ({
  job,
  shown,
  onShow,
  rows,
  onRetried,
}: { job: Job; shown: Shown; onShow: (shown: Shown) => void } & Pick<
  Props,
  'rows' | 'onRetried'
>) => {
  const { tab, code, page } = shown;
  const { t, language } = useTexts();
  const format = useFormat();
  const panel = useId();
  const share = job.total === 0 ? (ended(job) ? 100 : 0) : Math.floor((job.done / job.total) * 100);
  const counts: Record<Tab, number> = {
    all: job.total,
    ok: job.ok,
    skip: job.skipped,
    fail: job.failed,
  };
  const labels: Record<Tab, string> = {
    all: t('lists.result_all'),
    ok: t('lists.result_ok'),
    skip: t('lists.result_skip'),
    fail: t('lists.result_fail'),
  };
  const isExport = job.kind.endsWith('export');
  return (
    <div className={styles['body']}>
      <p className={styles['progress']}>
        <Progress
          percent={ended(job) && job.status === 'done' ? 100 : share}
          tone={job.status === 'failed' ? 'failed' : ended(job) ? 'done' : 'going'}
          label={t('lists.progress')}
        />
        <span className="tabular">
          {t(
            ended(job)
              ? 'lists.job_done'
              : job.total === 0
                ? 'lists.job_counting'
                : 'lists.job_going',
            {
              done: format.number(job.done),
              total: format.number(job.total),
            },
          )}
        </span>
      </p>
      {job.reason && <Notice tone="danger">{reasonText(job.reason, language)}</Notice>}
      {ended(job) && <Ended job={job} onRetried={onRetried} />}
      {!isExport && (
        <>
          <Groups
            job={job}
            code={code}
            onCode={(group) =>
              onShow(group ? { tab: group.result, code: group.reason.code, page: 1 } : everyRow)
            }
            onRetried={onRetried}
          />
          <TabStrip<Tab>
            label={t('lists.result')}
            controls={panel}
            value={tab}
            onChange={(next) => onShow({ tab: next, code: null, page: 1 })}
            tabs={(['all', 'ok', 'skip', 'fail'] as const).map((key) => ({
              key,
              label: labels[key],
              count: format.number(counts[key]),
              empty: counts[key] === 0,
            }))}
          />
          <div id={panel} role="tabpanel" tabIndex={0} aria-labelledby={`${panel}-${tab}`}>
            <Results job={job} rows={rows} />
            {(page > 1 || job.results.next_cursor !== null) && (
              <Pager
                page={page}
                size={pageSize}
                rows={job.results.items.length}
                total={job.results.total}
                capped={job.results.total_is_capped === 1}
                isLast={job.results.next_cursor === null}
                onPage={(next) => onShow({ ...shown, page: next })}
              />
            )}
          </div>
        </>
      )}
    </div>
  );
};

/**
 * A background job: its progress, the result and reason of each row, and a button that repeats
 * failed rows. The job continues if the drawer is closed.
 */
export const JobDrawer = ({ id, title, refreshes, rows, onRetried, onClose }: Props) => {
  const narrow = useNarrow();
  const [shown, setShown] = useState<Shown>(everyRow);
  const { data: job, error, refetch } = useJob(id, shown, refreshes);
  return (
    <Drawer open onClose={onClose} size={narrow ? '100%' : 640} title={title}>
      {job ? (
        <Body
          job={job}
          shown={shown}
          onShow={setShown}
          {...(rows && { rows })}
          onRetried={(next) => {
            setShown(everyRow);
            onRetried(next);
          }}
        />
      ) : error ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : (
        <Waiting />
      )}
    </Drawer>
  );
};
