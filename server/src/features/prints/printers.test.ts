import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LabelResult } from '@waystation/contract/parcels/express-calls.ts';
import { mostSheetParcels } from '@waystation/contract/base/limits.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { PrintRecord } from '@waystation/contract/parcels/print.ts';
import { sql } from '#platform/db/db.ts';
import { failureOf, parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let tokens: Record<'super' | 'admin' | 'partner' | 'station', string>;

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
  const [boss, admin, partner, station] = (await Promise.all(
    ['super', 'admin', 'partner', 'station'].map((name) => system.login(name)),
  )) as [string, string, string, string];
  tokens = { super: boss, admin, partner, station };
});
afterAll(() => system.close());

const ordered = async (count: number): Promise<Express[]> => {
  const parcels: Express[] = [];
  for (let no = 0; no < count; no++)
    parcels.push(await clerk.until((await clerk.order()).data.id, 100));
  return parcels;
};
const print = (token: string, ids: number[], body: object = {}) =>
  system.call<object>(token, 'POST', '/api/arco/labels', { ids, format: '76x130', ...body });
const read = async (token: string, query = ''): Promise<PrintRecord[]> =>
  (
    await system.call<{ items: PrintRecord[] }>(
      token,
      'GET',
      `/api/arco/prints?page_size=100${query}`,
    )
  ).data.items;
const of = (parcels: readonly Express[]): string =>
  `&q=${parcels.map(({ delivery_id }) => delivery_id).join('%20')}`;

describe('paper sizes, printing methods and label files', () => {
  const labels = async (ids: number[], body: object = {}) => {
    const answer = await fetch(`${system.url}/api/arco/labels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${clerk.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ids, format: '76x130', ...body }),
    });
    return {
      type: answer.headers.get('content-type'),
      text: Buffer.from(await answer.arrayBuffer()).toString('latin1'),
    };
  };

  it('a print on A4, on 100 × 180 mm or as TSPL stores the paper and the method in its print record', async () => {
    const parcels = await ordered(1);
    const [{ id }] = parcels as [Express];
    await print(clerk.token, [id], { format: 'a4', start: 3 });
    await print(clerk.token, [id], { format: '100x180', reason: '重打' });
    await print(clerk.token, [id], { driver: 'tspl', darkness: 9, reason: '重打' });
    expect(
      (await read(tokens.station, of(parcels))).map(({ format, driver, result }) => [
        format,
        driver,
        result,
      ]),
    ).toEqual([
      ['76x130', 'tspl', 'sent'],
      ['100x180', 'pdf', 'sent'],
      ['a4', 'pdf', 'sent'],
    ]);
  });

  it('a print request with a paper, method or darkness that is not supported is refused and not recorded', async () => {
    const parcels = await ordered(1);
    const [{ id }] = parcels as [Express];
    expect(failureOf(await print(clerk.token, [id], { format: 'a4', driver: 'zpl' })).code).toBe(
      'label_paper_pdf',
    );
    expect(failureOf(await print(clerk.token, [id], { separate: 1, driver: 'tspl' })).code).toBe(
      'labels_separate_pdf',
    );
    expect(
      failureOf(await print(clerk.token, [id], { driver: 'tspl', darkness: 16 })),
    ).toMatchObject({ fields: { darkness: { code: 'label_darkness' } } });
    expect(failureOf(await print(clerk.token, [id], { format: 'a4', start: 5 }))).toMatchObject({
      fields: { start: {} },
    });
    const component = await system.call(clerk.token, 'POST', '/api/arco/labels/component', {
      ids: [id],
      format: 'a4',
    });
    expect(failureOf(component).code).toBe('label_paper_pdf');
    const many = await print(
      clerk.token,
      Array.from({ length: 201 }, (_, no) => 1_000_000 + no),
      { separate: 1 },
    );
    expect(failureOf(many)).toMatchObject({
      code: 'labels_separate_too_many',
      params: { max: 200, count: 201 },
    });
    expect(await read(tokens.super, of(parcels))).toEqual([]);
  });

  it('labels as one PDF per parcel are a ZIP of files numbered in the requested order; a missing parcel’s number is skipped', async () => {
    const [first, second] = (await ordered(2)) as [Express, Express];
    const answer = await labels([second.id, 999_999_999, first.id], { separate: 1, first_no: 201 });
    expect(answer.type).toBe('application/zip');
    const names = [...answer.text.matchAll(/PK\x01\x02[^]{42}([\w-]+\.pdf)/g)].map(
      ([, name]) => name,
    );
    expect(names).toEqual([`0201-${second.delivery_id}.pdf`, `0203-${first.delivery_id}.pdf`]);
    expect((await read(tokens.station, of([first, second]))).map(({ result }) => result)).toEqual([
      'sent',
      'sent',
    ]);
  });

  it('the results of printing two thousand parcels are returned in the response body beside the labels, not in long headers', async () => {
    const [parcel] = (await ordered(1)) as [Express];
    const ids = [
      ...Array.from({ length: mostSheetParcels - 1 }, (_, no) => 1_000_000 + no),
      parcel.id,
    ];
    const send = (body: object) =>
      fetch(`${system.url}/api/arco/labels`, {
        method: 'POST',
        headers: { authorization: `Bearer ${clerk.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ids, format: '76x130', ...body }),
      });
    const alone = await send({});
    expect([
      alone.status,
      alone.headers.get('content-type'),
      alone.headers.get('x-label-failed'),
    ]).toEqual([200, 'application/pdf', '1999']);
    expect(
      [...alone.headers]
        .map(([name, value]) => name.length + value.length)
        .reduce((sum, size) => sum + size),
    ).toBeLessThan(8_000);
    const form = await (await send({ result: 1, driver: 'zpl', reason: '重打' })).formData();
    const result = JSON.parse(form.get('result') as string) as LabelResult;
    expect(result).toMatchObject({
      count: 1,
      pages: 1,
      warnings: [],
      prints: [[parcel.id, expect.any(Number)]],
    });
    expect(result.failures).toHaveLength(mostSheetParcels - 1);
    expect(result.failures[0]).toEqual({ id: 1_000_000, reason: { code: 'not_found' } });
    expect(await (form.get('file') as File).text()).toContain('^XA');
  });

  it('a print of several parcels that cannot be printed fails with a reason for each parcel', async () => {
    const refused = await print(clerk.token, [1_000_000, 1_000_001]);
    expect([refused.status, failureOf(refused)]).toMatchObject([
      404,
      { code: 'not_found', failures: [{ id: 1_000_000 }, { id: 1_000_001 }] },
    ]);
  });

  it('a station that may not print gets no labels in any paper size, method or file', async () => {
    const [{ id, station_id }] = (await ordered(1)) as [Express];
    await rowsOf(system, sql`update stations set allow_print = 0 where id = ${station_id}`);
    for (const body of [
      { separate: 1 },
      { format: 'a4' },
      { driver: 'tspl' },
      { separate: 1, preview: 1 },
    ])
      expect(failureOf(await print(clerk.token, [id], body)).code).toBe('print_not_allowed');
    await rowsOf(system, sql`update stations set allow_print = 1 where id = ${station_id}`);
  });
});

