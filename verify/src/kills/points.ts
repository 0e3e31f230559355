import pg from 'pg';
import { sql } from '@waystation/server/testing/product.ts';
import { eventually, rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { LoadParcel } from './load.ts';

/** A worker that is stopped at a point in settlement, so that it can be killed there. */
export interface Held {
  /** Resolves when the worker has reached the point. */
  reached: Promise<unknown>;
  /** Lets every process that is still alive continue. */
  release(): Promise<void>;
}

/** A connection that locks rows. It can list the connections that wait for these rows. */
interface Keeper {
  run(text: string, values?: unknown[]): Promise<void>;
  /** Resolves when another connection waits for the locked rows. */
  waitedFor(): Promise<unknown>;
  end(): Promise<void>;
}

const asOwner = async (system: TestSystem, text: string): Promise<void> => {
  const client = new pg.Client(system.database.owner);
  await client.connect();
  await client.query(text);
  await client.end();
};

const openKeeper = async (system: TestSystem): Promise<Keeper> => {
  const client = new pg.Client(system.database.owner);
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const pid = rows[0]!.pid;
  return {
    run: async (text, values = []) => void (await client.query(text, values)),
    waitedFor: () =>
      eventually(
        async () =>
          (
            await rowsOf(
              system,
              sql`select 1 from pg_stat_activity
        where ${pid}::int = any(pg_blocking_pids(pid))`,
            )
          ).length > 0,
      ),
    end: () => client.end().catch(() => {}),
  };
};

type Question = keyof LoadParcel['carrier']['calls'];

/** Causes a fault in the next call of the given kind about a parcel. */
const meet = async (
  system: TestSystem,
  { carrier, waybill }: LoadParcel,
  question: Question,
  { kind, ms }: { kind: string; ms: number },
): Promise<void> => {
  const { path, after } = carrier.calls[question];
  const add = (fault: object): Promise<unknown> =>
    system.carrier.control('POST', 'faults', { path, waybill_code: waybill, ...fault });
  if (after > 0) await add({ kind: 'slow_after', ms: 0, times: after });
  await add({ kind, ms });
};

/** Resolves when the carrier has received the call in which the fault occurs. */
const met = (system: TestSystem): Promise<unknown> =>
  eventually(async () => {
    const { queue } = await system.carrier.control<{ queue: unknown[] }>('GET', 'faults');
    return queue.length === 0;
  });

const factNo = async (system: TestSystem, { id }: LoadParcel): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ n: number }>`select fact_no as n from expresses
    where id = ${id}`,
    )
  )[0]!.n;

const lockParcelRow = 'select 1 from expresses where id = $1 for update';
const lockStationRow =
  'select 1 from stations where id = (select station_id from expresses where id = $1) for no key update';
/**
 * Inserts a ledger transfer with the cause of a movement before the product inserts it. The
 * product's transaction must then wait until this transaction ends.
 */
const insertCause = `insert into ledger_transfers (kind, cause, content, at, period, hash) values ('carrier_fee', $1, '', now(), '2026-01', '')`;
/**
 * A trigger that keeps the jobs of a parcel from ending while another connection holds this lock. A
 * lock on the job's row would cause a deadlock: a push that has locked the parcel would wait for
 * the row, and the job would wait for the push.
 */
const endOfJobs = `create or replace function graphile_worker.kept_from_its_end() returns trigger language plpgsql as $$ begin
    perform pg_advisory_xact_lock(20260, (old.payload ->> 'express_id')::int);
    return old;
  end $$;
  create or replace trigger kept_from_its_end before delete on graphile_worker._private_jobs for each row
    when (old.payload ->> 'express_id' is not null) execute function graphile_worker.kept_from_its_end()`;
const lockEndOfJobs = 'select pg_advisory_xact_lock(20260, $1)';

type Arm = (system: TestSystem, parcel: LoadParcel) => Promise<Held>;

/** A point at which the worker waits for a lock. The test holds this lock from the start. */
const whileKept =
  (
    text: string,
    value: (system: TestSystem, parcel: LoadParcel) => unknown = (_, { id }) => id,
  ): Arm =>
  async (system, parcel) => {
    const keeper = await openKeeper(system);
    await keeper.run('set local session_replication_role = replica');
    await keeper.run(text, [await value(system, parcel)]);
    return { reached: keeper.waitedFor(), release: keeper.end };
  };

const whileAsked =
  (question: Question): Arm =>
  async (system, parcel) => {
    await meet(system, parcel, question, { kind: 'slow_before', ms: 1_500 });
    return { reached: met(system), release: async () => {} };
  };

/**
 * The point after the carrier has answered every call. The parcel's row is locked at this point.
 */
const afterAnswers: Arm = async (system, parcel) => {
  await meet(system, parcel, 'fee', { kind: 'slow_after', ms: 2_000 });
  const keeper = await openKeeper(system);
  const reached = met(system)
    .then(() => keeper.run(lockParcelRow, [parcel.id]))
    .then(() => keeper.waitedFor());
  return { reached, release: keeper.end };
};

/** The points at which the worker can be killed during the settlement of a parcel. */
export const settlementPoints: Readonly<Record<string, Arm>> = {
  'a push is read, the parcel not yet locked': whileKept(lockParcelRow),
  'the carrier is asked for the weight': whileAsked('weight'),
  'the weight is known, the carrier is asked for the fee': whileAsked('fee'),
  'everything is answered, nothing kept': afterAnswers,
  'the price is reckoned, no money moved': whileKept(lockStationRow),
  'the station’s money is moved, the fee and the commit to come': whileKept(
    insertCause,
    async (system, parcel) => `fee:${parcel.id}:${(await factNo(system, parcel)) + 1}`,
  ),
  'settled and committed, the job not yet ended': async (system, parcel) => {
    const no = await factNo(system, parcel);
    await asOwner(system, endOfJobs);
    const { reached, release } = await whileKept(lockEndOfJobs)(system, parcel);
    return {
      reached: reached.then(() => eventually(async () => (await factNo(system, parcel)) > no)),
      release,
    };
  },
};

/**
 * The points at which the worker can be killed while it releases a parcel on hold. The release
 * follows a top-up of the parcel's station.
 */
export const releasePoints: Readonly<Record<string, Arm>> = {
  'a parcel on hold is to be released': whileKept(lockParcelRow),
  'a parcel on hold is released, its money being held': whileKept(
    insertCause,
    (_, { id }) => `hold:${id}:1`,
  ),
};
