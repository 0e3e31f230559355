import type { ReactNode } from 'react';
import type { Health } from '@waystation/contract/shell/health.ts';
import { useFormat } from '#base/format.ts';
import type { Format } from '#base/format.ts';
import { screenHref } from '#shell/tabs/open-screen.ts';
import { Facts } from '#ui/facts.tsx';
import type { Fact } from '#ui/facts.tsx';
import primitives from '#ui/primitives.module.css';
import { sizeText } from '#ui/values/file-size.ts';
import styles from './health.module.css';
import { useHealthWords } from './words.ts';
import type { HealthWords } from './words.ts';

/**
 * This is not a landmark, because the scrollable table inside it is already a landmark with the
 * same name.
 */
const Card = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={`${primitives['card']} ${styles['card']}`}>
    <h2>{title}</h2>
    {children}
  </section>
);

const Table = ({
  title,
  columns,
  rows,
}: {
  title: string;
  columns: readonly string[];
  rows: readonly { key: string | number; name: ReactNode; cells: readonly ReactNode[] }[];
}) => (
  <div className={styles['scroll']} role="region" aria-label={title} tabIndex={0}>
    <table className={`${primitives['table']} ${styles['table']}`}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, cells }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            {cells.map((cell, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- cells have the columns' order
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const JobsCard = ({ jobs: { tasks, more } }: Pick<Health, 'jobs'>) => {
  const format = useFormat();
  const { say, task } = useHealthWords();
  return (
    <Card title={say('jobs')}>
      {tasks.length === 0 ? (
        <p className={styles['hint']}>{say('jobs_none')}</p>
      ) : (
        <Table
          title={say('jobs')}
          columns={[say('task'), say('waiting'), say('oldest'), say('running'), say('failed')]}
          rows={tasks.map((row) => ({
            key: row.task,
            name: task(row.task),
            cells: [
              format.number(row.waiting),
              row.oldest_at === null ? '—' : format.relative(row.oldest_at),
              format.number(row.running),
              format.number(row.failed),
            ],
          }))}
        />
      )}
      {more === 1 && <p className={styles['hint']}>{say('jobs_more')}</p>}
    </Card>
  );
};

export const CarriersCard = ({ carriers }: Pick<Health, 'carriers'>) => {
  const format = useFormat();
  const { say } = useHealthWords();
  const ms = (value: number | null): string =>
    value === null ? '—' : `${format.number(value)} ms`;
  return (
    <Card title={say('carriers')}>
      {carriers.length === 0 ? (
        <p className={styles['hint']}>{say('carriers_none')}</p>
      ) : (
        <Table
          title={say('carriers')}
          columns={[
            say('account'),
            say('calls'),
            say('answered'),
            say('median'),
            say('p95'),
            say('state'),
          ]}
          rows={carriers.map((row) => ({
            key: row.merchant_id,
            name: <a href={screenHref('MerchantTable', { id: row.merchant_id })}>{row.name}</a>,
            cells: [
              format.number(row.calls),
              row.calls === 0 ? '—' : format.percent(row.answered / row.calls),
              ms(row.median_ms),
              ms(row.p95_ms),
              say(
                row.paused_at !== null
                  ? 'state_paused'
                  : row.down_since !== null
                    ? 'state_down'
                    : 'state_ok',
              ),
            ],
          }))}
        />
      )}
    </Card>
  );
};

const replicaText = (replica: Health['replica'], { say }: HealthWords, format: Format): string => {
  if (replica === null) return say('replica_none');
  if (replica.behind_ms === null) return say('replica_away');
  return say('replica_age', { seconds: format.oneDecimal(replica.behind_ms / 1_000) });
};

export const DatabaseCard = ({
  database,
  replica,
  disks,
}: Pick<Health, 'database' | 'replica' | 'disks'>) => {
  const format = useFormat();
  const words = useHealthWords();
  const { say } = words;
  const facts: Fact[] = [
    { key: 'version', label: say('version'), value: `PostgreSQL ${database.version}` },
    { key: 'bytes', label: say('size'), value: sizeText(database.bytes, format) },
    {
      key: 'connections',
      label: say('connections'),
      value: say('of_most', {
        used: format.number(database.connections),
        most: format.number(database.most_connections),
      }),
    },
    { key: 'standbys', label: say('standbys'), value: format.number(database.standbys) },
    { key: 'replica', label: say('replica'), value: replicaText(replica, words, format) },
    ...disks.map(({ place, free, total }) => ({
      key: place,
      label: say('disk'),
      value:
        free === null || total === null
          ? say('disk_gone')
          : say('free_of', { free: sizeText(free, format), total: sizeText(total, format) }),
      effect: place,
      wide: true,
    })),
  ];
  return (
    <Card title={say('database')}>
      <Facts facts={facts} />
    </Card>
  );
};

export const BackupsCard = ({ backups, wal }: Pick<Health, 'backups' | 'wal'>) => {
  const format = useFormat();
  const { say } = useHealthWords();
  const at = (moment: string | null): string =>
    moment === null ? say('never') : format.time(moment);
  const { scheduled, next_at, finished_at, bytes, verified_at, failed_at, problem } = backups;
  const facts: Fact[] = [
    {
      key: 'finished_at',
      label: say('last_backup'),
      value: `${at(finished_at)}${bytes === null ? '' : ` · ${sizeText(bytes, format)}`}`,
    },
    { key: 'verified_at', label: say('last_verified'), value: at(verified_at) },
    {
      key: 'next_at',
      label: say('next_backup'),
      value: scheduled === 1 && next_at !== null ? format.time(next_at) : say('unscheduled'),
    },
    {
      key: 'wal',
      label: say('wal_archived'),
      value: wal === null ? say('wal_off') : at(wal.archived_at),
    },
    ...(wal?.own === 1
      ? [
          {
            key: 'from_at',
            label: say('wal_from'),
            value:
              wal.from_at === null ? say('never') : say('wal_since', { time: at(wal.from_at) }),
          },
          { key: 'wal_verified', label: say('wal_verified'), value: at(wal.verified_at) },
        ]
      : []),
    ...(failed_at === null
      ? []
      : [
          {
            key: 'failed_at',
            label: say('last_failed'),
            value: at(failed_at),
            effect: problem ?? '',
            wide: true,
          },
        ]),
  ];
  return (
    <Card title={say('backups')}>
      <Facts facts={facts} />
    </Card>
  );
};

const mailText = (notices: Health['notices'], { say }: HealthWords, format: Format): string =>
  notices.mail === 'none'
    ? say('mail_none')
    : notices.mail === 'ready'
      ? say('mail_ready')
      : say('mail_failing_since', {
          time: notices.mail_failing_since === null ? '—' : format.time(notices.mail_failing_since),
          detail: notices.mail_detail,
        });

export const NoticesCard = ({ notices }: Pick<Health, 'notices'>) => {
  const format = useFormat();
  const words = useHealthWords();
  const { say } = words;
  return (
    <Card title={say('notices')}>
      <Facts
        facts={[
          { key: 'mail', label: say('mail'), value: mailText(notices, words, format), wide: true },
          { key: 'live', label: say('channels_live'), value: format.number(notices.live) },
          { key: 'failing', label: say('channels_failed'), value: format.number(notices.failing) },
          { key: 'waiting', label: say('notices_waiting'), value: format.number(notices.waiting) },
        ]}
      />
    </Card>
  );
};

export const LedgerCard = ({ proof, orders }: Pick<Health, 'proof' | 'orders'>) => {
  const format = useFormat();
  const { say } = useHealthWords();
  const said = (last: Health['proof']['full']): string =>
    last === null
      ? say('never')
      : say(last.ok === 1 ? 'proof_ok' : 'proof_bad', { time: format.time(last.at) });
  return (
    <Card title={say('ledger')}>
      <Facts
        facts={[
          { key: 'full', label: say('proof_full'), value: said(proof.full) },
          { key: 'part', label: say('proof_part'), value: said(proof.part) },
          { key: 'suspended', label: say('suspended'), value: format.number(proof.suspended) },
          {
            key: 'open',
            label: say('open_orders_count'),
            value: `${format.number(orders.open)}${orders.more === 1 ? '+' : ''}`,
          },
        ]}
      />
    </Card>
  );
};

export const ProcessesCard = ({
  process,
  workers,
  database,
}: Pick<Health, 'process' | 'workers' | 'database'>) => {
  const format = useFormat();
  const { say } = useHealthWords();
  const [newest] = workers;
  return (
    <Card title={say('processes')}>
      <Facts
        facts={[
          {
            key: 'product',
            label: say('product'),
            value: say('product_version', { version: process.version, edition: database.edition }),
            wide: true,
          },
          { key: 'node', label: 'Node', value: process.node },
          { key: 'migration', label: say('migration'), value: database.migration, wide: true },
          {
            key: 'api',
            label: say('api'),
            value: say('api_state', {
              time: format.time(process.started_at),
              memory: sizeText(process.bytes, format),
            }),
            wide: true,
          },
          {
            key: 'workers',
            label: say('workers'),
            value: newest
              ? say('workers_state', {
                  count: workers.length,
                  running: workers.reduce((sum, { running }) => sum + running, 0),
                  time: format.relative(newest.seen_at),
                })
              : say('workers_none'),
            wide: true,
          },
        ]}
      />
    </Card>
  );
};
