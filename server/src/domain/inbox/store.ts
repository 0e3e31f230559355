import { mostInboxEntries } from '@waystation/contract/shell/inbox.ts';
import type { Inbox, InboxEntry } from '@waystation/contract/shell/inbox.ts';
import { setupsOfStations } from '#domain/station-setup/station-setup.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, RowOf, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

type Stored = RowOf<
  'inbox_entries',
  'id' | 'kind' | 'station_id' | 'subject_id' | 'count' | 'at' | 'read_at' | 'data'
> & {
  station_name: string | null;
  parcel: InboxEntry['parcel'];
  request: InboxEntry['request'];
  job: InboxEntry['job'];
  import: InboxEntry['import'];
  month: InboxEntry['month'];
};

const mostWaiting = 100;

/**
 * The amounts and the remaining days in a notice of a low balance. Older notices contain no limit.
 */
const balanceOf = (data: Stored['data']): InboxEntry['balance'] => {
  const figure = (name: string): number | null =>
    data[name] === null || data[name] === undefined ? null : Number(data[name]);
  return {
    available: Number(data['available']),
    days_left: figure('days_left'),
    low_limit: figure('low_limit'),
  };
};

/** SQL: true if the entry belongs to the caller and the caller may still see its station. */
const own = (actor: Actor) => {
  const scope = scopeOf(actor);
  return scope.kind === 'all'
    ? sql<boolean>`e.account_id = ${actor.account_id}`
    : sql<boolean>`e.account_id = ${actor.account_id}
      and ${scopeCondition(callerOf(actor), 'e.station_id')}`;
};

const unreadOf = async (work: ReaderWork): Promise<number> => {
  const row = await oneRow(
    work,
    sql<{ unread: number }>`select count(*)::int as unread
    from inbox_entries e where ${own(work.actor)} and e.read_at is null`,
  );
  return row.unread;
};

const waitingNow = async (work: Work): Promise<number> => {
  const row = await oneRow(
    work,
    sql<{ n: number }>`select count(*)::int as n
      from (select from statements where status = 'pending' and transfer_id is null
      limit ${mostWaiting}) s`,
  );
  return row.n;
};

/**
 * The largest number of setup guides whose progress is read, because each needs a price
 * calculation.
 */
const mostSetups = 10;

/** The setup progress of the stations to which the newest entries belong, by station. */
const setupsOf = async (
  work: ReaderWork,
  rows: readonly Stored[],
  at: Date,
): Promise<Map<number, InboxEntry['setup']>> => {
  const ids = [
    ...new Set(
      rows.flatMap(({ kind, subject_id }) =>
        kind === 'setup' && subject_id !== null ? [subject_id] : [],
      ),
    ),
  ].slice(0, mostSetups);
  if (ids.length === 0) return new Map();
  const setups = await setupsOfStations(work, work.actor.account_id, ids, at);
  return new Map(
    setups.map(({ station_id, done, steps, is_open }) => [
      station_id,
      {
        done,
        steps: steps.length,
        next: steps.find(({ state }) => state !== 'done')?.step ?? null,
        is_open,
      },
    ]),
  );
};

/**
 * The newest entries with their subjects, as far as the caller may see them now. If `only` is
 * given, returns the unread entries with these ids instead.
 */
