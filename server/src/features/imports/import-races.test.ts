import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import { atPace } from '#domain/imports/pacing.ts';
import { orderEveryMs } from '#domain/imports/slots.ts';
import { sql } from '#platform/db/db.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { openImports } from '#testing/import-sheets.ts';
import type { TestImports } from '#testing/import-sheets.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';
import { startWorkerProcess } from '#testing/worker-process.ts';
import { runTask } from '#testing/run-task.ts';

let system: TestSystem;
let imports: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  imports = await openImports(system);
});
afterAll(() => system.close());

const lines = (count: number): string[][] => Array.from({ length: count }, () => imports.line());
const ordered = async (id: number): Promise<number> =>
  (
    await rowsOf(
      system,
      sql`select 1 from import_rows w
    join expresses e on e.id = w.express_id where w.import_id = ${id}
    and w.mark = 'ordered'`,
    )
  ).length;
const parcels = async (): Promise<number> =>
  (
    await rowsOf(
      system,
      sql`select 1
  from expresses`,
    )
  ).length;
/**
 * Sends the same request twice at once, as from two windows; returns the statuses of both
 * responses.
 */
const twice = async (path: string, body: object = {}): Promise<number[]> =>
  (
    await Promise.all([
      imports.call<unknown>('POST', path, body),
      imports.call<unknown>('POST', path, body),
    ])
  )
    .map(({ status }) => status)
    .toSorted((a, b) => a - b);
/** Waits until every order has its outcome. */
const answered = (): Promise<unknown> =>
  eventually(
    async () =>
      (
        await rowsOf(
          system,
          sql`select 1
  from expresses where state_code = 20`,
        )
      ).length === 0,
  );
const expectWhole = async (id: number): Promise<void> => {
  await answered();
  const { counts } = await imports.get(id);
  expect(Object.fromEntries(Object.entries(counts).filter(([, n]) => n !== 0))).toEqual(
    await imports.recounted(id),
  );
  expect(counts.ordered).toBe(await ordered(id));
  expect(await inconsistencies(system)).toEqual([]);
};

describe('two browser windows that control a running import', () => {
  it('pausing, resuming or cancelling a running import twice at once succeeds once, and no row is ordered after a pause or twice', async () => {
    const before = await parcels();
    const { id } = await imports.checked(imports.sheet(...lines(200)));
    await imports.confirm(await imports.priced({ id }));
    await eventually(async () => (await imports.get(id)).counts.ordered > 0);
    for (let round = 0; round < 3; round++) {
      expect(await twice(`/${id}/pause`)).toEqual([200, 409]);
      const held = await ordered(id);
      // real delay: a slice that wrongly continues after the pause would order further rows
      await new Promise((later) => setTimeout(later, 150));
      expect(await ordered(id)).toBe(held);
      const edit = await imports.call<FailureData>('PATCH', `/${id}/rows/200`, {
        version: 2,
        values: { remark: '晚了' },
      });
      expect([edit.status, edit.data.code]).toEqual([409, 'import_row_ordered']);
      expect(await twice(`/${id}/resume`)).toEqual([200, 409]);
    }
    await eventually(async () => (await ordered(id)) >= 100);
    expect(await twice(`/${id}/cancel`)).toEqual([200, 409]);
    const held = await ordered(id);
    // real delay: a slice that wrongly continues after the cancel would order further rows
    await new Promise((later) => setTimeout(later, 500));
    expect(await ordered(id)).toBe(held);
    expect(await imports.get(id)).toMatchObject({
      status: 'cancelled',
      counts: { ordered: held, waiting: 0, ok: 200 - held },
    });
    expect(await parcels()).toBe(before + held);
    await expectWhole(id);
  });

  it('if an import is resumed and cancelled at the same time, it ends as cancelled and no row becomes an order', async () => {
    const { id } = await imports.checked(imports.sheet(...lines(4)));
    await imports.waiting({ id });
    await imports.call('POST', `/${id}/pause`, {});
    const [resume, cancel] = await Promise.all([
      imports.call<unknown>('POST', `/${id}/resume`, {}),
      imports.call<unknown>('POST', `/${id}/cancel`, {}),
    ]);
    expect(cancel.status).toBe(200);
    expect([200, 409]).toContain(resume.status);
    await imports.restart();
    // real delay: a worker that wrongly continues after the cancel would order the rows
    await new Promise((later) => setTimeout(later, 300));
    expect(await imports.get(id)).toMatchObject({
      status: 'cancelled',
      counts: { ok: 4, ordered: 0, waiting: 0 },
    });
    await expectWhole(id);
  });
});

