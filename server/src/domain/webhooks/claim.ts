import { sql } from '#platform/db/db.ts';
import type { Db, RawBuilder, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { atOnce, leaseMs } from './schedule.ts';

export interface Claimed {
  id: number;
  webhook_id: number;
  /** Whether its webhook failed last. */
  failing: boolean;
}

const claimSome = async (
  work: Work,
  now: Date,
  {
    of,
    each,
    most,
    failing,
  }: { of: RawBuilder<boolean>; each: number; most: number; failing: boolean },
): Promise<Claimed[]> => {
  if (most <= 0) return [];
  const free = sql<boolean>`d.status = 'pending' and (d.leased_until is null
    or d.leased_until <= ${now})`;
  const { rows } = await sql<Claimed>`
    with due as (
      select k.id from webhooks k where k.status = 'live' and ${of} and k.resume_at <= ${now}
        and exists (select from webhook_deliveries d where d.webhook_id = k.id and ${free}
          and d.next_at <= ${now})
      order by k.served_at limit ${most} for update skip locked
    ), picked as (
      select p.id, row_number() over (partition by due.id order by p.next_at, p.id) as no
      from due cross join lateral (
        select d.id, d.next_at from webhook_deliveries d where d.webhook_id = due.id and ${free}
          and d.next_at <= ${now}
          and not exists (select from webhook_deliveries e where e.webhook_id = d.webhook_id
            and e.status = 'pending' and e.subject = d.subject and e.subject_id = d.subject_id
            and e.event_no < d.event_no)
        order by d.next_at, d.id
        limit greatest(0, ${each} - (select count(*) from webhook_deliveries b
          where b.webhook_id = due.id and b.status = 'pending' and b.leased_until > ${now}))) p
      order by no limit ${most}
    ), served as (
      update webhooks k set served_at = ${now} from due where k.id = due.id
    )
    update webhook_deliveries d set leased_until = ${new Date(now.getTime() + leaseMs)},
        attempts = d.attempts + 1
      from picked where d.id = picked.id
      returning d.id, d.webhook_id, ${failing} as failing`.execute(work.tx);
  return rows;
};

/**
 * Takes deliveries that are due: at most a few of each webhook, the one that waited longest first,
 * and of those that fail one at a time. A delivery waits for the earlier ones of its subject.
 */
export const claim = (
  db: Db,
  now: Date,
  room: { healthy: number; failing: number },
): Promise<Claimed[]> =>
  db.tx(systemScope('webhook deliveries'), async (work) => [
    ...(await claimSome(work, now, {
      of: sql<boolean>`k.failures = 0`,
      each: atOnce.each,
      most: room.healthy,
      failing: false,
    })),
    ...(await claimSome(work, now, {
      of: sql<boolean>`k.failures > 0`,
      each: atOnce.failing,
      most: room.failing,
      failing: true,
    })),
  ]);
