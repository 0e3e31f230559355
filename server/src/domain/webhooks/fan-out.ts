import { mostDeliveriesWaiting } from '@waystation/contract/base/limits.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { isTrusted } from '#platform/auth/key-trust.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { isPaused } from './pause.ts';
import { cappedAfter, retriedFor } from './schedule.ts';
import { sqlSubjectOf } from './subjects.ts';

/** The number of events that one transaction handles. */
const most = 500;

/**
 * Creates deliveries of the oldest events for every enabled webhook whose account may see the
 * station of the event. A webhook of a disabled account still gets deliveries for one day, if the
 * account could see the station while enabled. Only one process at a time does this, so that the
 * events of a parcel stay in order. A webhook that has failed for an hour, or whose account is
 * disabled, gets no more deliveries while `mostDeliveriesWaiting` of them are pending. The events
 * that it misses are counted, and its account gets one notice.
 */
const fanOutSome = async (work: Work, now: Date): Promise<number> => {
  const { rows: locked } = await sql<{ mine: boolean }>`select
    pg_try_advisory_xact_lock(hashtextextended('webhook events', 152)) as mine`.execute(work.tx);
  if (!firstOf(locked).mine) return 0;
  const cappedFrom = new Date(now.getTime() - cappedAfter);
  const pausedFrom = new Date(now.getTime() - retriedFor);
  const { rows } = await sql<{ taken: number }>`
    with taken as (
      delete from webhook_events where id in (select id from webhook_events order by id limit ${most})
      returning *
    ), events as (
      select x.*, stations_from(x.station_id) as above from taken x
    ), matched as (
      select k.id as webhook_id, k.account_id, k.name, e.id as event_no, e.kind, e.station_id,
        e.subject_id, e.data, e.at, ${isPaused} as paused, row_number() over (partition by k.id order by e.id) as no
      from events e join webhooks k on k.status = 'live' and e.kind = any(k.kinds)
        join accounts a on a.id = k.account_id join accounts m on m.id = k.account_id
        left join stations t on t.id = a.station_id
      where (${isTrusted} or ${isPaused} and coalesce(k.paused_since, ${now}) > ${pausedFrom})
        and webhook_sees(a.role, a.station_id, k.watched_id, k.with_below, e.station_id, e.above)
    ), waiting as (
      select k.webhook_id, (select count(*) from (select from webhook_deliveries d
        where d.webhook_id = k.webhook_id and d.status = 'pending'
        limit ${mostDeliveriesWaiting}) d) as n
      from (select distinct webhook_id from matched) k
        join webhooks w on w.id = k.webhook_id
          and (w.failing_since <= ${cappedFrom} or w.paused_since is not null)
    ), written as (
      insert into webhook_deliveries (webhook_id, message_id, event_no, kind, station_id, subject,
          subject_id, data, at, begun_at, next_at)
        select webhook_id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), event_no, kind,
          station_id, ${sqlSubjectOf(sql`kind`)}, subject_id, data, at, ${now}, ${now}
        from matched left join waiting using (webhook_id)
        where n is null or n + no <= ${mostDeliveriesWaiting}
        order by event_no
    ), missed as (
      select webhook_id, count(*) as n from matched join waiting w using (webhook_id)
        where w.n + no > ${mostDeliveriesWaiting} group by webhook_id
    ), counted as (
      update webhooks k set dropped = k.dropped + missed.n, full_since = coalesce(k.full_since, ${now})
        from missed where missed.webhook_id = k.id
    ), paused as (
      update webhooks k set paused_since = ${now} from (select distinct webhook_id from matched
          where paused and webhook_id not in (select webhook_id from missed)) p
        where p.webhook_id = k.id and k.paused_since is null
    ), noted as (
      insert into inbox_notices (kind, station_id, account_id, subject_id, data, at)
        select 'webhook', k.station_id, k.account_id, k.id,
          jsonb_build_object('name', k.name, 'reason', 'full'), ${now}
        from missed join webhooks k on k.id = missed.webhook_id where k.full_since is null
    )
    select (select count(*) from taken) as taken`.execute(work.tx);
  return firstOf(rows).taken;
};

/**
 * The largest number of transactions in one call, so that sending can begin before a long queue is
 * empty.
 */
const turns = 20;

/** Creates the deliveries of new events, beginning with the oldest events. */
export const fanOut = async (db: Db, now: Date): Promise<void> => {
  for (let turn = 0, taken: number = most; taken === most && turn < turns; turn++)
    taken = await db.tx(systemScope('webhook events'), (work) => fanOutSome(work, now));
};
