import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type { FailureData } from '@waystation/contract/base/envelope.ts';
import type { Import, ImportPickup, ImportRow } from '@waystation/contract/imports/import.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import type { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import { sql } from '#platform/db/db.ts';
import { carrierRequests, creates } from '#testing/parcel-client.ts';
import { offerSf } from '#testing/sf-offer.ts';
import { eventually, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let office: string;
let clerk: string;
let station: number;
let keys = 0;
let files = 0;

const ask = <T>(method: string, path: string, body?: object, token = clerk) =>
  system.call<T>(
    { token, headers: { 'idempotency-key': `window-key-${++keys}` } },
    method,
    `/api/arco/${path}`,
    body,
  );

beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  office = await system.login('admin');
  clerk = await system.login('clerk');
  await offerSf(system, office);
  station = system.station('nanshan').id;
  const { data } = await ask<Station>('GET', `stations/${station}`, undefined, office);
  const rule = { offer_rule: 'preferred', offer_carriers: { default: 'jdl', 310000: 'sf' } };
  const body = { version: data.version, allow_select: 1, ...rule };
  expect((await ask('PATCH', `stations/${station}`, body, office)).status).toBe(200);
});
afterEach(() => system.carrier.control('DELETE', 'faults'));
afterAll(() => system.close());

const titles =
  '收件人,手机,省,市,区,详细地址,物品,重量(kg),寄件人,寄件电话,寄件省,寄件市,寄件区,寄件地址';
const places = { sf: '上海市,上海市,浦东新区', jdl: '北京市,北京市,朝阳区' };
/** A row that the product rule orders with this carrier, sent from the house number `house`. */
const line = (to: keyof typeof places, house = 1): string =>
  `示例收件人,139${30_000_000 + ++files},${places[to]},示例路 ${files} 号,文件,4.3,甲,13900000001,广东省,深圳市,南山区,科技园 ${house} 号`;

const read = async (id: number): Promise<Import> =>
  (await ask<Import>('GET', `imports/${id}`)).data;
const until = async (id: number, is: (found: Import) => boolean): Promise<Import> => {
  let found = await read(id);
  await eventually(async () => {
    found = await read(id);
    return is(found);
  });
  return found;
};
const price = async ({ id, version }: Import): Promise<Import> => {
  await ask('POST', `imports/${id}/quote`, { version });
  return until(id, ({ quote }) => quote !== null);
};
/** Uploads a file with these lines, and returns the import with its prices. */
const priced = async (...lines: string[]): Promise<Import> => {
  const form = new FormData();
  form.append('file', new File([[titles, ...lines].join('\n')], `上门 ${++files}.csv`));
  const answer = await fetch(`${system.url}/api/arco/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${clerk}`, 'idempotency-key': `window-file-${files}` },
    body: form,
  });
  const { data } = (await answer.json()) as { data: Import };
  return price(await until(data.id, ({ status }) => status === 'ready' || status === 'failed'));
};
const rowsIn = async (id: number): Promise<ImportRow[]> =>
  (await ask<{ items: ImportRow[] }>('GET', `imports/${id}/rows?nos=1,2,3,4`)).data.items;

type Chosen = Record<'pickup_from' | 'pickup_until', string> & { row: number };

/** Returns the last pickup window that the carrier offers for a pickup. */
const offered = async ({
  row,
  provider,
  promise_id,
  places: at,
}: ImportPickup): Promise<Chosen> => {
  const question = { provider, ...(promise_id && { promise_id }), ...at };
  const { data } = await ask<OutputOf<typeof coverExpress>>('POST', 'expresses/coverage', question);
  const { starts_at, ends_at } = data.pickup_windows!.at(-1)!;
  return { row, pickup_from: starts_at, pickup_until: ends_at };
};
const hour = 3_600_000;
const foreign = (row: number, from = 3, hours = 1): Chosen => ({
  row,
  pickup_from: new Date(Date.now() + from * hour).toISOString(),
  pickup_until: new Date(Date.now() + (from + hours) * hour).toISOString(),
});
const confirm = ({ id, version, quote }: Import, pickups?: readonly object[]) =>
  ask<Import & FailureData>('POST', `imports/${id}/confirm`, {
    version,
    expected_amount: quote!.post_amount,
    rows: 'all',
    ...(pickups && { pickups }),
  });
