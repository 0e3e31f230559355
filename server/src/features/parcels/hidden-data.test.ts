import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listedFields } from '@waystation/contract/parcels/express.schema.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { openPdf, wordsOf } from '#domain/documents/labels/reading.ts';
import { sql } from '#platform/db/db.ts';
import { parcelClient, failureOf } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
let admin: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
  admin = await parcelClient(system, 'admin');
});
afterAll(() => system.close());

const base = '/api/arco/expresses';
const post = <T = Express>(
  counter: ParcelClient,
  path: string,
  body: object,
  key?: string,
): Promise<Answer<T>> =>
  system.call<T>(
    { token: counter.token, headers: key === undefined ? {} : { 'idempotency-key': key } },
    'POST',
    path,
    body,
  );
const draftOf = async (fields: object): Promise<Express> =>
  (await post(clerk, base, { draft: 1, ...fields }, `draft-${Math.random()}`)).data;

describe('a masked phone copied from a response', () => {
  const masked = { receive_phone: '139****0001' };
  const refusal = { code: 'invalid_input', fields: { receive_phone: { code: 'phone_masked' } } };

  it('an order or a draft is refused if it contains a masked phone that was copied from a response', async () => {
    expect(failureOf(await clerk.order(masked))).toMatchObject(refusal);
    expect(
      failureOf(await post(clerk, base, { draft: 1, ...masked }, 'masked-draft')),
    ).toMatchObject(refusal);
    const draft = await draftOf({ receive_phone: '13900000001' });
    expect(
      failureOf(await admin.edit(draft.id, { version: draft.version, ...masked })),
    ).toMatchObject(refusal);
    expect((await clerk.get(draft.id)).receive_phone).toBe('13900000001');
  });
});

