import { setTimeout as rest } from 'node:timers/promises';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { reorderJobs } from '#platform/jobs/jobs.ts';
import { keyOf } from '#platform/jobs/task.ts';
import type { JobContext } from '#platform/jobs/task.ts';
import { sendOrderTask } from '#domain/express/express.ts';
import { orderEveryMs } from './slots.ts';
import type { ImportContext } from './store.ts';

const scope = systemScope('pace of imports');
/**
 * Users' own orders, with the priority −10, come before import orders. A worker waits for the
 * reserved time of its import order, so a user's order waits at most until that time.
 */
const afterPersons = -9;
/**
 * The longest wait for a reserved time, in milliseconds. A clock that was set back can therefore
 * not stop all orders. Fewer than five hundred simultaneous calls do not reach this limit.
 */
const longestWait = 30_000;

/**
 * The largest delay of a call in milliseconds. A call that is later waits for a new time, because
 * all calls that one busy processor has delayed would be made together.
 */
const mostLate = 40;
/**
 * The largest number of reserved times for one call. After the last one, the call is made even if
 * it is late, because a slow machine may be late every time.
 */
const mostMoments = 5;

/**
 * Reserves the next call of the parcel's carrier account. Returns the milliseconds until the call;
 * null if no import ordered the parcel. The time is measured by the database's clock, because all
 * workers share it.
 */
const reserveCall = async (work: Work, express_id: number): Promise<number | null> => {
  const step = sql`${orderEveryMs} * interval '1 millisecond'`;
  const { rows } = await sql<{ wait: number }>`insert into import_paces as p (merchant_id,
    until)
    select e.merchant_id, clock_timestamp() + ${step} from expresses e
    where e.id = ${express_id} and e.merchant_id is not null
      and exists (select 1 from import_rows w where w.express_id = e.id)
    on conflict (merchant_id) do update
    set until = least(greatest(p.until, clock_timestamp()),
      clock_timestamp() + ${longestWait} * interval '1 millisecond') + ${step}
    returning (extract(epoch
      from p.until - ${step} - clock_timestamp()) * 1000)::float8 as wait`.execute(work.tx);
  return rows[0] ? Math.max(0, Math.ceil(rows[0].wait)) : null;
};

/**
 * Waits until the carrier may be called for the parcel. If the worker wakes up too late, reserves a
 * new time, up to `mostMoments` times.
 */
const awaitMoment = async (
  { db }: Pick<ImportContext, 'db'>,
  express_id: number,
): Promise<void> => {
  for (let taken = 0; taken < mostMoments; taken++) {
    const since = performance.now();
    const wait = await db.tx(scope, (work) => reserveCall(work, express_id));
    if (wait === null) return;
    await rest(wait);
    if (performance.now() - since - wait <= mostLate) return;
  }
};

/**
 * Returns a task that calls the carrier for one parcel. If an import ordered the parcel, the call
 * has its own reserved time, however late and often the job runs. The reserved times of all workers
 * together keep the pace of the carrier account. An order that a user places singly runs
 * immediately.
 */
export const atPace =
  <Context extends Pick<ImportContext, 'db'>, Payload extends { express_id: number }>(
    send: (context: Context, payload: Payload, job: JobContext) => Promise<void>,
  ) =>
  async (context: Context, payload: Payload, job: JobContext): Promise<void> => {
    if (job.planned) await awaitMoment(context, payload.express_id);
    await send(context, payload, job);
  };

/** Lowers the priority of these import orders, so that users' own orders come first. */
export const letPersonsGoFirst = (work: Work, express_ids: readonly number[]): Promise<void> =>
  reorderJobs(
    work,
    express_ids.map((express_id) => keyOf(sendOrderTask, { express_id })),
    afterPersons,
  );