describe('a report of a printer', () => {
  it('the columns that a printer’s report changes are in no index, so that the report updates no index', async () => {
    const indexes = await rowsOf<{ text: string }>(
      system,
      sql`select pg_get_indexdef(indexrelid) as text
      from pg_index where indrelid = 'prints'::regclass`,
    );
    expect(indexes.length).toBeGreaterThan(5);
    expect(
      indexes.filter(({ text }) => /\b(?:result|finished_at|printer|note)\b/.test(text)),
    ).toEqual([]);
  });
});

describe('how often printers fail', () => {
  interface Figures {
    days: string[];
    today: { total: number; failed: number; reprints: number; unreported: number };
    printers: {
      driver: string;
      printer: string;
      total: number;
      failed: number;
      reprints: number;
      by_day: ({ total: number; failed: number } | null)[];
    }[];
    counted_from: string | null;
  }
  it('prints, failures and reprints of the last fourteen days are counted per printer and day, for the user’s stations only', async () => {
    const parcels = await ordered(3);
    const ids = parcels.map(({ id }) => id);
    const body = { ids, format: '76x130', printer: '三号打印机' };
    const { data } = await system.call<{ labels: { id: number }[] }>(
      clerk.token,
      'POST',
      '/api/arco/labels/component',
      body,
    );
    await system.call(clerk.token, 'POST', `/api/arco/prints/${data.labels[0]!.id}/result`, {
      result: 'failed',
      note: '缺纸',
    });
    await system.call(clerk.token, 'POST', `/api/arco/prints/${data.labels[1]!.id}/result`, {
      result: 'ok',
    });
    await rowsOf(
      system,
      sql`update prints set created_at = created_at - interval '2 days'
      where id = ${data.labels[1]!.id}`,
    );
    await rowsOf(
      system,
      sql`update prints set created_at = created_at - interval '20 days'
      where id = ${data.labels[2]!.id}`,
    );
    const { data: found } = await system.call<Figures>(
      tokens.station,
      'GET',
      '/api/arco/prints/printers',
    );
    expect(found.days).toHaveLength(14);
    expect(found.counted_from).toBeNull();
    const printer = found.printers.find((each) => each.printer === '三号打印机')!;
    expect(printer).toMatchObject({ driver: 'component', total: 2, failed: 1, reprints: 0 });
    expect(printer.by_day.at(-1)).toEqual({ total: 1, failed: 1 });
    expect(printer.by_day.at(-3)).toEqual({ total: 1, failed: 0 });
    expect(found.today.failed).toBeGreaterThanOrEqual(1);
    const { data: other } = await system.call<Figures>(
      tokens.super,
      'GET',
      `/api/arco/prints/printers?station_id=${system.station('pudong').id}`,
    );
    expect(other.printers.some((each) => each.printer === '三号打印机')).toBe(false);
    expect((await system.call(clerk.token, 'GET', '/api/arco/prints/printers')).status).toBe(403);
  });
});
