import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readXlsx } from 'hucre/xlsx';
import type { Job } from '@waystation/contract/shell/jobs.ts';
import { rollUpStatements, topUp } from '#domain/ledger/ledger.ts';
import { periodOf } from '#platform/clock.ts';
import { openDb, sql } from '#platform/db/db.ts';
import type { RawBuilder } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { silentLog } from '#platform/log.ts';
import { runTask } from '#testing/run-task.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';

let api: TestApi;
let tokens: Tokens;
let period: string;
const moved = (station_id: number) => ({
  station_id,
  amount: 100,
  description: 'test',
  cause: `moved ${station_id}`,
  at: new Date(`${period}-02T02:00:00Z`),
  by: 1,
});
/**
 * Runs a statement as the owner of the tables, because the product itself may not write or read
 * these rows.
 */
const asOwner = async <T>(statement: RawBuilder<T>): Promise<T[]> => {
  const owner = openDb({ connection: api.database.owner, max: 1, log: silentLog() });
  const { rows } = await owner.tx(systemScope('test'), (work) => statement.execute(work.tx));
  await owner.close();
  return rows;
};
const idOf = (key: string): number => api.station(key).id;
beforeAll(async () => {
  api = await openTestApi();
  period = periodOf(api.clock.now());
  for (const key of ['south', 'nanshan', 'pudong'])
    await api.app.db.tx(systemScope('test'), (work) => topUp(work, moved(idOf(key))));
  api.clock.advance(31 * 86_400_000);
  tokens = await api.loginAll();
});
afterAll(() => api.close());

/** The unpacked files of a ZIP archive, read with its central directory. */
const unpacked = (zip: Buffer): Map<string, Buffer> => {
  const files = new Map<string, Buffer>();
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength, local] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    // A name with characters other than ASCII is UTF-8, and its entry is marked so.
    expect(zip.readUInt16LE(at + 8) & 0x0800).toBe(/^[ -~]*$/.test(name) ? 0 : 0x0800);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    files.set(name, inflateRawSync(zip.subarray(start, start + size)));
    at += 46 + nameLength;
  }
  return files;
};

type Started = Refused & { job_id: number; stations: number };
const start = (token: string, body: object = {}, of = period) =>
  api.call<Started>(token, 'POST', `/api/arco/periods/${of}/statements`, body);
const archive = async (token: string, body: object = {}) => {
  const { status, data } = await start(token, body);
  expect(status).toBe(200);
  await api.runJob(data.job_id);
  const job = (await api.call<Job>(token, 'GET', `/api/arco/jobs/${data.job_id}`)).data;
  const { bytes, headers } = await api.call(token, 'GET', `/api/arco/jobs/${data.job_id}/file`);
  return { job, bytes, headers, id: data.job_id };
};
const stationsIn = (files: Map<string, Buffer>): number[] =>
  Array.from(files.keys())
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => Number(/-(\d+)\.pdf$/.exec(name)![1]))
    .toSorted((a, b) => a - b);

