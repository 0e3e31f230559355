import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import type { Import } from '@waystation/contract/imports/import.ts';
import { readTable, writeWorkbook } from '#domain/workbook/workbook.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';
import { runTask } from '#testing/run-task.ts';

let system: TestSystem;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  for (const name of ['admin', 'station', 'clerk']) tokens[name] = await system.login(name);
});
afterAll(() => system.close());

const base = '/api/arco/imports';
let keys = 0;
const call = <T = Import>(
  method: string,
  path: string,
  body?: object,
  key = `crash-key-${++keys}`,
): Promise<Answer<T>> =>
  system.call<T>(
    { token: tokens['clerk']!, headers: { 'idempotency-key': key } },
    method,
    `${base}${path}`,
    body,
  );

const titles = ['收件人', '手机', '省', '市', '区', '详细地址', '物品', '重量(kg)', '订单号'];
let lines = 0;
/** A valid line of a sheet with this order number. */
const line = (number: string, phone = `138${10_000_000 + ++lines}`): string[] => [
  '示例收件人',
  phone,
  '上海市',
  '上海市',
  '浦东新区',
  `示例路 ${lines} 号`,
  '文件',
  '1.5',
  number,
];
const sheet = (...rows: string[][]): File =>
  new File([[titles, ...rows].map((cells) => cells.join(',')).join('\n')], '表.csv');
const upload = async (file: File): Promise<Import> => {
  const form = new FormData();
  form.append('file', file);
  return (await call('POST', '', form)).data;
};
const until = (id: number, done: (found: Import) => unknown): Promise<Import> =>
  eventually(async () => {
    const { data } = await call('GET', `/${id}`);
    return done(data) ? data : null;
  });
const ready = async (file: File): Promise<Import> =>
  until((await upload(file)).id, ({ status }) => status === 'ready');
const priced = async ({ id, version }: Import): Promise<Import> => {
  await call('POST', `/${id}/quote`, { version });
  return until(id, ({ quote }) => quote !== null);
};
const confirm = <T = Import>({ id, version, quote }: Import, key?: string): Promise<Answer<T>> =>
  call<T>(
    'POST',
    `/${id}/confirm`,
    { version, expected_amount: quote!.post_amount, rows: 'all' },
    key,
  );
/** Confirms an import while no worker runs. */
const waiting = async (...rows: string[][]): Promise<Import> => {
  const found = await priced(await ready(sheet(...rows)));
  await system.worker.stop();
  expect((await confirm(found)).status).toBe(200);
  return found;
};
const restart = async (): Promise<void> => {
  system.worker = await system.startWorker();
};
const numbersOf = async (prefix: string): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{ n: string }>`select thr_order_id as n from expresses
    where starts_with(thr_order_id, ${prefix}) order by id`,
    )
  ).map(({ n }) => n);
const marked = async (id: number): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{ mark: string }>`select mark from import_rows
    where import_id = ${id} order by no`,
    )
  ).map(({ mark }) => mark);
const run = (db: Db, id: number): Promise<void> =>
  runTask({ ...system.app, db }, 'run_import', { import_id: id });

/**
 * Opens a database whose connection is lost after its n-th statement, as if the worker's process
 * were killed then. No later statement is sent.
 */
const openDyingDb = (statements: number): { db: Db; isDead(): boolean } => {
  const db = openDb({ connection: system.database.connection, max: 1, log: system.app.log });
  let sent = 0;
  db.pool.on('connect', (client) => {
    const send = client.query.bind(client) as unknown as (...args: unknown[]) => Promise<unknown>;
    const socket = (client as unknown as { connection: { stream: { destroy(): void } } }).connection
      .stream;
    client.query = (async (...args: unknown[]) => {
      if (++sent > statements) throw new Error('killed');
      const answer = await send(...args);
      if (sent < statements) return answer;
      socket.destroy();
      throw new Error('killed');
    }) as unknown as pg.PoolClient['query'];
  });
  return { db, isDead: () => sent >= statements };
};

describe('an import whose worker is killed', () => {
  it('an import whose worker is killed after any SQL statement leaves each row ordered once or waiting, and continues later', async () => {
    const found = await waiting(line('K1'), line('K2'), line('K3'));
    let kills = 0;
    for (let statements = 1; ; statements++) {
      const { db, isDead } = openDyingDb(statements);
      const ended = await run(db, found.id).then(
        () => true,
        () => false,
      );
      await db.close().catch(() => {});
      const marks = await marked(found.id);
      expect((await numbersOf('K')).length, `after ${statements} statements`).toBe(
        marks.filter((mark) => mark === 'ordered').length,
      );
      expect(new Set(marks).size, `after ${statements} statements`).toBe(1);
      if (isDead()) kills++;
      if (ended) break;
    }
    // With fewer kills, the statements of the slice would not have been counted.
    expect(kills).toBeGreaterThan(10);
    await restart();
    expect(await until(found.id, ({ status }) => status === 'done')).toMatchObject({
      counts: { ordered: 3, waiting: 0, refused: 0 },
    });
    expect(await numbersOf('K')).toEqual(['K1', 'K2', 'K3']);
    await eventually(
      async () =>
        (
          await rowsOf(
            system,
            sql`select 1 from expresses
      where state_code = 20`,
          )
        ).length === 0,
    );
    expect(await inconsistencies(system)).toEqual([]);
  });
});

