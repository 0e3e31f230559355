import { DownloadOutlined } from '@ant-design/icons-svg';
import { useEffect, useId, useRef, useState } from 'react';
import { mostPageSize } from '@waystation/contract/limits.ts';
import { errorText, isErrorCode } from '@waystation/contract/errors.ts';
import type { Language } from '@waystation/contract/errors.ts';
import type { Endpoint, OutputOf } from '@waystation/contract/endpoint.ts';
import { getJob, getJobFile, retryJob } from '@waystation/contract/jobs.ts';
import type { JobItem, JobResult } from '@waystation/contract/jobs.ts';
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
import styles from './job-drawer.module.css';
import { csvOf } from './result-csv.ts';

type Job = OutputOf<typeof getJob>;
type Tab = 'all' | JobResult;
const pollEvery = 700;
const pageSize = 50;

const reasonText = (reason: JobItem['reason'], language: Language): string =>
  reason === null ? '' : isErrorCode(reason.code) ? errorText(reason.code, reason.params ?? {}, language) : reason.code;

/** Every result of a job, page by page. */
const allResults = async (id: number): Promise<JobItem[]> => {
  const items: JobItem[] = [];
  for (let cursor: string | undefined; ;) {
    const { results } = await call(getJob, { id, page_size: mostPageSize, ...(cursor !== undefined && { cursor }) });
    items.push(...results.items);
    if (results.next_cursor === null || results.items.length === 0) return items;
    cursor = results.next_cursor;
  }
};

const ended = ({ status }: Pick<Job, 'status'>): boolean => status === 'done' || status === 'failed';

/** Follows a job until it ends; what it changed is read again then. */
const useJob = (id: number, tab: Tab, page: number, refreshes: readonly Endpoint[]) => {
  const { t } = useTexts();
  const [going, setGoing] = useState(true);
  const reading = useCall(
    getJob,
    { id, page, page_size: pageSize, ...(tab !== 'all' && { result: tab }) },
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

const Results = ({ job }: { job: Job }) => {
  const { t, language } = useTexts();
  const words: Record<JobResult, string> = { ok: t('lists.result_ok'), skip: t('lists.result_skip'), fail: t('lists.result_fail') };
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
            <td>{item.name || `#${item.subject_id}`}</td>
            <td data-result={item.result}>{item.result === null ? t('lists.waiting') : words[item.result]}</td>
            <td>{reasonText(item.reason, language) || '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** What can be done once it has ended. */
const Ended = ({ job, onRetried }: { job: Job; onRetried: (id: number) => void }) => {
  const { t, language } = useTexts();
  const { busy: running, run } = useActions<'job'>();
  const busy = running.size > 0;
  const words: Record<JobResult, string> = { ok: t('lists.result_ok'), skip: t('lists.result_skip'), fail: t('lists.result_fail') };
  const results = () =>
    run('job', async () => {
      const items = await allResults(job.id);
      const lines = items.map((item) => [item.name, item.result === null ? '' : words[item.result], reasonText(item.reason, language)]);
      saveFile(csvOf([[t('lists.row'), t('lists.result'), t('lists.why')], ...lines]), `${job.kind}-${job.id}.csv`);
    });
  const file = () =>
    run('job', async () => {
      const { blob, name } = await callFile(getJobFile, { id: job.id });
      saveFile(blob, name);
    });
  const unfinished = job.failed + (job.status === 'failed' && job.kind !== 'export' ? job.total - job.done : 0);
  return (
    <div className={primitives['buttons']}>
      {job.file && (
        <Button type="primary" icon={<Icon of={DownloadOutlined} />} loading={busy} onClick={() => void file()}>
          {t('lists.download', { name: job.file.name })}
        </Button>
      )}
      {unfinished > 0 && (
        <Button type="primary" loading={busy} onClick={() => void run('job', async () => onRetried((await call(retryJob, { id: job.id })).job_id))}>
          {t('lists.retry_failed', { count: unfinished })}
        </Button>
      )}
      {!job.kind.endsWith('export') && (
        <Button icon={<Icon of={DownloadOutlined} />} disabled={busy} onClick={() => void results()}>
          {t('lists.download_results')}
        </Button>
      )}
    </div>
  );
};

interface Props {
  id: number;
  title: string;
  /** What shows the rows it changes. */
  refreshes: readonly Endpoint[];
  onRetried: (id: number) => void;
  onClose: () => void;
}

const Body = ({
  job,
  tab,
  page,
  onTab,
  onPage,
  onRetried,
}: { job: Job; tab: Tab; page: number; onTab: (tab: Tab) => void; onPage: (page: number) => void } & Pick<Props, 'onRetried'>) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const panel = useId();
  const share = job.total === 0 ? (ended(job) ? 100 : 0) : Math.floor((job.done / job.total) * 100);
  const counts: Record<Tab, number> = { all: job.total, ok: job.ok, skip: job.skipped, fail: job.failed };
  const labels: Record<Tab, string> = { all: t('lists.result_all'), ok: t('lists.result_ok'), skip: t('lists.result_skip'), fail: t('lists.result_fail') };
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
          {t(ended(job) ? 'lists.job_done' : job.total === 0 ? 'lists.job_counting' : 'lists.job_going', {
            done: format.number(job.done),
            total: format.number(job.total),
          })}
        </span>
      </p>
      {job.reason && <Notice tone="danger">{reasonText(job.reason, language)}</Notice>}
      {ended(job) && <Ended job={job} onRetried={onRetried} />}
      {!isExport && (
        <>
          <TabStrip<Tab>
            label={t('lists.result')}
            controls={panel}
            value={tab}
            onChange={onTab}
            tabs={(['all', 'ok', 'skip', 'fail'] as const).map((key) => ({
              key,
              label: labels[key],
              count: format.number(counts[key]),
              empty: counts[key] === 0,
            }))}
          />
          <div id={panel} role="tabpanel" tabIndex={0} aria-labelledby={`${panel}-${tab}`}>
            <Results job={job} />
            {(page > 1 || job.results.next_cursor !== null) && (
              <Pager
                page={page}
                size={pageSize}
                rows={job.results.items.length}
                total={job.results.total}
                capped={job.results.total_is_capped === 1}
                isLast={job.results.next_cursor === null}
                onPage={onPage}
              />
            )}
          </div>
        </>
      )}
    </div>
  );
};

/** Work that goes on by itself: how far it is, what became of each row and why, and the failed ones once more. Leaving it does not end it. */
export const JobDrawer = ({ id, title, refreshes, onRetried, onClose }: Props) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const [tab, setTab] = useState<Tab>('all');
  const [page, setPage] = useState(1);
  const { data: job, error, refetch } = useJob(id, tab, page, refreshes);
  return (
    <Drawer open onClose={onClose} size={narrow ? '100%' : 640} title={title}>
      {job ? (
        <Body
          job={job}
          tab={tab}
          page={page}
          onTab={(next) => {
            setTab(next);
            setPage(1);
          }}
          onPage={setPage}
          onRetried={(next) => {
            setTab('all');
            setPage(1);
            onRetried(next);
          }}
        />
      ) : error ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : (
        <div className={styles['wait']} aria-busy aria-label={t('shell.loading')} />
      )}
    </Drawer>
  );
};
