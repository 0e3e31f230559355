import {
  AuditOutlined,
  BellOutlined,
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  DisconnectOutlined,
  ExclamationCircleOutlined,
  FileDoneOutlined,
  FileExcelOutlined,
  LockOutlined,
  PauseCircleOutlined,
  ShopOutlined,
  PhoneOutlined,
  RollbackOutlined,
  StopOutlined,
  WalletOutlined,
} from '@ant-design/icons-svg';
import type { IconDefinition } from '@ant-design/icons-svg/es/types';
import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { markInboxRead, readInbox } from '@waystation/contract/shell/inbox.ts';
import type { Inbox, InboxEntry, InboxKind } from '@waystation/contract/shell/inbox.ts';
import { listJobs } from '@waystation/contract/shell/jobs.ts';
import type { Job } from '@waystation/contract/shell/jobs.ts';
import { call } from '#base/call.ts';
import { useFormat } from '#base/format.ts';
import { setAnswer, useCall } from '#base/query.ts';
import { useTexts } from '#base/texts.ts';
import { useNarrow } from '#base/viewport.ts';
import { useUser } from '#shell/session/session.ts';
import { useActions } from '#shell/submit/use-actions.ts';
import { openScreen } from '#shell/tabs/open-screen.ts';
import { WatchedJob } from '#resource/jobs/watched-job.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Icon } from '#ui/icon.tsx';
import { Drawer } from '#ui/overlay/overlay.tsx';
import { TabStrip } from '#ui/tab-strip.tsx';
import { Waiting } from '#ui/waiting.tsx';
import { entryWords, jobWords, placeOf } from './entry-words.ts';
import styles from './inbox.module.css';

const icons: Record<InboxKind, IconDefinition> = {
  on_hold: PauseCircleOutlined,
  refused: CloseCircleOutlined,
  exception: ExclamationCircleOutlined,
  returning: RollbackOutlined,
  unreachable: PhoneOutlined,
  unmoved: ClockCircleOutlined,
  missed: ClockCircleOutlined,
  left_behind: ExclamationCircleOutlined,
  cancel_failed: StopOutlined,
  low_balance: WalletOutlined,
  month_closed: LockOutlined,
  month_reminder: BellOutlined,
  request: AuditOutlined,
  decided: CheckCircleOutlined,
  job: FileDoneOutlined,
  setup: ShopOutlined,
  import: FileExcelOutlined,
  webhook: StopOutlined,
  channel: DisconnectOutlined,
};

/** Marks these entries as read in the cached inbox. */
const markKnown = (ids: ReadonlySet<number>, unread: number): void =>
  setAnswer(
    readInbox,
    {},
    (known: Inbox | undefined) =>
      known && {
        items: known.items.map((item) =>
          ids.has(item.id) ? { ...item, is_read: 1 as const } : item,
        ),
        unread,
      },
  );

const markRead = async (entries: readonly InboxEntry[]): Promise<void> => {
  const ids = entries.filter(({ is_read }) => is_read === 0).map(({ id }) => id);
  if (ids.length === 0) return;
  const { unread } = await call(markInboxRead, { ids });
  markKnown(new Set(ids), unread);
};

const Notice = ({ entry, onOpen }: { entry: InboxEntry; onOpen: (entry: InboxEntry) => void }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const { role } = useUser();
  const { title, detail } = entryWords(entry, role !== 'station' && role !== 'user', t, language);
  const isFailed =
    (entry.kind === 'decided' && entry.request?.status === 'declined') ||
    entry.job?.status === 'failed' ||
    entry.import?.status === 'failed';
  return (
    <li>
      <button
        type="button"
        className={styles['entry']}
        data-unread={entry.is_read === 0 || undefined}
        onClick={() => onOpen(entry)}
      >
        <span className={styles['icon']} data-kind={isFailed ? 'refused' : entry.kind}>
          <Icon of={icons[isFailed && entry.kind === 'decided' ? 'refused' : entry.kind]} />
        </span>
        <span className={styles['words']}>
          <strong>{title}</strong>
          {detail !== '' && <span>{detail}</span>}
          <time dateTime={entry.at} title={format.dateTime(entry.at)}>
            {format.relative(entry.at)}
          </time>
        </span>
        {entry.is_read === 0 && (
          <span className={styles['dot']} role="img" aria-label={t('inbox.unread')} />
        )}
      </button>
    </li>
  );
};

