import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { ExceptionKind } from '@waystation/contract/parcels/express-exceptions.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { failureOf, parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { askTraceTask } from './queues.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 1_000_000);
  clerk = await parcelClient(system);
});
afterAll(() => system.close());

interface Counts {
  counts: Record<ExceptionKind, number>;
  unmoved_hours: number;
}

const jump = (parcel: Express, to: string) =>
  system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to });
const report = (parcel: Express, body: object) =>
  system.carrier.control('POST', `orders/${parcel.delivery_id}/events`, body);
const ask = (parcel: Express) =>
  system.app.db.tx(systemScope('test'), (work) =>
    addJob(work, askTraceTask, { express_id: parcel.id }),
  );
/** Asks the carrier for its trace, and waits for the answer. */
const asked = async (parcel: Express): Promise<void> => {
  const [before] = await rowsOf(system, sql<{ now: Date }>`select clock_timestamp() as now`);
  await ask(parcel);
  await eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1 from expresses
    where id = ${parcel.id} and polled_at > ${before!.now}`,
        )
      ).length > 0,
  );
};
const until = (parcel: Express, exception: ExceptionKind | null) =>
  eventually(async () => {
    const found = await clerk.get(parcel.id);
    return found.exception === exception && found.handled_at === null ? found : null;
  });
const at = async (
  to: string,
  exception: ExceptionKind,
  changes: Record<string, unknown> = {},
): Promise<Express> => {
  const { data } = await clerk.order(changes);
  await jump(data, to);
  return until(data, exception);
};
/** Sets the age of the carrier's last report of the parcel, in hours. */
const quietFor = async (parcel: Express, hours: number): Promise<void> => {
  await asked(parcel);
  await rowsOf(
    system,
    sql`update expresses
    set last_event_at = now() - ${hours} * interval '1 hour' where id = ${parcel.id}`,
  );
};
const handle = (parcel: Express, note = '已致电收件人') =>
  clerk.act(parcel.id, 'handled', { note });
const counts = async (token = clerk.token): Promise<Counts> =>
  (await system.call<Counts>(token, 'GET', '/api/arco/expresses/exceptions')).data;
const listed = async (filter: string, token = clerk.token): Promise<number[]> =>
  (
    await system.call<{ items: Express[] }>(token, 'GET', `/api/arco/expresses?${filter}`)
  ).data.items.map(({ id }) => id);
const noticed = (parcel: Express, kind: string) =>
  eventually(async () => {
    const { rows } = await system.app.db.tx(systemScope('test'), (work) =>
      sql`select 1 from inbox_notices where kind = ${kind} and subject_id = ${parcel.id}
        union all select 1 from inbox_entries where kind = ${kind}
          and station_id = ${parcel.station_id}`.execute(work.tx),
    );
    return rows.length > 0;
  });

describe('an exception that the carrier reports', () => {
  it.for([
    ['a refused parcel', 'refused', 'refused', 400, { remark: '拒收' }],
    [
      'a parcel whose recipient was not reached',
      'attempted',
      'unreachable',
      220,
      { remark: '再投' },
    ],
    ['a parcel on its way back', 'returning', 'returning', 410, { remark: '拒收' }],
  ] as const)(
    'the report %s puts the parcel on the board under its kind alone',
    async ([, to, kind, state_code, changes]) => {
      const before = (await counts()).counts[kind];
      const parcel = await at(to, kind, changes);
      expect(parcel).toMatchObject({ state_code, handled_at: null, handled_note: '' });
      expect(parcel.exception_at).not.toBeNull();
      expect((await counts()).counts[kind]).toBe(before + 1);
      expect(await listed(`exception=${kind}`)).toContain(parcel.id);
      expect(await listed('exception=any')).toContain(parcel.id);
      expect(await listed('exception=unmoved')).not.toContain(parcel.id);
    },
  );

  it('a parcel that the carrier stops after pickup is listed as the exception “stopped”', async () => {
    const { data } = await clerk.order();
    await jump(data, 'picked_up');
    await clerk.until(data.id, 200);
    await system.carrier.advance(3_600_000);
    await report(data, { category: 690, title: '已取消' });
    expect(await until(data, 'stopped')).toMatchObject({ state_code: 400 });
  });

  it('an undelivered parcel is in the inbox, and is no longer on the exception board after it is delivered', async () => {
    const parcel = await at('attempted', 'unreachable', { remark: '再投' });
    await noticed(parcel, 'unreachable');
    await jump(parcel, 'delivered');
    expect(await until(parcel, null)).toMatchObject({ state_code: 300, exception_at: null });
    expect(await listed('exception=any')).not.toContain(parcel.id);
  });

  it('a parcel stored by an older version without an exception gets the exception of its state when its trace is next requested', async () => {
    const parcel = await at('refused', 'refused', { remark: '拒收' });
    await rowsOf(
      system,
      sql`update expresses set exception = null, exception_at = null
      where id = ${parcel.id}`,
    );
    await ask(parcel);
    expect(await until(parcel, 'refused')).toMatchObject({ exception_at: parcel.exception_at });
  });
});

describe('a parcel that does not move', () => {
  it('a parcel that does not move appears on the exception board and in the inbox after the number of hours in the network settings', async () => {
    const { data: parcel } = await clerk.order();
    const { unmoved_hours } = await counts();
    expect(unmoved_hours).toBe(48);
    await quietFor(parcel, 47);
    await asked(parcel);
    expect((await clerk.get(parcel.id)).exception).toBeNull();
    await quietFor(parcel, 49);
    await ask(parcel);
    await until(parcel, 'unmoved');
    await noticed(parcel, 'unmoved');
    await jump(parcel, 'picked_up');
    await until(parcel, null);
  });

  it('an exception that was marked as handled is open again if the parcel does not move for two days afterwards', async () => {
    const { data: parcel } = await clerk.order();
    await quietFor(parcel, 100);
    await ask(parcel);
    await until(parcel, 'unmoved');
    expect((await handle(parcel)).data).toMatchObject({
      exception: 'unmoved',
      handled_note: '已致电收件人',
    });
    await rowsOf(
      system,
      sql`update expresses set handled_at = now() - interval '49 hours'
      where id = ${parcel.id}`,
    );
    await ask(parcel);
    expect(await until(parcel, 'unmoved')).toMatchObject({ handled_note: '' });
  });
});

describe('a parcel that is not picked up in its window', () => {
  const hour = 3_600_000;
  /** An ordered parcel with a pickup window that ended this number of hours ago. */
  const ended = async (hours: number, changes = {}): Promise<Express> => {
    const { data } = await clerk.order(changes);
    const until = Date.now() - hours * hour;
    await rowsOf(
      system,
      sql`update expresses set pickup_from = ${new Date(until - 2 * hour)},
        pickup_until = ${new Date(until)} where id = ${data.id}`,
    );
    return data;
  };

  it('a parcel that is not picked up within an hour after its pickup window is a missed pickup until its pickup, and the inbox shows a notice', async () => {
    const parcel = await ended(0.9);
    await asked(parcel);
    expect((await clerk.get(parcel.id)).exception).toBeNull();
    const late = await ended(1.1);
    await ask(late);
    const { pickup_until, exception_at } = await until(late, 'missed');
    expect(exception_at).toBe(pickup_until);
    await noticed(late, 'missed');
    expect(await listed('exception=missed')).toEqual([late.id]);
    expect((await counts()).counts.missed).toBe(1);
    await report(late, { category: 380, title: '快递员已接单' });
    await asked(late);
    await until(late, 'missed');
    await jump(late, 'picked_up');
    await until(late, null);
    expect(await listed('exception=missed')).toEqual([]);
  });

  it('a parcel that was picked up or has no pickup window is not listed as a missed pickup', async () => {
    const parcel = await ended(2);
    await jump(parcel, 'picked_up');
    await asked(parcel);
    const { data: soon } = await clerk.order();
    await asked(soon);
    for (const { id } of [parcel, soon]) expect((await clerk.get(id)).exception).toBeNull();
  });

  it('a parcel is not listed as unmoved before the end of its pickup window; after the end an unmoved parcel is listed as a missed pickup', async () => {
    const parcel = await ended(-5);
    await quietFor(parcel, 49);
    await asked(parcel);
    expect((await clerk.get(parcel.id)).exception).toBeNull();
    const { data: unmoved } = await clerk.order();
    await quietFor(unmoved, 100);
    await ask(unmoved);
    await until(unmoved, 'unmoved');
    await rowsOf(
      system,
      sql`update expresses set pickup_from = now() - interval '5 hours',
        pickup_until = now() - interval '3 hours' where id = ${unmoved.id}`,
    );
    await ask(unmoved);
    await until(unmoved, 'missed');
  });

  it('a parcel whose cancel is requested is not listed as a missed pickup', async () => {
    const parcel = await ended(2);
    await rowsOf(
      system,
      sql`update expresses set cancel_requested_at = now() where id = ${parcel.id}`,
    );
    await asked(parcel);
    expect((await clerk.get(parcel.id)).exception).toBeNull();
  });

  it('a missed pickup that was marked as handled remains handled; a parcel that is then cancelled is no longer an exception', async () => {
    const parcel = await ended(2);
    await ask(parcel);
    await until(parcel, 'missed');
    await handle(parcel);
    await asked(parcel);
    expect(await clerk.get(parcel.id)).toMatchObject({
      exception: 'missed',
      handled_note: '已致电收件人',
    });
    await clerk.act(parcel.id, 'cancel', { reason: '未上门' });
    expect(await clerk.until(parcel.id, 500)).toMatchObject({ exception: null });
  });
});

describe('one action on many exceptions', () => {
  const bulk = (body: object) =>
    system.call<{ job_id: number }>(clerk.token, 'POST', '/api/arco/expresses/bulk', body);
  const results = (job_id: number) =>
    eventually(async () => {
      const { data } = await system.call<{
        status: string;
        results: {
          items: { subject_id: number; result: string; reason: { code: string } | null }[];
        };
      }>(clerk.token, 'GET', `/api/arco/jobs/${job_id}?page_size=100`);
      if (data.status !== 'done') return null;
      return new Map(
        data.results.items.map(({ subject_id, result, reason }) => [
          subject_id,
          reason ? `${result} ${reason.code}` : result,
        ]),
      );
    });
  const preview = async (body: object) =>
    (await system.call<object>(clerk.token, 'POST', '/api/arco/expresses/bulk/preview', body)).data;

  it('a bulk note marks every parcel with an open exception as handled; its preview counts the other parcels, which are skipped', async () => {
    const [refused, unreached] = [
      await at('refused', 'refused', { remark: '拒收' }),
      await at('attempted', 'unreachable', { remark: '再投' }),
    ];
    const { data: calm } = await clerk.order();
    const ids = [refused.id, unreached.id, calm.id];
    expect(await preview({ action: 'handle', ids })).toMatchObject({
      ready: 2,
      skipped: [{ reason: { code: 'no_exception' }, count: 1 }],
    });
    expect(failureOf(await bulk({ action: 'handle', ids }))).toMatchObject({
      fields: { reason: { code: 'required' } },
    });
    const note = '已与收件人约定周五再送，'.repeat(5);
    const { job_id } = (await bulk({ action: 'handle', ids, reason: note })).data;
    expect(await results(job_id)).toEqual(
      new Map([
        [refused.id, 'ok'],
        [unreached.id, 'ok'],
        [calm.id, 'skip no_exception'],
      ]),
    );
    expect(await clerk.get(refused.id)).toMatchObject({ handled_note: note });
    const log = await rowsOf(
      system,
      sql`select 1 from audit_log where action = 'handled'
      and subject = 'expresses' and subject_id = any(${ids}::bigint[])`,
    );
    expect(log).toHaveLength(2);
  });

  it('a bulk interception intercepts parcels in transit, skips parcels not picked up, and refuses a reason longer than the carrier allows', async () => {
    const unreached = await at('attempted', 'unreachable', { remark: '再投' });
    const waiting = await clerk.until((await clerk.order()).data.id, 100);
    const ids = [unreached.id, waiting.id];
    expect(await preview({ action: 'intercept', ids })).toMatchObject({
      ready: 1,
      skipped: [{ reason: { code: 'cannot_intercept' }, count: 1 }],
    });
    expect(
      failureOf(await bulk({ action: 'intercept', ids, reason: '长'.repeat(31) })),
    ).toMatchObject({ fields: { reason: { code: 'too_long' } } });
    const { job_id } = (await bulk({ action: 'intercept', ids, reason: '客户要求退回' })).data;
    expect(await results(job_id)).toEqual(
      new Map([
        [unreached.id, 'ok'],
        [waiting.id, 'skip cannot_intercept'],
      ]),
    );
    expect((await clerk.get(waiting.id)).state_code).toBe(100);
  });
});

describe('handling an exception', () => {
  it('a note removes a parcel from the exception board and is stored in the audit log; a later exception is listed again', async () => {
    const parcel = await at('refused', 'refused', { remark: '拒收' });
    const before = (await counts()).counts.refused;
    const { data } = await handle(parcel);
    expect(data).toMatchObject({ exception: 'refused', handled_note: '已致电收件人' });
    expect((await counts()).counts.refused).toBe(before - 1);
    expect(await listed('exception=any')).not.toContain(parcel.id);
    const log = await rowsOf(
      system,
      sql<{ reason: string }>`select reason from audit_log where subject = 'expresses'
        and subject_id = ${parcel.id} and action = 'handled'`,
    );
    expect(log).toEqual([{ reason: '已致电收件人' }]);
    await jump(parcel, 'returning');
    expect(await until(parcel, 'returning')).toMatchObject({ handled_at: null, handled_note: '' });
  });

  it('a note on a parcel is refused if the parcel has no open exception, or if the note is empty', async () => {
    const { data: calm } = await clerk.order();
    expect(failureOf(await handle(calm))).toMatchObject({ code: 'no_exception' });
    const parcel = await at('refused', 'refused', { remark: '拒收' });
    expect(failureOf(await handle(parcel, ' '))).toMatchObject({
      code: 'invalid_input',
      fields: { note: { code: 'required' } },
    });
    await handle(parcel);
    expect(failureOf(await handle(parcel))).toMatchObject({ code: 'no_exception' });
  });

  it('a note on a parcel’s exception stores a live event, which updates exception boards that are open in a browser', async () => {
    const parcel = await at('refused', 'refused', { remark: '拒收' });
    await handle(parcel);
    const events = await rowsOf(
      system,
      sql<{ data: { change: string } }>`select data from live_events where kind = 'parcel'
        and subject_id = ${parcel.id} order by id desc limit 1`,
    );
    expect(events[0]?.data.change).toBe('exception');
  });
});
