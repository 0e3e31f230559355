import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Job } from '@waystation/contract/shell/jobs.ts';
import type { BillRow, Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { businessDay } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { parcelClient } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let admin: string;
let station: string;
let parcels: Express[];
let waybill: string;

/** The package numbers of the carrier's bill, from which the waybills are read. */
const sheet = await readFile(
  join(import.meta.dirname, '../../testing/public-reports/sheets/bill-package-numbers.csv'),
  'utf8',
);

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  [admin, station] = [await system.login('admin'), await system.login('station')];
  clerk = await parcelClient(system);
  parcels = [];
  for (let no = 0; no < 3; no++)
    parcels.push(await clerk.until((await clerk.order({ package_count: 2 })).data.id, 100));
  waybill = parcels[0]!.delivery_id!;
  const ids = parcels.map(({ id }) => id);
  expect(
    (await system.call(clerk.token, 'POST', '/api/arco/labels', { ids, format: '76x130' })).status,
  ).toBe(200);
});
afterAll(() => system.close());

const base = '/api/arco';
const found = async <Row>(token: string, path: string, q: string): Promise<Row[]> =>
  (
    await system.call<{ items: Row[] }>(
      token,
      'GET',
      `${base}/${path}?${path === 'statements' ? 'type=hold&' : ''}q=${encodeURIComponent(q)}`,
    )
  ).data.items;
const qrAddress = async (): Promise<string> => {
  const [row] = await rowsOf(
    system,
    sql<{ url: string }>`select print_data ->> 'qrcode_url' as url
    from expresses where delivery_id = ${waybill}`,
  );
  return row!.url;
};
const written = async (): Promise<string[]> => [
  `${waybill}-1-2-`,
  `${waybill}-2-2`,
  `${waybill.toLowerCase()}-1-2-`,
  `\u200b${waybill}-1-2-\u200e`,
  await qrAddress(),
];

test('every number printed on a label finds its parcel in the lists of parcels, prints and statements', async () => {
  expect(await qrAddress()).toContain(waybill);
  for (const number of await written()) {
    expect([
      number,
      (await found<Express>(clerk.token, 'expresses', number)).map(({ id }) => id),
    ]).toEqual([number, [parcels[0]!.id]]);
    expect([
      number,
      (await found<Express>(station, 'prints', number)).map(({ delivery_id }) => delivery_id),
    ]).toEqual([number, [waybill]]);
    expect([
      number,
      (await found<{ express_id: number }>(station, 'statements', number)).map(
        ({ express_id }) => express_id,
      ),
    ]).toEqual([number, [parcels[0]!.id]]);
    const lines = await system.call<{ items: { express_id: number }[] }>(
      station,
      'GET',
      `${base}/statements?delivery_id=${encodeURIComponent(number)}`,
    );
    expect([number, [...new Set(lines.data.items.map(({ express_id }) => express_id))]]).toEqual([
      number,
      [parcels[0]!.id],
    ]);
  }
});

test('a search for several package numbers finds each parcel once, even if two of the numbers belong to the same parcel', async () => {
  const q = parcels
    .flatMap(({ delivery_id }) => [`${delivery_id}-1-2-`, `${delivery_id}-2-2-`])
    .join('\n');
  const { data } = await system.call<{ items: Express[]; missing: string[] }>(
    clerk.token,
    'GET',
    `${base}/expresses?q=${encodeURIComponent(q)}`,
  );
  expect(data.items.map(({ id }) => id).toSorted()).toEqual(parcels.map(({ id }) => id).toSorted());
  expect(data.missing).toEqual([]);
  expect(await found(station, 'prints', q)).toHaveLength(3);
});

test('if parcels are found by package numbers, a bulk action on the found parcels changes exactly these parcels', async () => {
  const q = parcels
    .slice(1)
    .map(({ delivery_id }) => `${delivery_id}-1-2-`)
    .join(' ');
  const started = await system.call<{ job_id: number }>(
    clerk.token,
    'POST',
    `${base}/expresses/bulk`,
    {
      action: 'cancel',
      reason: '多下了',
      filter: { q },
      expected: 2,
    },
  );
  expect(started.data).toMatchObject({ job_id: expect.any(Number) });
  await eventually(
    async () =>
      (await system.call<Job>(clerk.token, 'GET', `${base}/jobs/${started.data.job_id}`)).data
        .status === 'done',
  );
  const states = await Promise.all(
    parcels.map(async ({ id }) => (await clerk.get(id)).canceled_at !== null),
  );
  expect(states).toEqual([false, true, true]);
});

test('a carrier bill with package numbers instead of waybill numbers is matched to the parcel of every line', async () => {
  const lines = sheet.trim().split(/\r?\n/);
  // The parcel gets the first waybill of the sheet, and its copies get the others.
  const [first, ...others] = lines.slice(1).map((line) => /^(\w+)-1-1-/.exec(line)![1]!);
  await rowsOf(
    system,
    sql`update expresses set delivery_id = ${first}
    where id = ${parcels[0]!.id}`,
  );
  const columns = (
    await rowsOf(
      system,
      sql<{
        name: string;
      }>`select attname as name from pg_attribute where attrelid = 'expresses'::regclass
        and attnum > 0 and not attisdropped and attgenerated = ''`,
    )
  ).map(({ name }) => name);
  const copied = sql.raw(
    columns
      .filter((name) => !['id', 'delivery_id', 'order_id', 'thr_order_id'].includes(name))
      .join(', '),
  );
  for (const number of others)
    await rowsOf(
      system,
      sql`insert into expresses (delivery_id, order_id, thr_order_id, ${copied})
      select ${number}, ${`WS-${number}`}, '', ${copied} from expresses
        where id = ${parcels[0]!.id}`,
    );
  const form = new FormData();
  form.append('period', businessDay(new Date()).slice(0, 7));
  form.append('provider', 'jdl');
  form.append('file', new File([sheet], 'bill.csv'));
  const bill = (await system.call<Reconciliation>(admin, 'POST', `${base}/reconciliations`, form))
    .data;
  await eventually(
    async () =>
      (await system.call<Reconciliation>(admin, 'GET', `${base}/reconciliations/${bill.id}`)).data
        .status === 'ready',
  );
  const read = (q: string) => found<BillRow>(admin, `reconciliations/${bill.id}/rows`, q);
  const rows = (
    await system.call<{ items: BillRow[] }>(
      admin,
      'GET',
      `${base}/reconciliations/${bill.id}/rows?page_size=100`,
    )
  ).data.items;
  expect(
    rows
      .filter(({ no }) => no !== null)
      .map(({ delivery_id, express_id }) => [delivery_id, express_id !== null]),
  ).toEqual([first, ...others].map((number) => [number, true]));
  expect((await read(`${others[3]}-1-1-`)).map(({ delivery_id }) => delivery_id)).toEqual([
    others[3],
  ]);
});
