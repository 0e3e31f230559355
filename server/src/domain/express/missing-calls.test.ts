import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { parcelClient, creates } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { queueMissingCalls } from './missing-calls.ts';
import { pollLive } from './poll.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.worker.stop();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
});
afterAll(() => system.close());

/**
 * The application with its clock moved into the future. PostgreSQL sets the times of rows by the
 * real clock.
 */
const later = (minutes: number) => ({
  ...system.app,
  clock: { now: () => new Date(Date.now() + minutes * 60_000) },
});
const lookIn = (minutes: number) => queueMissingCalls(later(minutes), {}, { log: silentLog() });
const jobs = async (): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{ key: string }>`select key from graphile_worker._private_jobs
        where key ~ '^(send_order|cancel_parcel|modify_parcel):' order by key`,
    )
  ).map(({ key }) => key);
const loseJobs = () => rowsOf(system, sql`delete from graphile_worker._private_jobs`);

describe('a call whose job was lost (requirements §4)', () => {
  it('an order whose send job was lost is queued again after ten minutes', async () => {
    const parcel = await clerk.begin();
    await lookIn(11);
    expect(await jobs()).toEqual([`send_order:${parcel.id}`]);
    await loseJobs();
    await lookIn(9);
    expect(await jobs()).toEqual([]);
    await lookIn(11);
    expect(await jobs()).toEqual([`send_order:${parcel.id}`]);
    const worker = await system.startWorker();
    expect(await clerk.until(parcel.id, 100)).toMatchObject({ state_code: 100 });
    expect(await creates(system, parcel.order_id)).toHaveLength(1);
    await worker.stop();
  });

  it('an order with two waybills is not queued again before an administrator has chosen one of the waybills', async () => {
    const parcel = await clerk.begin();
    const claims = [
      { delivery_id: 'JDVE1', source: 'push' },
      { delivery_id: 'JDVE2', source: 'answer' },
    ];
    const claim = (of: unknown[]) =>
      rowsOf(
        system,
        sql`update expresses
      set waybill_claims = ${JSON.stringify(of)} where id = ${parcel.id}`,
      );
    await claim(claims);
    await loseJobs();
    await lookIn(11);
    expect(await jobs()).toEqual([]);
    await claim(claims.map((one) => (one.source === 'answer' ? { ...one, rejected: 1 } : one)));
    await lookIn(11);
    expect(await jobs()).toEqual([`send_order:${parcel.id}`]);
    await loseJobs();
  });

  it('a cancel whose job was lost is queued again by the next poll of the parcel', async () => {
    const first = await system.startWorker();
    const parcel = await clerk.until((await clerk.begin()).id, 100);
    await first.stop();
    await clerk.act(parcel.id, 'cancel', { reason: '不寄了' });
    await loseJobs();
    await pollLive(later(11));
    expect(await jobs()).toContain(`cancel_parcel:${parcel.id}`);
    const worker = await system.startWorker();
    await eventually(async () => (await clerk.get(parcel.id)).state_code === 500);
    await worker.stop();
  });

  it('polling a parcel does not change the time of the next attempt to cancel it', async () => {
    const first = await system.startWorker();
    const parcel = await clerk.until((await clerk.begin()).id, 100);
    await first.stop();
    await clerk.act(parcel.id, 'cancel', { reason: '不寄了' });
    const moment = new Date('2099-01-01T00:00:00Z');
    await rowsOf(
      system,
      sql`update graphile_worker._private_jobs set run_at = ${moment}
        where key = ${`cancel_parcel:${parcel.id}`}`,
    );
    await pollLive(later(11));
    expect(
      await rowsOf(
        system,
        sql`select run_at from graphile_worker._private_jobs
          where key = ${`cancel_parcel:${parcel.id}`}`,
      ),
    ).toEqual([{ run_at: moment }]);
    await loseJobs();
  });

  it('an edit whose job was lost is queued again after ten minutes', async () => {
    const first = await system.startWorker();
    const parcel = await clerk.until((await clerk.begin()).id, 100);
    await first.stop();
    const answer = clerk.edit(parcel.id, {
      version: parcel.version,
      guarantee_value_amount: 200_000,
    });
    await eventually(async () => (await jobs()).some((key) => key.startsWith('modify_parcel:')));
    await loseJobs();
    await lookIn(9);
    expect(await jobs()).toEqual([]);
    await lookIn(11);
    expect((await jobs()).filter((key) => key.startsWith('modify_parcel:'))).toHaveLength(1);
    const worker = await system.startWorker();
    await eventually(async () => (await clerk.get(parcel.id)).modifying === 0);
    expect(await clerk.get(parcel.id)).toMatchObject({ guarantee_value_amount: 200_000 });
    await answer;
    await worker.stop();
  });

  it('an order is queued again if its job has been locked for ten minutes by a worker that does not run the job', async () => {
    const parcel = await clerk.begin();
    await rowsOf(
      system,
      sql`insert into worker_heartbeats (worker_id, seen_at)
      values ('living', now())`,
    );
    await rowsOf(
      system,
      sql`update graphile_worker._private_jobs
        set locked_by = 'living', locked_at = now(), attempts = 1
        where key = ${`send_order:${parcel.id}`}`,
    );
    const waiting = () =>
      rowsOf(
        system,
        sql`select from graphile_worker._private_jobs
      where key = ${`send_order:${parcel.id}`} and locked_by is null`,
      );
    await lookIn(9);
    expect(await waiting()).toHaveLength(0);
    await rowsOf(
      system,
      sql`update worker_heartbeats
      set job_ids = array(select id from graphile_worker._private_jobs
      where locked_by = 'living')`,
    );
    await lookIn(11);
    expect(await waiting()).toHaveLength(0);
    await rowsOf(system, sql`update worker_heartbeats set job_ids = '{}'`);
    await lookIn(11);
    expect(await waiting()).toHaveLength(1);
    await rowsOf(system, sql`delete from worker_heartbeats where worker_id = 'living'`);
    await loseJobs();
  });
});
