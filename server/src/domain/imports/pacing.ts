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

/** Milliseconds until the carrier may be called for a parcel; 0 at once, and where no import ordered it. By the database's clock, which all workers share. */
const reserveCall = async (tx: Tx, express_id: number): Promise<number> => {
  const step = sql`${orderEveryMs} * interval '1 millisecond'`;
  const { rows } = await sql<{ wait: number }>`insert into import_paces as p (merchant_id, until)
    select e.merchant_id, clock_timestamp() + ${step} from expresses e
    where e.id = ${express_id} and e.merchant_id is not null and exists (select 1 from import_rows w where w.express_id = e.id)
    on conflict (merchant_id) do update
    set until = least(greatest(p.until, clock_timestamp()), clock_timestamp() + ${longestWait} * interval '1 millisecond') + ${step}
    returning (extract(epoch from p.until - ${step} - clock_timestamp()) * 1000)::float8 as wait`.execute(tx);
  return Math.max(0, Math.ceil(rows[0]?.wait ?? 0));
};

/**
 * The task that calls the carrier for one parcel, at the pace of its account where an import ordered it: one moment a call, over all workers, however late the
 * job runs and however often. A person's order runs at once.
 */
export const atPace =
  <Context extends Pick<ImportContext, 'db'>>(send: Task<Context>): Task<Context> =>
  async (context, payload: { express_id: number }, job) => {
    const wait = job.planned ? await context.db.tx(scope, (tx) => reserveCall(tx, payload.express_id)) : 0;
    if (wait > 0) await rest(wait);
    await send(context, payload as never, job);
  };

/** Lets the orders of persons go before these. */
export const letPersonsGoFirst = (tx: Tx, express_ids: readonly number[]): Promise<void> =>
  reorderJobs(
    tx,
    express_ids.map((id) => `send_order:${id}`),
    afterPersons,
  );