describe('the archive of a month’s statements', () => {
  it('the archive of a month’s statements has a PDF and a workbook of each station with transactions, named by period and station', async () => {
    const { job, bytes, headers } = await archive(tokens.admin);
    expect(job).toMatchObject({ status: 'done', kind: 'export', ok: 3 });
    expect(headers.get('content-type')).toBe('application/zip');
    const files = unpacked(bytes);
    expect(stationsIn(files)).toEqual(['south', 'nanshan', 'pudong'].map(idOf).toSorted());
    expect(files.size).toBe(6);
    for (const [name, content] of files) {
      expect(name).toMatch(new RegExp(`^${period}-示例.+-\\d+\\.(pdf|xlsx)$`));
      if (name.endsWith('.pdf')) expect(content.toString('latin1', 0, 5)).toBe('%PDF-');
      else expect((await readXlsx(content)).sheets[0]!.rows.length).toBeGreaterThan(5);
    }
  });

  it('an archive of statements contains one network tree: a partner’s own tree, or the tree that an administrator chooses', async () => {
    const own = unpacked((await archive(tokens.partner)).bytes);
    const expected = ['south', 'nanshan'].map(idOf).toSorted();
    expect(stationsIn(own)).toEqual(expected);
    const { bytes } = await archive(tokens.super, { station_id: idOf('south'), language: 'en' });
    expect(stationsIn(unpacked(bytes))).toEqual(expected);
  });

  it('a partner cannot start an archive of statements of another network tree, and stations and clerks cannot start any archive', async () => {
    expect((await start(tokens.partner, { station_id: idOf('pudong') })).status).toBe(404);
    expect((await start(tokens.partner, { station_id: idOf('east') })).status).toBe(404);
    expect((await start(tokens.partner, { station_id: 999_999 })).status).toBe(404);
    for (const who of ['station', 'clerk'] as const)
      expect((await start(tokens[who])).status).toBe(403);
    // For other users, the file of a person's archive does not exist either.
    const { id } = await archive(tokens.admin);
    expect((await api.call(tokens.partner, 'GET', `/api/arco/jobs/${id}/file`)).status).toBe(404);
  });

  it('an archive of statements is refused for a month without transactions, and above the limits with the values of the limits', async () => {
    const none = await start(tokens.admin, {}, '2020-01');
    expect([none.status, none.data.code]).toEqual([409, 'statements_none']);
    const added = await api.rows(sql<{ id: number }>`insert into stations (name, parent_id)
      select 'many ' || n, ${idOf('east')} from generate_series(1, 500) n returning id`);
    await api.app.db.tx(systemScope('test'), async (work) => {
      for (const { id } of added) await topUp(work, moved(id));
    });
    const many = await start(tokens.admin);
    expect([many.status, many.data.code]).toEqual([422, 'statements_too_many']);
    expect(many.data.params).toMatchObject({ stations: 503, limit: 500, most: 200_000 });
    // An archive of one tree is within the limits.
    expect((await start(tokens.admin, { station_id: idOf('south') })).status).toBe(200);
  });

  it('an archive of statements is refused with the station’s name if one station has too many transactions for one statement', async () => {
    const id = idOf('pudong');
    const lines = (n: number) =>
      asOwner(sql`update statement_months set n = ${n} where station_id = ${id}
        and period = ${period} returning n`);
    while (await api.app.db.tx(systemScope('test'), rollUpStatements));
    expect(await lines(100_001)).toHaveLength(1);
    const { status, data } = await start(tokens.super, { station_id: id });
    expect([status, data.code]).toEqual([422, 'statements_one_too_long']);
    expect(data.params).toEqual({
      name: expect.stringContaining('示例'),
      period,
      count: 100_001,
      limit: 100_000,
    });
    await lines(1);
    expect((await start(tokens.super, { station_id: id })).status).toBe(200);
  });

  it('an archive of statements is refused for a month that has not ended', async () => {
    const present = periodOf(api.clock.now());
    for (const of of [present, '2099-12']) {
      const { status, data } = await start(tokens.admin, {}, of);
      expect([status, data.code, data.params]).toEqual([
        409,
        'statements_not_ended',
        { period: of },
      ]);
    }
  });

  it('a station name that looks like a path becomes a plain file name in an archive of statements', async () => {
    const id = idOf('nanshan');
    await api.rows(sql`update stations set name = '../../etc/C:\\x' where id = ${id} returning id`);
    const files = unpacked((await archive(tokens.admin, { station_id: id })).bytes);
    expect([...files.keys()]).toEqual([
      `${period}-______etc_C__x-${id}.pdf`,
      `${period}-______etc_C__x-${id}.xlsx`,
    ]);
  });
});