describe('data of a parcel that is hidden from other users', () => {
  let parcel: Express;
  beforeAll(async () => {
    parcel = (
      await clerk.order({ receive_phone: '13911112222-1234', sender_phone: '0755-26001234' })
    ).data;
  });

  it('users of a parcel’s station see its phones complete, and all others see them masked, in the list and on the parcel', async () => {
    const whole = {
      receive_phone: '13911112222-1234',
      sender_phone: '0755-26001234',
      phones_shown: 1,
    };
    const masked = {
      receive_phone: '139****2222-****',
      sender_phone: '0755-****1234',
      phones_shown: 0,
    };
    for (const [username, expected] of [
      ['clerk', whole],
      ['station', whole],
      ['partner', masked],
      ['admin', masked],
      ['super', masked],
    ] as const) {
      const counter = await parcelClient(system, username);
      expect(await counter.get(parcel.id), username).toMatchObject(expected);
      const { data } = await system.call<{ items: Express[] }>(
        counter.token,
        'GET',
        `${base}?q=${parcel.order_id}&fields=sender_phone`,
      );
      expect(data.items, username).toHaveLength(1);
      expect(data.items[0], username).toMatchObject(expected);
    }
  });

  it('a phone of another station is found by its last four or all digits but not by five digits, so that nobody can guess the phone', async () => {
    const found = async (token: string, q: string) =>
      (await system.call<{ total: number }>(token, 'GET', `${base}/counts?q=${q}`)).data.total;
    for (const [q, own, others] of [
      ['2222', 1, 1],
      ['12222', 1, 0],
      ['13911112222', 1, 1],
    ] as const) {
      expect([q, await found(clerk.token, q)]).toEqual([q, own]);
      for (const { token } of [await parcelClient(system, 'partner'), admin])
        expect([q, await found(token, q)]).toEqual([q, others]);
    }
  });

  it('a label preview, which is not audited, masks the same phones as the parcel', async () => {
    const words = async (token: string) => {
      const { bytes } = await system.call(token, 'POST', '/api/arco/labels', {
        ids: [parcel.id],
        format: '76x130',
        preview: 1,
      });
      return wordsOf(await openPdf(new Uint8Array(bytes)), 1);
    };
    // Sets that the parcel's carrier wants complete phones on labels.
    await rowsOf(
      system,
      sql`update expresses
      set print_data = print_data || '{"hide_phone": 0}' where id = ${parcel.id}`,
    );
    expect(await words(clerk.token)).toMatch(/26001234/);
    for (const { token } of [await parcelClient(system, 'partner'), admin])
      expect(await words(token)).not.toMatch(/13911112222|26001234/);
  });

  it('a parcel, its trace, price and transactions, and the Workplace contain no complete phones for administrators', async () => {
    for (const part of ['', '/trace', '/price', '/statements']) {
      const { data } = await system.call<object>(admin.token, 'GET', `${base}/${parcel.id}${part}`);
      expect(JSON.stringify(data), part).not.toMatch(/13911112222|26001234/);
    }
    const { data } = await system.call<object>(admin.token, 'GET', '/api/arco/workplace');
    expect(JSON.stringify(data)).not.toMatch(/13911112222|26001234/);
  });

  it('revealing the phones of a parcel on request adds a row to the audit log', async () => {
    const { data } = await admin.act(parcel.id, 'reveal');
    expect(data).toEqual({ sender_phone: '0755-26001234', receive_phone: '13911112222-1234' });
    expect(
      await rowsOf(
        system,
        sql`select account_name, action, station_id from audit_log
      where subject_id = ${parcel.id} and action = 'reveal'`,
      ),
    ).toEqual([
      { account_name: 'admin', action: 'reveal', station_id: system.station('nanshan').id },
    ]);
  });

  it('the carrier’s cost of a parcel is shown only to administrators', async () => {
    await system.carrier.control('POST', `orders/${parcel.delivery_id}/jump`, { to: 'picked_up' });
    await clerk.until(parcel.id, 200);
    for (const username of ['clerk', 'station', 'partner'] as const) {
      const counter = await parcelClient(system, username);
      for (const path of [
        `${base}/${parcel.id}`,
        `${base}?q=${parcel.order_id}&fields=${listedFields.join(',')}`,
        `${base}/${parcel.id}/price`,
      ]) {
        const { data } = await system.call<object>(counter.token, 'GET', path);
        expect(JSON.stringify(data), `${username} ${path}`).not.toMatch(
          /jd_amount|customer_code|carrier_cost|"terms"|"shares"|merchant_id|order_request/,
        );
      }
    }
    expect(Object.keys(await admin.get(parcel.id))).toEqual(
      expect.arrayContaining(['jd_amount', 'customer_code']),
    );
  });

  it('the carrier account of a quote is shown only to administrators', async () => {
    const places = {
      sender_province: '广东省',
      sender_city: '深圳市',
      receive_province: '上海市',
      receive_city: '上海市',
    };
    const quoted = async (username: 'clerk' | 'admin') =>
      (
        await system.call<{ quotes: { customer_code?: string }[] }>(
          (await parcelClient(system, username)).token,
          'POST',
          `${base}/quote`,
          {
            ...places,
            weight: 1_000,
            ...(username === 'admin' && { station_id: parcel.station_id }),
          },
        )
      ).data.quotes;
    expect((await quoted('admin'))[0]!.customer_code).toBe(
      (await admin.get(parcel.id)).customer_code,
    );
    expect(JSON.stringify(await quoted('clerk'))).not.toContain('customer_code');
  });

  it('the transactions of a parcel are hidden from clerks', async () => {
    expect((await system.call(clerk.token, 'GET', `${base}/${parcel.id}/statements`)).status).toBe(
      403,
    );
    const station = await parcelClient(system, 'station');
    expect(
      (
        await system.call<{ items: object[] }>(
          station.token,
          'GET',
          `${base}/${parcel.id}/statements`,
        )
      ).data.items.length,
    ).toBeGreaterThan(0);
  });
});