export const entriesOf = async (
  work: ReaderWork,
  at: Date,
  only: readonly number[] | null = null,
): Promise<Inbox> => {
  const scope = scopeOf(work.actor);
  const chosen =
    only === null
      ? own(work.actor)
      : sql<boolean>`${own(work.actor)} and e.read_at is null and e.id = any(${only}::bigint[])`;
  const { rows } = await sql<Stored>`
    select e.id, e.kind, e.station_id, e.subject_id, e.count, e.at, e.read_at, e.data,
      s.name as station_name,
      case when x.id is not null then jsonb_build_object('number',
        coalesce(x.delivery_id, x.order_id), 'receive_name', x.receive_name) end as parcel,
      case when l.id is not null then jsonb_build_object('type', l.type, 'status', l.status,
        'amount', l.amount, 'reason', l.decision_reason) end as request,
      case when j.id is not null then jsonb_build_object('list', j.list, 'action', j.action,
        'status', j.status, 'ok', j.ok, 'skipped', j.skipped, 'failed', j.failed, 'reason',
        j.reason) end as job,
      case when i.id is not null then jsonb_build_object('file_name', i.file_name, 'status',
        i.status, 'ordered', coalesce((i.counts ->> 'ordered')::int, 0),
        'left', coalesce((i.counts ->> 'refused')::int,
          0) + coalesce((i.counts ->> 'error')::int, 0), 'reason', i.reason) end as import,
      case when e.kind in ('month_closed', 'month_reminder')
        then jsonb_build_object('period', e.data ->> 'period',
        'confirmed', (c.id is not null)::int) end as month
    from (select e.id, e.account_id, e.kind, e.station_id, e.subject_id, e.count, e.at,
      e.read_at, e.data from inbox_entries e where ${chosen} order by e.at desc, e.id desc
      limit ${mostInboxEntries}) e
    left join stations s on s.id = e.station_id and ${scopeCondition(work, 's.id')}
    left join expresses x on e.kind in ('on_hold', 'refused', 'exception', 'returning',
      'unreachable', 'unmoved', 'missed', 'left_behind', 'cancel_failed') and x.id = e.subject_id
      and ${scopeCondition(work, 'x.station_id', 'x.user_id')}
    left join statements l on e.kind = 'decided' and l.id = e.subject_id
      and l.account_id = e.account_id and ${scopeCondition(work, 'l.station_id')}
    left join user_jobs j on e.kind = 'job' and j.id = e.subject_id
      and j.account_id = e.account_id
    left join statement_confirmations c on e.kind in ('month_closed', 'month_reminder')
      and c.station_id = e.station_id and c.period = e.data ->> 'period'
      and ${scopeCondition(work, 'c.station_id')}
    left join imports i on e.kind = 'import' and i.id = e.subject_id
      and ${scopeCondition(work, 'i.station_id', 'i.user_id')}
    order by e.at desc, e.id desc`.execute(work.tx);
  const setups = await setupsOf(work, rows, at);
  const waiting =
    rows.some(({ kind }) => kind === 'request') && scope.kind === 'all'
      ? await waitingNow(work)
      : null;
  return {
    items: rows.map(({ read_at, data, at: happened, ...row }) => ({
      ...row,
      at: happened.toISOString(),
      is_read: read_at === null ? 0 : 1,
      waiting: row.kind === 'request' ? waiting : null,
      setup: (row.kind === 'setup' && setups.get(row.subject_id!)) || null,
      balance: row.kind === 'low_balance' ? balanceOf(data) : null,
      webhook: row.kind === 'webhook' ? (data as NonNullable<InboxEntry['webhook']>) : null,
      channel: row.kind === 'channel' ? (data as NonNullable<InboxEntry['channel']>) : null,
    })),
    unread: await unreadOf(work),
  };
};

/** Marks entries as read, and notifies the user's other browser windows. */
export const markRead = async (
  work: ReaderWork,
  which: { ids: readonly number[] } | { until: string },
  now: Date,
): Promise<number> => {
  const chosen =
    'ids' in which
      ? sql<boolean>`e.id = any(${which.ids}::bigint[])`
      : sql<boolean>`date_trunc('milliseconds',
      e.at) <= ${which.until}::timestamptz`;
  const { rows } = await sql`update inbox_entries e set read_at = ${now} where ${own(work.actor)}
    and e.read_at is null and ${chosen} returning 1`.execute(work.tx);
  const unread = await unreadOf(work);
  if (rows.length > 0)
    await sql`insert into live_events (kind, account_id, data)
      values ('inbox', ${work.actor.account_id},
      jsonb_build_object('unread', ${unread}::int))`.execute(work.tx);
  return unread;
};