const ordered = async (found: Import, pickups?: readonly object[]): Promise<ImportRow[]> => {
  expect((await confirm(found, pickups)).status).toBe(200);
  await until(found.id, ({ status }) => status === 'done');
  return rowsIn(found.id);
};
const parcelsOf = (rows: readonly ImportRow[]) =>
  rowsOf(
    system,
    sql<{
      order_id: string;
      provider: string;
      state_code: number;
      pickup_from: Date | null;
    }>`select order_id, provider, state_code, pickup_from from expresses
      where id = any(${rows.map(({ express_id }) => express_id)}::bigint[]) order by id`,
  );
const sentWindow = async (order_id: string): Promise<unknown> => {
  await eventually(async () => (await creates(system, order_id)).length > 0);
  const [body] = JSON.parse((await creates(system, order_id))[0]!.body) as Record<
    string,
    unknown
  >[];
  return body!['pickupStartTime'];
};
const asked = async (): Promise<number> => (await carrierRequests(system, 'precheck')).length;
const held = async (): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{
        freeze: number;
      }>`select s.freeze::float8 as freeze from stations s where s.id = ${station}`,
    )
  )[0]!.freeze;

describe('the pickup windows of an import', () => {
  it('the quote of an import lists pickups at carriers with pickup windows by address, the pickup with most rows first', async () => {
    const found = await priced(line('jdl', 2), line('sf'), line('jdl'), line('jdl'));
    const jdl = { provider: 'jdl' };
    expect(found.pickups).toMatchObject([
      {
        ...jdl,
        row: 3,
        rows: 2,
        places: { sender_address: '科技园 1 号', receive_city: '北京市' },
      },
      { ...jdl, row: 1, rows: 1, places: { sender_address: '科技园 2 号' } },
      { provider: 'sf', row: 2, rows: 1, places: { receive_phone: expect.stringMatching(/^139/) } },
    ]);
    const { data } = await ask<{ items: Import[] }>('GET', 'imports');
    expect(data.items.find(({ id }) => id === found.id)!.pickups).toBeNull();
  });

  it('a pickup window chosen in an import applies only to the rows of the same pickup, and one coverage request serves all these rows', async () => {
    const found = await priced(line('jdl'), line('sf'), line('jdl'), line('jdl', 2));
    const window = await offered(found.pickups![0]!);
    const before = await asked();
    const rows = await ordered(found, [window]);
    expect(rows.map(({ mark }) => mark)).toEqual(['ordered', 'ordered', 'ordered', 'ordered']);
    const parcels = await parcelsOf(rows);
    expect(parcels.map((one) => one.pickup_from?.toISOString() ?? null)).toEqual([
      window.pickup_from,
      null,
      window.pickup_from,
      null,
    ]);
    expect(await sentWindow(parcels[0]!.order_id)).toBe(Date.parse(window.pickup_from));
    expect(await sentWindow(parcels[2]!.order_id)).toBe(Date.parse(window.pickup_from));
    expect(await sentWindow(parcels[3]!.order_id)).toBeUndefined();
    expect(await asked()).toBe(before + 1);
  });

  it('an import requests SF Express pickup windows with the phones of a row, and orders the rows with the chosen window', async () => {
    const found = await priced(line('sf'), line('sf'));
    const window = await offered(found.pickups![0]!);
    const rows = await ordered(found, [window]);
    const parcels = await parcelsOf(rows);
    expect(parcels).toMatchObject([{ provider: 'sf' }, { provider: 'sf' }]);
    expect(parcels.map((one) => one.pickup_from?.toISOString())).toEqual([
      window.pickup_from,
      window.pickup_from,
    ]);
  });

  it('pickup windows of an import are requested for another row if the carrier does not serve the first row', async () => {
    const unserved = line('jdl').replace('示例路', '超区路');
    const served = line('jdl').replace(places.jdl, '天津市,天津市,和平区');
    const found = await priced(unserved, line('jdl').replace('示例路', '超区路'), served);
    expect(found.pickups).toMatchObject([
      { row: 1, rows: 3, others: [3], other_places: [{ receive_city: '天津市' }] },
    ]);
    const rows = await ordered(found, [foreign(1)]);
    expect(rows.map(({ reason }) => reason?.code)).toEqual([
      'pickup_window_gone',
      'pickup_window_gone',
      'pickup_window_gone',
    ]);
  });

  it('import rows whose pickup window is no longer offered are refused before anything is held, and can be ordered with another window', async () => {
    const found = await priced(line('jdl'), line('jdl'));
    const before = await held();
    const rows = await ordered(found, [foreign(1)]);
    expect(rows).toMatchObject(
      [1, 2].map(() => ({
        mark: 'refused',
        express_id: null,
        reason: { code: 'pickup_window_gone' },
      })),
    );
    expect(await held()).toBe(before);
    const { version } = await read(found.id);
    await ask('POST', `imports/${found.id}/edits`, {
      version,
      action: 'include',
      marks: ['refused'],
    });
    const again = await price(await until(found.id, ({ status }) => status !== 'checking'));
    const window = await offered(again.pickups![0]!);
    const parcels = await parcelsOf(await ordered(again, [window]));
    expect(parcels.map((one) => one.pickup_from?.toISOString())).toEqual([
      window.pickup_from,
      window.pickup_from,
    ]);
  });

  it('if refused import rows are confirmed again without a pickup window, they are picked up as soon as possible', async () => {
    const found = await priced(line('jdl'));
    expect(await ordered(found, [foreign(1)])).toMatchObject([{ mark: 'refused' }]);
    const { version } = await read(found.id);
    await ask('POST', `imports/${found.id}/edits`, {
      version,
      action: 'include',
      marks: ['refused'],
    });
    const again = await price(await until(found.id, ({ status }) => status !== 'checking'));
    expect(await parcelsOf(await ordered(again))).toMatchObject([{ pickup_from: null }]);
  });

  it('import rows are ordered with their pickup window if the carrier does not answer the coverage request, which is sent only once', async () => {
    const found = await priced(line('jdl'), line('jdl'), line('jdl'));
    await system.carrier.control('POST', 'faults', {
      kind: 'error_before',
      path: '/ecap/v1/orders/precheck',
      times: 5,
    });
    const window = foreign(1);
    const before = await asked();
    const parcels = await parcelsOf(await ordered(found, [window]));
    expect(parcels).toHaveLength(3);
    for (const { order_id } of parcels)
      expect(await sentWindow(order_id)).toBe(Date.parse(window.pickup_from));
    expect(await asked()).toBe(before + 1);
  });

  it('confirming an import is refused if a pickup window has passed, is of another row or is given twice, or if there are more than five', async () => {
    const found = await priced(line('jdl'), line('jdl'));
    const refusals: readonly [Chosen[], string][] = [
      [[foreign(1, -3)], 'pickup_window_gone'],
      [[foreign(1, 24 * 8)], 'pickup_window_gone'],
      [[foreign(1, 4, -1)], 'invalid'],
      [[foreign(1, 4, 30)], 'invalid'],
      [[foreign(2)], 'invalid'],
      [[foreign(1), foreign(1)], 'invalid'],
      [[1, 2, 3, 4, 5, 6].map((row) => foreign(row)), 'invalid'],
    ];
    for (const [pickups, code] of refusals) {
      const { status, data } = await confirm(found, pickups);
      expect([status, data.fields]).toMatchObject([422, { pickups: { code } }]);
    }
    expect((await read(found.id)).counts.waiting).toBe(0);
  });
});
