import { sql } from '#platform/db/db.ts';
import type { Db, RawBuilder, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { isPaused } from './pause.ts';
import { atOnce, leaseMs, slowAfterMs } from './schedule.ts';

export interface Claimed {
  id: number;
  webhook_id: number;
  /**
   * The number of this attempt. It is higher for another process that claims the delivery later.
   */
  attempts: number;
  /** True if the last delivery of the webhook failed, or its endpoint answers slowly. */
  failing: boolean;
}

/**
 * The `next_at` of a test event: it is sent before all other deliveries, even while these wait
 * because the webhook fails.
 */
export const firstOfAll = new Date(0);

/** SQL that is true if the webhook `k` has a delivery that may be sent now. */
export const isDue = (now: Date) => sql<boolean>`k.status = 'live' and not ${isPaused}
  and exists (select from webhook_deliveries d where d.webhook_id = k.id and d.status = 'pending'
    and d.next_at <= case when k.resume_at <= ${now} then ${now}::timestamptz
            else ${firstOfAll}::timestamptz end)`;

/**
 * The largest numbers of deliveries to claim: of all webhooks, of working webhooks, and of webhooks
 * that fail or are slow.
 */
export interface Room {
  all: number;
  healthy: number;
  failing: number;
}

interface Lane {
  of: RawBuilder<boolean>;
  /** The largest number of deliveries of one webhook that may be sent at the same time. */
  each: number;
  most: number;
  failing: boolean;
  /** The ids of deliveries that this process is already sending. */
  sent: readonly number[];
}

const claimSome = async (
  work: Work,
  now: Date,
  { of, each, most, failing, sent }: Lane,
): Promise<Claimed[]> => {
  if (most <= 0) return [];
  // Leases use the clock of the database, which all processes share. The earliest event of a
  // subject is looked up by index, because a join would read everything while the statistics are
  // out of date. The update checks the lease again, because another process may have claimed the
  // delivery after this statement began. This statement still sees the rows as they were when it
  // began.
  const { rows } = await sql<Claimed>`
    with busy as (
      select k.id, coalesce(k.station_id, 0) as place, count(*) as n
      from webhook_deliveries b join webhooks k on k.id = b.webhook_id
      where b.status = 'pending' and b.leased_until is not null
        and b.leased_until > clock_timestamp()
      group by k.id
    ), due as (
      select k.id, coalesce(k.station_id, 0) as place, coalesce(b.n, 0) as n
      from webhooks k left join busy b on b.id = k.id
      where ${of} and ${isDue(now)} and coalesce(b.n, 0) < ${each}
      order by k.served_at limit ${most} for update of k skip locked
    ), found as (
      select due.place, p.*, row_number() over (partition by due.id order by p.next_at, p.id) as no
      from due join webhooks k on k.id = due.id cross join lateral (
        select d.id, d.next_at from webhook_deliveries d where d.webhook_id = due.id
          and d.status = 'pending'
          and d.next_at <= case when k.resume_at <= ${now} then ${now}::timestamptz
            else ${firstOfAll}::timestamptz end
          and (d.leased_until is null or d.leased_until <= clock_timestamp())
          and d.id <> all(${[...sent]}::bigint[])
          and (select e.event_no from webhook_deliveries e where e.webhook_id = d.webhook_id
            and e.status = 'pending' and e.subject = d.subject and e.subject_id = d.subject_id
            order by e.event_no limit 1) >= d.event_no
        order by d.next_at, d.id limit greatest(0, ${each} - due.n)) p
    ), shared as (
      select f.*, row_number() over (partition by f.place order by f.no, f.next_at, f.id)
        + coalesce((select sum(b.n) from busy b where b.place = f.place), 0) as of_place
      from found f
    ), picked as (
      select id from shared where of_place <= ${atOnce.station} order by no, next_at, id limit ${most}
    ), served as (
      update webhooks k set served_at = ${now}, paused_since = null from due where k.id = due.id
    )
    update webhook_deliveries d
      set leased_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1_000}),
        attempts = d.attempts + 1
      from picked where d.id = picked.id and d.status = 'pending'
        and (d.leased_until is null or d.leased_until <= clock_timestamp())
      returning d.id, d.webhook_id, d.attempts, ${failing}::boolean as failing`.execute(work.tx);
  return rows;
};

/**
 * Renews the leases of the deliveries that this process is sending, even if they expired while the
 * database was unreachable. A lease is not renewed if another process has claimed the delivery
 * since then.
 */
export const renewLeases = async (db: Db, sent: readonly Claimed[]): Promise<void> => {
  if (sent.length === 0) return;
  await db.tx(systemScope('webhook deliveries'), (work) =>
    sql`update webhook_deliveries d
      set leased_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1_000})
      from unnest(${sent.map(({ id }) => id)}::bigint[],
        ${sent.map(({ attempts }) => attempts)}::integer[]) as mine (id, attempts)
      where d.id = mine.id and d.attempts = mine.attempts and d.status = 'pending'`.execute(
      work.tx,
    ),
  );
};

const isSlow = sql<boolean>`(k.failures > 0 or k.usual_ms > ${slowAfterMs})`;

/**
 * Claims deliveries that are due, at most a few for each webhook and for each station. Webhooks
 * that have waited longest come first. A webhook that fails or answers slowly gets one delivery at
 * a time. A delivery waits until the earlier deliveries of the same subject are sent.
 */
export const claim = (
  db: Db,
  now: Date,
  room: Room,
  sent: readonly number[] = [],
): Promise<Claimed[]> =>
  db.tx(systemScope('webhook deliveries'), async (work) => {
    const healthy = await claimSome(work, now, {
      of: sql<boolean>`not ${isSlow}`,
      each: atOnce.each,
      most: Math.min(room.all, room.healthy),
      failing: false,
      sent,
    });
    const failing = await claimSome(work, now, {
      of: isSlow,
      each: atOnce.failing,
      most: Math.min(room.all - healthy.length, room.failing),
      failing: true,
      sent,
    });
    return [...healthy, ...failing];
  });
