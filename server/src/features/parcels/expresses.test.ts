import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { sql } from '#platform/db/db.ts';
import { parcelClient, failureOf, holdsOf } from '#testing/parcel-client.ts';
import type { ParcelClient } from '#testing/parcel-client.ts';
import { inconsistencies } from '#testing/consistency.ts';
import { exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
let clerk: ParcelClient;
beforeAll(async () => {
  system = await openTestSystem();
  await system.topUp('nanshan', 10_000_000);
  clerk = await parcelClient(system);
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
const countOf = async (thr_order_id: string): Promise<number> =>
  (
    await rowsOf(
      system,
      sql<{ n: number }>`select count(*) as n from expresses
    where thr_order_id = ${thr_order_id}`,
    )
  )[0]!.n;
const draftOf = async (fields: object): Promise<Express> =>
  (await post(clerk, base, { draft: 1, ...fields }, `draft-${Math.random()}`)).data;

describe('a search for two thousand pasted numbers', () => {
  it('a search for two thousand pasted numbers returns the existing parcels, and lists the numbers that were not found', async () => {
    const parcel = await draftOf({ receive_name: '张三' });
    const numbers = Array.from(
      { length: 1_999 },
      (_, at) => `JDVE1${String(at).padStart(10, '0')}`,
    );
    const answer = await system.call<{ items: Express[]; missing: string[] }>(
      clerk.token,
      'GET',
      `${base}?q=${encodeURIComponent([...numbers, parcel.order_id].join(' '))}`,
    );
    expect(answer.status).toBe(200);
    expect(answer.data.items.map(({ id }) => id)).toEqual([parcel.id]);
    expect(answer.data.missing).toEqual(numbers);
  });
});

describe('a repeated order', () => {
  it('an order repeated with the same idempotency key and content returns the first order', async () => {
    const order = exampleOrder({ thr_order_id: 'repeat 1' });
    const first = await post(clerk, base, order, 'repeat-key-1');
    const again = await post(clerk, base, order, 'repeat-key-1');
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.data).toMatchObject({
      id: first.data.id,
      order_id: first.data.order_id,
      delivery_id: first.data.delivery_id,
    });
    expect(await countOf('repeat 1')).toBe(1);
  });

  it('an order repeated with the same idempotency key returns the parcel in its present state', async () => {
    const order = exampleOrder({ thr_order_id: 'repeat 2' });
    const first = await post(clerk, base, order, 'repeat-key-2');
    await clerk.act(first.data.id, 'cancel', { reason: '不寄了' });
    expect((await post(clerk, base, order, 'repeat-key-2')).data).toMatchObject({
      id: first.data.id,
      state_code: 500,
    });
  });

  it('an order with an already used idempotency key and other content is refused and orders nothing', async () => {
    await post(clerk, base, exampleOrder({ thr_order_id: 'repeat 3' }), 'repeat-key-3');
    const other = await post(
      clerk,
      base,
      exampleOrder({ thr_order_id: 'repeat 3 other' }),
      'repeat-key-3',
    );
    expect(other.status).toBe(422);
    expect(failureOf(other)).toMatchObject({ code: 'idempotency_key_reused' });
    expect(await countOf('repeat 3 other')).toBe(0);
  });

  it('a double click on order creates one parcel and one hold', async () => {
    const order = exampleOrder({ thr_order_id: 'double click' });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => post(clerk, base, order, 'double-click')),
    );
    expect(await countOf('double click')).toBe(1);
    const done = answers.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThanOrEqual(1);
    expect(new Set(done.map(({ data }) => data.id)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(failureOf(answer)).toMatchObject({ code: 'idempotency_in_progress' });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(await holdsOf(system, done[0]!.data.id)).toHaveLength(1);
  });

  it.each([
    ['is missing', undefined],
    ['is too short', 'short'],
    ['holds what no key does', 'key with spaces'],
    ['is too long', 'x'.repeat(101)],
  ])('an order is refused if its idempotency key %s', async (_, key) => {
    expect(failureOf(await post(clerk, base, exampleOrder(), key))).toMatchObject({
      code: 'idempotency_key_required',
    });
  });

  it('an order with an idempotency key that another account has used is a separate order', async () => {
    const station = await parcelClient(system, 'station');
    const [mine, theirs] = [
      await post(clerk, base, exampleOrder(), 'a-shared-key'),
      await post(station, base, exampleOrder(), 'a-shared-key'),
    ];
    expect(theirs.status).toBe(200);
    expect(theirs.data.id).not.toBe(mine.data.id);
  });

  it('after an order was refused, its idempotency key can be used again for a different order, because nothing was stored', async () => {
    const bad = await post(clerk, base, exampleOrder({ expected_amount: 1 }), 'failed-first');
    expect(bad.status).toBe(422);
    expect((await post(clerk, base, exampleOrder(), 'failed-first')).status).toBe(200);
  });

  it('a refused parcel is ordered again at most once for each idempotency key', async () => {
    const { data } = await clerk.order({ remark: '拒单' });
    const answers = await Promise.all(
      ['one', 'one', 'two'].map((key) =>
        post(clerk, `${base}/${data.id}/retry`, {}, `retry-key-${key}`),
      ),
    );
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(['idempotency_in_progress', 'state_forbids']).toContain(failureOf(answer).code);
    expect((await holdsOf(system, data.id)).length).toBeLessThanOrEqual(3);
    expect((await clerk.get(data.id)).state_code).toBe(90);
  });
});

describe('a draft', () => {
  it('a draft can be stored incomplete and without a price, and ordering it returns an error for each missing field', async () => {
    const draft = await draftOf({ receive_name: '张三' });
    expect(draft).toMatchObject({
      state_code: 0,
      state_txt: '草稿',
      post_amount: 0,
      receive_name: '张三',
      delivery_id: null,
    });
    const refused = await post(clerk, `${base}/${draft.id}/order`, {}, 'order-a-draft-1');
    expect(refused.status).toBe(422);
    expect(Object.keys(failureOf(refused).fields!)).toEqual(
      expect.arrayContaining([
        'sender_name',
        'sender_phone',
        'receive_phone',
        'receive_address',
        'goods',
        'promise_id',
        'weight',
      ]),
    );
  });

  it('a draft can be ordered after its missing fields are filled in, and its first pricing has the number 0', async () => {
    const draft = await draftOf({ receive_name: '张三' });
    const edited = await clerk.edit(draft.id, { version: draft.version, ...exampleOrder() });
    expect(edited.status).toBe(200);
    const { data } = await post(clerk, `${base}/${draft.id}/order`, {}, 'order-a-draft-2');
    expect(data).toMatchObject({ state_code: 100, order_id: draft.order_id });
    const { data: price } = await system.call<{ pricings: { no: number }[] }>(
      clerk.token,
      'GET',
      `${base}/${draft.id}/price`,
    );
    expect(price.pricings.map(({ no }) => no)).toEqual([0]);
  });
});

describe('editing a parcel', () => {
  it('an edit of a parcel that another user has changed meanwhile is refused and returns the present version', async () => {
    const draft = await draftOf({ receive_name: '张三' });
    await clerk.edit(draft.id, { version: draft.version, receive_name: '李四' });
    const late = await clerk.edit(draft.id, { version: draft.version, receive_name: '王五' });
    expect(late.status).toBe(409);
    expect(failureOf(late)).toMatchObject({
      code: 'version_conflict',
      current: { id: draft.id, receive_name: '李四', version: draft.version + 1 },
    });
  });

  it('an edit repeated with the same idempotency key succeeds after later edits too, and other content with that key is refused', async () => {
    const draft = await draftOf({ receive_name: '张三' });
    const change = (body: object) =>
      system.call<Express>(
        { token: clerk.token, headers: { 'idempotency-key': 'edit-key-1' } },
        'PATCH',
        `${base}/${draft.id}`,
        { version: draft.version, ...body },
      );
    const first = await change({ receive_name: '李四' });
    await clerk.edit(draft.id, { version: first.data.version, remark: '轻放' });
    const again = await change({ receive_name: '李四' });
    expect(again).toMatchObject({
      status: 200,
      data: { id: draft.id, receive_name: '李四', remark: '轻放' },
    });
    expect(failureOf(await change({ receive_name: '王五' }))).toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect((await clerk.get(draft.id)).receive_name).toBe('李四');
  });

  it('only one of two simultaneous edits of a parcel succeeds', async () => {
    const draft = await draftOf({});
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        clerk.edit(draft.id, { version: draft.version, receive_name: `第${n}人` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  });

  it('an edit of a refused parcel calculates its price again and holds no money', async () => {
    const { data } = await clerk.order({ remark: '拒单', weight: 1_000 });
    const { data: edited } = await clerk.edit(data.id, { version: data.version, weight: 4_300 });
    expect(edited).toMatchObject({ state_code: 90, cal_weight: 5_000, post_amount: 1_768 });
    expect(await holdsOf(system, data.id)).toMatchObject([{ status: 'released' }]);
  });

  it('an edit of a parcel is refused after the carrier has picked the parcel up', async () => {
    const { data } = await clerk.order();
    await system.carrier.control('POST', `orders/${data.delivery_id}/jump`, { to: 'picked_up' });
    await clerk.until(data.id, 200);
    expect(
      failureOf(
        await clerk.edit(data.id, { version: (await clerk.get(data.id)).version, weight: 1_000 }),
      ),
    ).toMatchObject({ code: 'state_forbids' });
  });

  it('an edit of a parcel records the values before and after in the audit log', async () => {
    const draft = await draftOf({ receive_name: '张三' });
    await clerk.edit(draft.id, { version: draft.version, receive_name: '李四', weight: 1_000 });
    const [line] = await rowsOf(
      system,
      sql<{
        account_name: string;
        changes: object;
      }>`select account_name, changes from audit_log where subject = 'expresses'
        and subject_id = ${draft.id} and action = 'edit'`,
    );
    expect(line).toEqual({
      account_name: 'clerk',
      changes: { receive_name: ['张三', '李四'], weight: [0, 1_000] },
    });
  });
});

describe('an order with an entry of the address book', () => {
  const contact = async (station: string): Promise<number> =>
    (
      await rowsOf(
        system,
        sql<{
          id: number;
        }>`insert into contacts (station_id, kind, name, phone, province, city, county,
          address) values (${system.station(station).id}, 'receive', '张三', '13900000001',
          '上海市', '上海市', '浦东新区', '世纪大道100号') returning id`,
      )
    )[0]!.id;

  it('an order stores the chosen address book entry of the user’s station, and refuses an unknown entry or one of another station', async () => {
    const [own, other] = [await contact('nanshan'), await contact('tianhe')];
    expect((await clerk.order({ receive_id: own })).data).toMatchObject({ receive_id: own });
    for (const receive_id of [other, 999_999_999]) {
      expect(failureOf(await clerk.order({ receive_id }))).toMatchObject({
        code: 'invalid_input',
        fields: { receive_id: { code: 'not_found' } },
      });
      expect(
        failureOf(await post(clerk, base, { draft: 1, receive_id }, `contact-${receive_id}`)),
      ).toMatchObject({
        fields: { receive_id: { code: 'not_found' } },
      });
    }
  });
});

describe('a station that may not print', () => {
  it('if a station may not print, neither its users nor administrators get a label or a preview of its parcels', async () => {
    const clerk = await parcelClient(system);
    const { data: parcel } = await clerk.order();
    const label = async (token: string, preview: 0 | 1) =>
      system.call<object>(token, 'POST', '/api/arco/labels', {
        ids: [parcel.id],
        format: '76x130',
        ...(preview === 1 && { preview }),
      });
    await rowsOf(
      system,
      sql`update stations set allow_print = 0
      where id = ${parcel.station_id}`,
    );
    try {
      expect((await clerk.get(parcel.id)).allow_print).toBe(0);
      for (const { token } of [clerk, await parcelClient(system, 'admin')])
        for (const preview of [0, 1] as const) {
          const answer = await label(token, preview);
          expect([answer.status, failureOf(answer).code]).toEqual([422, 'print_not_allowed']);
        }
      expect((await clerk.get(parcel.id)).print_count).toBe(0);
    } finally {
      await rowsOf(
        system,
        sql`update stations set allow_print = 1
        where id = ${parcel.station_id}`,
      );
    }
    expect((await label(clerk.token, 0)).status).toBe(200);
  });
});

describe('the final check of this file', () => {
  it('the ledger check passes after these tests, and the carrier’s orders equal the product’s', async () => {
    expect(await inconsistencies(system)).toEqual([]);
  });
});
