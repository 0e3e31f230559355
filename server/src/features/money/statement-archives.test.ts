import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readXlsx } from 'hucre/xlsx';
import type { Job } from '@waystation/contract/shell/jobs.ts';
import { topUp } from '#domain/ledger/ledger.ts';
import { periodOf } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
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
  at: api.clock.now(),
  by: 1,
});
const idOf = (key: string): number => api.station(key).id;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  period = periodOf(api.clock.now());
  for (const key of ['south', 'nanshan', 'pudong'])
    await api.app.db.tx(systemScope('test'), (work) => topUp(work, moved(idOf(key))));
});
afterAll(() => api.close());

/** The files of an archive by its directory, inflated. */
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
    // A name beyond ASCII is UTF-8, and says so.
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

describe('the statements of a month in one archive', () => {
  it('the office has each station with lines as PDF and as workbook, named by period and station', async () => {
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

  it('a partner has its own tree, and the office any tree, without the sisters beside it', async () => {
    const own = unpacked((await archive(tokens.partner)).bytes);
    const expected = ['south', 'nanshan'].map(idOf).toSorted();
    expect(stationsIn(own)).toEqual(expected);
    const { bytes } = await archive(tokens.super, { station_id: idOf('south'), language: 'en' });
    expect(stationsIn(unpacked(bytes))).toEqual(expected);
  });

  it('a partner has no foreign tree, and stations and clerks have no archive', async () => {
    expect((await start(tokens.partner, { station_id: idOf('pudong') })).status).toBe(404);
    expect((await start(tokens.partner, { station_id: idOf('east') })).status).toBe(404);
    expect((await start(tokens.partner, { station_id: 999_999 })).status).toBe(404);
    for (const who of ['station', 'clerk'] as const)
      expect((await start(tokens[who])).status).toBe(403);
    // Nor the file of another person's archive.
    const { id } = await archive(tokens.admin);
    expect((await api.call(tokens.partner, 'GET', `/api/arco/jobs/${id}/file`)).status).toBe(404);
  });

  it('a month without lines is refused, as is what exceeds the limits, which the refusal names', async () => {
    const none = await start(tokens.admin, {}, '2020-01');
    expect([none.status, none.data.code]).toEqual([422, 'period_nothing_posted']);
    const added = await api.rows(sql<{ id: number }>`insert into stations (name, parent_id)
      select 'many ' || n, ${idOf('east')} from generate_series(1, 500) n returning id`);
    await api.app.db.tx(systemScope('test'), async (work) => {
      for (const { id } of added) await topUp(work, moved(id));
    });
    const many = await start(tokens.admin);
    expect([many.status, many.data.code]).toEqual([422, 'statements_too_many']);
    expect(many.data.params).toMatchObject({ stations: 503, limit: 500, most: 200_000 });
    // One tree is within the limits.
    expect((await start(tokens.admin, { station_id: idOf('south') })).status).toBe(200);
  });

  it('a name that is a path stays a name', async () => {
    const id = idOf('nanshan');
    await api.rows(sql`update stations set name = '../../etc/C:\\x' where id = ${id} returning id`);
    const files = unpacked((await archive(tokens.admin, { station_id: id })).bytes);
    expect([...files.keys()]).toEqual([
      `${period}-______etc_C__x-${id}.pdf`,
      `${period}-______etc_C__x-${id}.xlsx`,
    ]);
  });

  it('a reader who may no longer export gets no archive, neither a new one nor one under way', async () => {
    const { data } = await start(tokens.partner);
    await api.rows(sql`update accounts set may_export = 0 where username = 'partner' returning id`);
    await api.runJob(data.job_id);
    const job = (await api.call<Job>(tokens.partner, 'GET', `/api/arco/jobs/${data.job_id}`)).data;
    expect([job.status, job.reason?.code]).toEqual(['failed', 'export_not_allowed']);
    expect((await start(tokens.partner)).data.code).toBe('export_not_allowed');
  });
});