describe('two browser windows that edit an import', () => {
  it('the second of two simultaneous changes of one import row returns 409, and changes of different rows are all stored', async () => {
    const { id } = await imports.checked(
      imports.sheet(...Array.from({ length: 12 }, () => imports.line({ 物品: '没有这种' }))),
    );
    const rows = await imports.rows(id);
    const change = (no: number) =>
      imports.call<unknown>('PATCH', `/${id}/rows/${no}`, {
        version: rows[no - 1]!.version,
        values: { goods: '文件' },
      });
    const same = await Promise.all([change(1), change(1)]);
    expect(same.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const others = await Promise.all(rows.slice(1).map(({ no }) => change(no)));
    expect(others.every(({ status }) => status === 200)).toBe(true);
    expect((await imports.get(id)).counts).toMatchObject({ ok: 12, error: 0 });
    await expectWhole(id);
  });

  it('an import that is edited and confirmed at the same time accepts only one of the two, and orders exactly the priced rows', async () => {
    const { id } = await imports.checked(imports.sheet(...lines(20)));
    const { version, quote } = await imports.priced({ id });
    const [confirm, edit] = await Promise.all([
      imports.call<unknown>('POST', `/${id}/confirm`, {
        version,
        expected_amount: quote!.post_amount,
        rows: 'all',
      }),
      imports.call<unknown>('POST', `/${id}/edits`, {
        version,
        action: 'set',
        field: 'weight',
        value: '9',
      }),
    ]);
    expect([confirm.status, edit.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    const done = await imports.settled(id);
    expect(done.counts).toMatchObject(confirm.status === 200 ? { ordered: 20 } : { ok: 20 });
    await expectWhole(id);
  });

  it('if an import row is edited while the import is being priced, the total price of the import matches the edited rows', async () => {
    const { id } = await imports.checked(imports.sheet(...lines(20)));
    await system.worker.stop();
    await imports.call('POST', `/${id}/quote`, { version: (await imports.get(id)).version });
    const price = runTask(system.app, 'quote_import', { import_id: id });
    const [row] = await imports.rows(id);
    const edit = await imports.call<unknown>('PATCH', `/${id}/rows/1`, {
      version: row!.version,
      values: { weight: '30' },
    });
    await price;
    await imports.restart();
    expect(edit.status).toBe(200);
    const found = await imports.get(id);
    const summed = await rowsOf(
      system,
      sql<{ sum: number | null }>`select sum(post_amount)::int as sum
      from import_prices where import_id = ${id}`,
    );
    if (found.quote !== null) expect(found.quote.post_amount).toBe(summed[0]!.sum);
    const priced = await imports.priced({ id });
    const after = await rowsOf(
      system,
      sql<{ sum: number }>`select sum(post_amount)::int as sum
      from import_prices where import_id = ${id}`,
    );
    expect(priced.quote!.post_amount).toBe(after[0]!.sum);
  });
});

describe('two worker processes that send the orders of an import', () => {
  it('two workers together send an import’s orders at the carrier’s allowed rate, each row once, and a single order is sent before them', async () => {
    const { id } = await imports.waiting(await imports.checked(imports.sheet(...lines(60))));
    for (let slice = 0; slice < 2; slice++)
      await runTask(system.app, 'run_import', { import_id: id });
    expect(await ordered(id)).toBe(60);
    const single = await (await parcelClient(system)).begin();
    const jobs = await rowsOf(
      system,
      sql<{
        is_single: boolean;
        priority: number;
      }>`select payload ->> 'express_id' = ${String(single.id)} as is_single,
        priority
        from graphile_worker._private_jobs j
          join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier = 'send_order'`,
    );
    expect(jobs).toHaveLength(61);
    const [own] = jobs.filter(({ is_single }) => is_single);
    for (const { is_single, priority } of jobs)
      if (!is_single) expect(priority).toBeGreaterThan(own!.priority);
    // All orders are overdue, as after a night without a worker. The account's next call is five
    // seconds away, so that both processes run by then.
    await rowsOf(
      system,
      sql`update graphile_worker._private_jobs set run_at = now() - interval '1 hour'
        where payload ->> 'express_id' <> ${String(single.id)}`,
    );
    const [taken] = await rowsOf(
      system,
      sql<{
        until: Date;
      }>`insert into import_paces (merchant_id, until)
        select merchant_id, clock_timestamp() + interval '5 seconds' from expresses
        where id = ${single.id}
        on conflict (merchant_id) do update set until = excluded.until returning until`,
    );
    const { number = 0 } =
      (
        await system.carrier.control<{ requests: { number: number }[] }>(
          'GET',
          'requests?limit=1000000',
        )
      ).requests.at(-1) ?? {};
    const workers = [await startWorkerProcess(system), await startWorkerProcess(system)];
    await answered();
    await Promise.all(workers.map((worker) => worker.stop()));
    const { requests } = await system.carrier.control<{
      requests: { at: string; path: string; order_id?: string }[];
    }>('GET', `requests?after=${number}`);
    const calls = requests.filter(({ path }) => path.endsWith('/orders/create'));
    expect(new Set(calls.map(({ order_id }) => order_id)).size).toBe(61);
    const numbers = await rowsOf(
      system,
      sql<{ order_id: string }>`select order_id from expresses e
        join import_rows w on w.express_id = e.id where w.import_id = ${id}`,
    );
    const times = calls
      .filter((call) => numbers.some(({ order_id }) => order_id === call.order_id))
      .map(({ at }) => Date.parse(at));
    expect(times).toHaveLength(60);
    // Each call has its own time, whichever process calls.
    for (const [at, time] of times.toSorted((a, b) => a - b).entries())
      expect(time - taken!.until.getTime(), `call ${at + 1}`).toBeGreaterThanOrEqual(
        at * orderEveryMs - 1,
      );
    const [after] = await rowsOf(
      system,
      sql<{ until: Date }>`select until
      from import_paces`,
    );
    expect(after!.until.getTime() - taken!.until.getTime()).toBeGreaterThanOrEqual(
      60 * orderEveryMs,
    );
    await imports.restart();
    await expectWhole(id);
  });

  it('a worker that wakes too late for its reserved carrier call takes a later time, so that delayed calls are not sent together', async () => {
    const [row] = await rowsOf(
      system,
      sql<{
        express_id: number;
        merchant_id: number;
      }>`select e.id as express_id, e.merchant_id from import_rows w
        join expresses e on e.id = w.express_id limit 1`,
    );
    const { express_id, merchant_id } = row!;
    const until = async (): Promise<number> =>
      (
        await rowsOf(
          system,
          sql<{ until: Date }>`select until from import_paces
        where merchant_id = ${merchant_id}`,
        )
      )[0]!.until.getTime();
    const [taken] = await rowsOf(
      system,
      sql<{ until: Date }>`update import_paces
        set until = clock_timestamp() + interval '1 second' where merchant_id = ${merchant_id}
        returning until`,
    );
    const moment = taken!.until.getTime();
    let isSent = false;
    const call = atPace(async () => void (isSent = true))(
      system.app,
      { express_id } as never,
      { planned: true } as never,
    );
    await eventually(async () => (await until()) > moment);
    // The processor is kept busy until long after the time reserved for the call.
    while (Date.now() < moment + 300);
    await call;
    expect(isSent).toBe(true);
    expect((await until()) - moment).toBeGreaterThan(300);
  });
});