describe('an archive of statements that is being made', () => {
  it('if an archive of statements is already being made, another request for it returns the running job', async () => {
    const body = { station_id: idOf('south') };
    const first = (await start(tokens.super, body)).data.job_id;
    const both = await Promise.all([start(tokens.super, body), start(tokens.super, body)]);
    expect(both.map(({ data }) => data.job_id)).toEqual([first, first]);
    // A request with another language, tree or user starts another job.
    const others = [
      await start(tokens.super, { ...body, language: 'en' }),
      await start(tokens.super, { station_id: idOf('nanshan') }),
      await start(tokens.admin, body),
    ].map(({ data }) => data.job_id);
    expect(new Set([first, ...others]).size).toBe(4);
    expect(others).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)]);
    for (const id of [first, ...others]) await api.runJob(id);
    // After the first archive has ended, a request starts a new one.
    expect((await start(tokens.super, body)).data.job_id).not.toBe(first);
  });

  it('an archive of statements runs in its own queue, and does not delay other jobs of the same user', async () => {
    const { job_id } = (await start(tokens.admin, { station_id: idOf('south'), language: 'en' }))
      .data;
    const queues = await asOwner(sql<{ queue: string }>`select q.queue_name as queue
      from graphile_worker._private_jobs j left join graphile_worker._private_job_queues q
        on q.id = j.job_queue_id where j.payload ->> 'job_id' = ${String(job_id)}`);
    expect(queues).toEqual([{ queue: expect.stringMatching(/^archives:\d+$/) }]);
    await api.runJob(job_id);
  });

  it('an interrupted job for an archive of statements stays open, and its next run completes it', async () => {
    const { job_id } = (await start(tokens.super, { station_id: idOf('nanshan') })).data;
    let calls = 0;
    const now = (): Date =>
      ++calls === 2 ? fail('statement_interrupted', {}, { retryAfter: 1 }) : api.clock.now();
    const broken = { ...api.app, clock: { now } };
    await expect(runTask(broken, 'run_user_job', { job_id })).rejects.toThrow();
    const path = `/api/arco/jobs/${job_id}`;
    expect((await api.call<Job>(tokens.super, 'GET', path)).data).toMatchObject({
      status: 'running',
      reason: null,
    });
    await api.runJob(job_id);
    expect((await api.call<Job>(tokens.super, 'GET', path)).data.status).toBe('done');
  });
});

describe('a finished archive of statements', () => {
  const under = (key: string, parent: string) =>
    api.rows(sql`update stations set parent_id = ${idOf(parent)} where id = ${idOf(key)}
      returning id`);

  it('a finished archive of statements returns 404 to a partner who no longer sees one of its stations, but not to administrators', async () => {
    const { id } = await archive(tokens.partner);
    const office = await archive(tokens.super, { station_id: idOf('south') });
    const got = async (token: string, job = id) => {
      const { status, data } = await api.call<Refused>(token, 'GET', `/api/arco/jobs/${job}/file`);
      return [status, status === 200 ? null : data.code];
    };
    expect(await got(tokens.partner)).toEqual([200, null]);
    await under('nanshan', 'east');
    expect(await got(tokens.partner)).toEqual([404, 'file_removed']);
    expect(await got(tokens.super, office.id)).toEqual([200, null]);
    // An archive without the lost station remains available.
    const rest = await archive(tokens.partner);
    expect(stationsIn(unpacked(rest.bytes))).toEqual([idOf('south')]);
    await under('nanshan', 'south');
    expect(await got(tokens.partner)).toEqual([200, null]);
    expect(await got(tokens.partner, rest.id)).toEqual([200, null]);
  });

  it('a finished archive of statements contains the stations that were in the tree when it was made, not when it was requested', async () => {
    const { job_id } = (await start(tokens.partner)).data;
    await under('nanshan', 'east');
    await api.runJob(job_id);
    const path = `/api/arco/jobs/${job_id}/file`;
    const { bytes } = await api.call(tokens.partner, 'GET', path);
    expect(stationsIn(unpacked(bytes))).toEqual([idOf('south')]);
    await under('nanshan', 'south');
    expect((await api.call(tokens.partner, 'GET', path)).status).toBe(200);
  });

  it('a user who may no longer export cannot start an archive of statements, and an archive in progress fails', async () => {
    const { data } = await start(tokens.partner);
    await api.rows(sql`update accounts set may_export = 0 where username = 'partner' returning id`);
    await api.runJob(data.job_id);
    const job = (await api.call<Job>(tokens.partner, 'GET', `/api/arco/jobs/${data.job_id}`)).data;
    expect([job.status, job.reason?.code]).toEqual(['failed', 'export_not_allowed']);
    expect((await start(tokens.partner)).data.code).toBe('export_not_allowed');
  });
});