describe('confirming an import', () => {
  it('an import confirmed several times at once, with equal or different idempotency keys, orders each row once', async () => {
    const found = await priced(await ready(sheet(line('C1'), line('C2'))));
    const keys = ['confirmed-1', 'confirmed-1', 'confirmed-2', 'confirmed-3'];
    const answers = await Promise.all(keys.map((key) => confirm(found, key)));
    const [won, ...others] = new Set(keys.filter((_, at) => answers[at]!.status === 200));
    expect([won, others]).toEqual([expect.any(String), []]);
    await until(found.id, ({ status }) => status === 'done');
    // A repeat with the successful key returns the first response; any other key finds nothing to
    // confirm.
    for (const key of new Set(keys))
      expect((await confirm(found, key)).status, key).toBe(key === won ? 200 : 409);
    expect(await numbersOf('C')).toEqual(['C1', 'C2']);
  });

  it('confirming a paused import again with its old quote is refused, and resuming the import orders each row once', async () => {
    const found = await waiting(line('Q1'), line('Q2'));
    const paused = (await call('POST', `/${found.id}/pause`, {})).data;
    const answer = await confirm<FailureData>({ ...paused, quote: found.quote });
    await restart();
    expect([answer.status, answer.data.code]).toEqual([409, 'import_rows_waiting']);
    expect(await marked(found.id)).toEqual(['waiting', 'waiting']);
    await call('POST', `/${found.id}/resume`, {});
    await until(found.id, ({ status }) => status === 'done');
    expect(await numbersOf('Q')).toEqual(['Q1', 'Q2']);
  });
});

/** An import that was partly ordered and then cancelled: one row is ordered, the other is not. */
const cancelledInPart = async (prefix: string): Promise<{ found: Import; file: () => File }> => {
  const rows = [line(`${prefix}1`), line(`${prefix}2`)];
  const found = await ready(sheet(...rows));
  const out = await call<{ import: Import }>('POST', `/${found.id}/edits`, {
    version: found.version,
    action: 'exclude',
    nos: [2],
  });
  const one = await priced(out.data.import);
  await confirm(one);
  const done = await until(found.id, ({ status }) => status === 'done');
  const back = await call<{ import: Import }>('POST', `/${found.id}/edits`, {
    version: done.version,
    action: 'include',
    nos: [2],
  });
  const two = await priced(back.data.import);
  await system.worker.stop();
  expect((await confirm(two)).status).toBe(200);
  expect((await call('POST', `/${found.id}/cancel`, {})).data.status).toBe('cancelled');
  await restart();
  return { found, file: () => sheet(...rows) };
};
const failedRows = async (id: number): Promise<Uint8Array<ArrayBuffer>> => {
  const answer = await fetch(`${system.url}${base}/${id}/failed.xlsx`, {
    headers: { authorization: `Bearer ${tokens['clerk']}` },
  });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
};

describe('an import that was ordered in part and cancelled', () => {
  it('uploading the file of a partly ordered, cancelled import again opens that import, so that nothing is ordered twice', async () => {
    const { found, file } = await cancelledInPart('P');
    expect((await upload(file())).id).toBe(found.id);
    expect(await numbersOf('P')).toEqual(['P1']);
  });

  it('a partly ordered and cancelled import offers the unordered rows as a file', async () => {
    const { found } = await cancelledInPart('R');
    const table = await Array.fromAsync(readTable('xlsx', await failedRows(found.id)));
    expect(table.slice(1).map((cells) => cells[8])).toEqual(['R2']);
  });
});

describe('the file of an import’s unordered rows', () => {
  it('the file of unordered rows can be uploaded unchanged, and its columns are assigned as in the first import', async () => {
    const unknown = async (...rows: string[][]): Promise<File> => {
      const columns = ['甲栏', '乙栏', '丙栏'].map((title) => ({ title, kind: 'text' as const }));
      async function* cells(): AsyncGenerator<string[]> {
        yield* rows;
      }
      const bytes = Buffer.concat(
        await Array.fromAsync(writeWorkbook('xlsx', { name: '表', columns, rows: cells() })),
      );
      return new File([bytes], '未知.xlsx');
    };
    const first = await upload(
      await unknown(
        ['示例一', '13900139000', '上海市浦东新区示例路 1 号'],
        ['示例二', '1.39E+10', '上海市浦东新区示例路 2 号'],
      ),
    );
    const asked = await until(first.id, ({ status }) => status === 'mapping');
    const mapping = { receive_name: 0, receive_phone: 1, receive_address: 2 };
    const defaults = { goods: '文件', weight: '1' };
    await call('POST', `/${first.id}/mapping`, { version: asked.version, mapping, defaults });
    expect(await until(first.id, ({ status }) => status === 'ready')).toMatchObject({
      counts: { ok: 1, error: 1 },
    });
    const again = await upload(new File([await failedRows(first.id)], '未下单.xlsx'));
    expect(await until(again.id, ({ status }) => status === 'ready')).toMatchObject({
      mapping,
      defaults,
      rows_total: 1,
    });
    // The file for correction of this import has one column of reasons, not two.
    const [head] = await Array.fromAsync(readTable('xlsx', await failedRows(again.id)));
    expect(head).toEqual(['甲栏', '乙栏', '丙栏', '失败原因']);
  });
});