/** The rows of a list. Until they are read, it shows the loading state or the error. */
const Rows = <T extends { id: number }>({
  reading: { data, error, refetch },
  none,
  children,
}: {
  reading: Pick<ReturnType<typeof useCall>, 'error' | 'refetch'> & {
    data: { items: readonly T[] } | undefined;
  };
  none: { title: string; hint: string };
  children: (item: T) => ReactNode;
}) => {
  if (data === undefined)
    return error ? <ErrorPanel error={error} onRetry={refetch} /> : <Waiting />;
  if (data.items.length === 0) return <Empty {...none} />;
  return <ul className={styles['list']}>{data.items.map(children)}</ul>;
};

const Notices = ({ onOpen }: { onOpen: (entry: InboxEntry) => void }) => {
  const { t } = useTexts();
  return (
    <Rows
      reading={useCall(readInbox, {}, { quiet: true })}
      none={{ title: t('inbox.none'), hint: t('inbox.none_hint') }}
    >
      {(entry) => <Notice key={entry.id} entry={entry} onOpen={onOpen} />}
    </Rows>
  );
};

const jobState = {
  queued: 'inbox.job_going',
  running: 'inbox.job_going',
  done: 'inbox.job_done',
  failed: 'inbox.job_failed',
} as const;

const JobRow = ({ job, onOpen }: { job: Job; onOpen: (id: number) => void }) => {
  const { t, language } = useTexts();
  const format = useFormat();
  const action = job.kind === 'export' ? 'export' : (job.kind.split('.')[1] ?? job.kind);
  const size =
    job.file?.name ??
    t('inbox.result', {
      ok: format.number(job.ok),
      skipped: format.number(job.skipped),
      failed: format.number(job.failed),
    });
  return (
    <li>
      <button type="button" className={styles['entry']} onClick={() => onOpen(job.id)}>
        <span className={styles['icon']} data-kind={job.status === 'failed' ? 'refused' : 'job'}>
          <Icon of={icons.job} />
        </span>
        <span className={styles['words']}>
          <strong>
            {t(jobState[job.status], { what: jobWords({ list: job.list, action }, t, language) })}
          </strong>
          <span>{size}</span>
          <time dateTime={job.created_at} title={format.dateTime(job.created_at)}>
            {format.relative(job.created_at)}
          </time>
        </span>
      </button>
    </li>
  );
};

const Jobs = ({ onOpen }: { onOpen: (id: number) => void }) => {
  const { t } = useTexts();
  return (
    <Rows
      reading={useCall(listJobs, {}, { quiet: true, staleTime: 0 })}
      none={{ title: t('inbox.no_jobs'), hint: t('inbox.no_jobs_hint') }}
    >
      {(job) => <JobRow key={job.id} job={job} onOpen={onOpen} />}
    </Rows>
  );
};

type Tab = 'notices' | 'jobs';

const Body = ({
  onOpen,
  onJob,
}: {
  onOpen: (entry: InboxEntry) => void;
  onJob: (id: number) => void;
}) => {
  const { t } = useTexts();
  const panel = useId();
  const [tab, setTab] = useState<Tab>('notices');
  return (
    <>
      <TabStrip<Tab>
        label={t('inbox.title')}
        controls={panel}
        value={tab}
        onChange={setTab}
        tabs={[
          { key: 'notices', label: t('inbox.notices') },
          { key: 'jobs', label: t('inbox.jobs') },
        ]}
      />
      <div id={panel} role="tabpanel" aria-labelledby={`${panel}-${tab}`}>
        {tab === 'notices' ? <Notices onOpen={onOpen} /> : <Jobs onOpen={onJob} />}
      </div>
    </>
  );
};

/**
 * A drawer with the user's notifications and jobs. Each notification has a link to its row, and
 * each job shows its files.
 */
export const InboxDrawer = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTexts();
  const narrow = useNarrow();
  const [job, setJob] = useState<number | null>(null);
  const { data } = useCall(readInbox, open ? {} : null, { quiet: true });
  const { busy, run } = useActions<'all'>();
  const openEntry = (entry: InboxEntry): void => {
    // The entry opens before it is marked as read. If marking fails, nothing else is affected.
    void markRead([entry]).catch(() => null);
    const place = placeOf(entry);
    if (place === null) return setJob(entry.subject_id);
    onClose();
    openScreen(place.screen, place.search);
  };
  const all = (): void => void run('all', () => markRead(data?.items ?? []));
  return (
    <>
      <Drawer
        open={open}
        onClose={onClose}
        size={narrow ? '100%' : 420}
        title={t('inbox.title')}
        extra={
          <Button
            type="text"
            size="small"
            disabled={(data?.unread ?? 0) === 0}
            loading={busy.has('all')}
            onClick={all}
          >
            {t('inbox.mark_all')}
          </Button>
        }
      >
        <Body onOpen={openEntry} onJob={setJob} />
      </Drawer>
      <WatchedJob id={job} refreshes={[listJobs]} onRetried={setJob} onClose={() => setJob(null)} />
    </>
  );
};
