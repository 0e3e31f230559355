import { firstOf } from '@waystation/contract/base/present.ts';
import { daysBefore } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { readSetting } from '#platform/settings.ts';

/** The number of notices in one transaction; a run has at most `mostTurns` transactions. */
const mostNotices = 1_000;
const mostTurns = 20;
/**
 * The age in days from which a notice is not delivered any more, for example after a long stop of
 * the worker or an import of old data.
 */
const freshDays = 3;
/** The number of days for which an entry is kept that its user has read. */
const keptDays = 30;

const parcelKinds = sql.raw(
  "'on_hold', 'refused', 'exception', 'returning', 'unreachable', 'unmoved', 'missed', 'left_behind', 'cancel_failed'",
);

/**
 * The recipients of a notice. About a parcel: the user who ordered it (for a failed cancel, the
 * user who requested the cancel) and the managers of its station. About a low balance: the users
 * who can top up, and the partner above. About a closed month and its reminder: the users who can
 * confirm it. About a request: all admins except its author. About a decision, job, import,
 * webhook, channel or setup guide: the user who created it.
 */
const recipients = sql`
  select a.id from accounts a where a.id = n.account_id and a.status = 1
    and n.kind in (${parcelKinds}, 'decided', 'job', 'setup', 'import', 'webhook', 'channel')
  union
  select a.id from accounts a where a.station_id = n.station_id and a.status = 1
    and ((n.kind in (${parcelKinds}) and a.role = 'station')
      or (n.kind in ('low_balance', 'month_closed', 'month_reminder')
        and a.role in ('station', 'partner')))
  union
  select a.id from stations s join accounts a on a.station_id = s.parent_id
    and a.role = 'partner' and a.status = 1 where n.kind = 'low_balance'
    and s.id = n.station_id
  union
  select a.id from accounts a where n.kind = 'request' and a.station_id is null
    and a.status = 1 and a.id is distinct from n.account_id`;

const deliverSome = async (
  work: Work,
  { since, now }: { since: Date; now: Date },
): Promise<number> => {
  const { rows } = await sql<{ taken: number; accounts: number[] | null }>`
    with taken as (
      delete from inbox_notices where id in (select id from inbox_notices order by id
        limit ${mostNotices} for update skip locked) returning *
    ), news as (
      select r.id as account_id, n.kind, n.station_id, n.subject_id, n.data, n.at, n.id as no,
        case n.kind
        when 'request' then 'request'
        when 'decided' then 'decided:' || n.subject_id
        when 'job' then 'job:' || n.subject_id
        -- One parcel an entry: no list shows these parcels and no others.
        when 'cancel_failed' then 'cancel_failed:' || n.subject_id
        when 'import' then 'import:' || n.subject_id
        when 'webhook' then 'webhook:' || n.subject_id
        when 'channel' then 'channel:' || n.subject_id
        when 'month_closed' then 'month_closed:' || n.station_id || ':' || (n.data ->> 'period')
        when 'month_reminder' then 'month_reminder:' || n.station_id || ':' || (n.data ->> 'period')
        else n.kind || ':' || n.station_id end as thread
      from taken n cross join lateral (${recipients}) r where n.at >= ${since}
    ), threads as (
      select distinct on (account_id, thread) account_id, thread, kind, case
        when kind = 'request' then null else station_id end as station_id, subject_id, data,
        count(*) over (partition by account_id, thread)::int as count,
          max(at) over (partition by account_id, thread) as at
      from news order by account_id, thread, at desc, no desc
    ), written as (
      insert into inbox_entries (account_id, kind, thread, station_id, subject_id, count,
        data, at)
      select account_id, kind, thread, station_id, subject_id, count, data, at from threads
        order by account_id, thread
      on conflict (account_id, thread) where read_at is null
      do update set subject_id = excluded.subject_id, data = excluded.data,
        count = inbox_entries.count + excluded.count,
        at = greatest(inbox_entries.at, excluded.at)
      returning id, account_id, kind, subject_id
    ), passed_on as (
      insert into notice_outbox (channel_id, entry_id, at)
      select c.id, w.id, ${now} from written w join notice_channels c
        on c.account_id = w.account_id and c.status = 'live' and w.kind = any(c.kinds)
        where not (w.kind = 'channel' and w.subject_id = c.id)
      on conflict (channel_id, entry_id) do update set events = notice_outbox.events + 1
    )
    select (select count(*)::int from taken) as taken,
      (select array_agg(distinct account_id) from written) as accounts`.execute(work.tx);
  const { taken, accounts } = firstOf(rows);
  if (accounts !== null)
    await sql`insert into live_events (kind, account_id, data)
      select 'inbox', account_id, jsonb_build_object('unread', count(*)) from inbox_entries
        where account_id = any(${accounts}::bigint[]) and read_at is null
        group by account_id`.execute(work.tx);
  return taken;
};

/**
 * Task that runs every minute: turns notices into entries and notifies open browser windows. The
 * same transaction stores the channels to which each entry will be sent.
 */
export const deliverInbox = async ({
  db,
  clock,
}: {
  db: Db;
  clock: { now(): Date };
}): Promise<void> => {
  const now = clock.now();
  const since = new Date(now.getTime() - freshDays * 86_400_000);
  for (let turn = 0; turn < mostTurns; turn++)
    if (
      (await db.tx(systemScope('inbox'), (work) => deliverSome(work, { since, now }))) < mostNotices
    )
      return;
};

/**
 * Removes entries that are older than the setting, and entries that were read more than 30 days
 * ago.
 */
export const removeOldEntries = async (work: Work, now: Date, most: number): Promise<number> => {
  const unread = daysBefore(now, await readSetting(work, 'inbox_days'));
  const read = daysBefore(now, keptDays);
  const { numAffectedRows } = await sql`delete from inbox_entries where id in (
    select id from inbox_entries where at < ${unread} or (at < ${read} and read_at < ${read})
      order by at limit ${most})`.execute(work.tx);
  return Number(numAffectedRows ?? 0);
};
