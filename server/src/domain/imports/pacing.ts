import { setTimeout as rest } from 'node:timers/promises';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { reorderJobs } from '#platform/jobs/jobs.ts';
import type { Task } from '#platform/jobs/jobs.ts';
import { orderEveryMs } from './slots.ts';
import type { ImportContext } from './store.ts';

const scope = systemScope('pace of imports');
/** After the orders of persons, which are queued at −10: a call that waits for its moment occupies a worker for no more than that. */
const afterPersons = -9;
/** A moment is never further away, so that a clock that is set back stops no orders: more than five hundred calls at once would be. */
const longestWait = 30_000;

/** Milliseconds that a call may be behind its moment: one that is later takes another, since calls that wait for one busy processor would go together. */
const mostLate = 40;
/** Moments that a call takes, so that it is made at last on a machine that is always late. */
const mostMoments = 5;

/** Milliseconds until the carrier may be called for a parcel; null where no import ordered it. By the database's clock, which all workers share. */
const reserveCall = async (tx: Tx, express_id: number): Promise<number | null> => {
  const step = sql`${orderEveryMs} * interval '1 millisecond'`;
  const { rows } = await sql<{ wait: number }>`insert into import_paces as p (merchant_id, until)
    select e.merchant_id, clock_timestamp() + ${step} from expresses e
    where e.id = ${express_id} and e.merchant_id is not null and exists (select 1 from import_rows w where w.express_id = e.id)
    on conflict (merchant_id) do update
    set until = least(greatest(p.until, clock_timestamp()), clock_timestamp() + ${longestWait} * interval '1 millisecond') + ${step}
    returning (extract(epoch from p.until - ${step} - clock_timestamp()) * 1000)::float8 as wait`.execute(tx);
  return rows[0] ? Math.max(0, Math.ceil(rows[0].wait)) : null;
};

/** Waits for the moment of a call. */
const awaitMoment = async ({ db }: Pick<ImportContext, 'db'>, express_id: number): Promise<void> => {
  for (let taken = 0; taken < mostMoments; taken++) {
    const since = performance.now();
    const wait = await db.tx(scope, (tx) => reserveCall(tx, express_id));
    if (wait === null) return;
    await rest(wait);
    if (performance.now() - since - wait <= mostLate) return;
  }
};

/**
 * The task that calls the carrier for one parcel, at the pace of its account where an import ordered it: one moment a call, over all workers, however late the
 * job runs and however often. A person's order runs at once.
 */
export const atPace =
  <Context extends Pick<ImportContext, 'db'>>(send: Task<Context>): Task<Context> =>
  async (context, payload: { express_id: number }, job) => {
    if (job.planned) await awaitMoment(context, payload.express_id);
    await send(context, payload as never, job);
  };

/** Lets the orders of persons go before these. */
export const letPersonsGoFirst = (tx: Tx, express_ids: readonly number[]): Promise<void> =>
  reorderJobs(
    tx,
    express_ids.map((id) => `send_order:${id}`),
    afterPersons,
  );
