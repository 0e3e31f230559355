import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultFields, rowFields } from '@waystation/contract/parcels/express-fields.ts';
import { listedFields } from '@waystation/contract/parcels/express.schema.ts';
import type { Express, ExpressRow } from '@waystation/contract/parcels/express.ts';
import { businessDay } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import { sourcesOf } from './fields.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { Refused, TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';

const base = '/api/arco/expresses';
const people = ['super', 'partner', 'station', 'clerk'] as const satisfies (keyof Tokens)[];
/** The fields that only administrators may read. */
const ofOffice = new Set<string>(['jd_amount', 'customer_code', 'waybill_claims']);
/**
 * Texts that JSON must escape, texts that it must leave unchanged, and texts that look like JSON.
 */
const texts = [
  '茶叶 "一级"',
  'a\\b',
  'null',
  '{"id":1}',
  '📦 🧧',
  '\u2028</script>',
  '长'.repeat(60),
];

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  for (const [index, goods] of texts.entries()) {
    const order = exampleOrder({ draft: 1, goods, remark: texts.at(-index) });
    await api.call(tokens.clerk, 'POST', base, order);
  }
  // Sets states that the worker or the carrier would cause: on hold, ordering while the account is
  // down, claimed twice, printed, with an exception.
  await api.rows(sql`update merchants set down_since = '2026-02-03 04:05:06.7'`);
  await api.rows(sql`update expresses set merchant_id = (select min(id) from merchants),
    voucher_id = (select min(id) from vouchers), project_id = (select min(id) from projects),
    state_code = (array[0, 10, 20, 100, 300, 400])[1 + id % 6], jd_amount = 700,
    customer_code = '010K1', print_uid = user_id, print_count = 2,
    printed_at = '2026-02-02', cal_weight = case when id % 2 = 0 then 1200 end,
    exception = case when id % 3 = 0 then 'unmoved' end,
    exception_at = case when id % 3 = 0 then timestamptz '2026-02-02 01:02:03.5' end,
    weight_reason = null, pre_sort_result = '{"z": [1, 2.5, null], "a": "é"}',
    waybill_claims = '[{"delivery_id": "JDW1", "source": "answer"},
      {"delivery_id": "JDW2", "source": "push"}]'`);
});
afterAll(() => api.close());

const read = async (
  person: (typeof people)[number],
  query: string,
): Promise<{ items: ExpressRow[]; next_cursor: string | null }> => {
  const { status, data } = await api.call<{ items: ExpressRow[]; next_cursor: string | null }>(
    tokens[person],
    'GET',
    `${base}?${query}`,
  );
  expect(status).toBe(200);
  return data;
};

const namesOf = (row: object | undefined): string[] => Object.keys(row ?? {}).toSorted();

describe('the fields of the parcel list', () => {
  it('the parcel list without `fields` returns the fields of the default columns', async () => {
    const { items } = await read('super', 'page_size=5');
    expect(namesOf(items[0])).toEqual([...rowFields, ...defaultFields].toSorted());
  });

  it('the parcel list with `fields` returns the requested fields and the fields that every row has', async () => {
    const { items } = await read('clerk', 'page_size=5&fields=remark,promise_name');
    expect(namesOf(items[0])).toEqual([...rowFields, 'promise_name', 'remark'].toSorted());
  });

  it('the same `fields` of the parcel list in a different order produce the same SQL columns', () => {
    const [one, other] = [
      sourcesOf(['voucher_name', 'remark', 'user_nickname', 'goods']),
      sourcesOf(['goods', 'user_nickname', 'remark', 'voucher_name']),
    ].map(({ own, columns }) => [own, JSON.stringify(columns.toOperationNode())]);
    expect(one).toEqual(other);
  });

  it('a parcel list request with an unknown field in `fields` returns 422 and the name of that field', async () => {
    for (const name of ['colour', 'print_data', 'chosen_code', 'terms', 'merchant_id', '']) {
      const { status, data } = await api.call<Refused>(
        tokens.super,
        'GET',
        `${base}?fields=goods,${name},remark`,
      );
      expect([status, data.fields]).toEqual([
        422,
        { [`fields.${name}`]: { code: 'unknown_field' } },
      ]);
    }
  });

  it.each(people)(
    'every field of the parcel list has the same value for %s as in the response for the single parcel',
    async (person) => {
      const { items } = await read(person, `page_size=50&fields=${listedFields.join(',')}`);
      expect(items).toHaveLength(texts.length);
      const fields = listedFields.filter((name) => person === 'super' || !ofOffice.has(name));
      for (const row of items) {
        const { data } = await api.call<Express>(tokens[person], 'GET', `${base}/${row.id}`);
        const { print_data: _, chosen_code: __, ...parcel } = data;
        expect(row).toEqual(parcel);
        expect(namesOf(row)).toEqual(fields.toSorted());
      }
    },
  );

  it.each(people)(
    'each field of the parcel list has the same value for %s whether it is requested alone or with all other fields',
    async (person) => {
      const { items: whole } = await read(person, `page_size=50&fields=${listedFields.join(',')}`);
      for (const name of listedFields) {
        const { items } = await read(person, `page_size=50&fields=${name}`);
        expect(items.map((row) => row[name])).toEqual(whole.map((row) => row[name]));
      }
    },
  );

  it('the parcel list continues after its last row in every sort order, even if the sorted column is not requested', async () => {
    const day = businessDay(api.clock.now());
    for (const sort of ['-created_at', 'post_amount', '-cal_weight', 'weight', 'state_code']) {
      const found: number[] = [];
      for (let cursor = ''; ;) {
        const page = await read(
          'super',
          `fields=goods&page_size=3&sort=${sort}&created_from=${day}&created_to=${day}${cursor}`,
        );
        found.push(...page.items.map(({ id }) => id));
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      expect(new Set(found).size).toBe(texts.length);
      expect(found).toHaveLength(texts.length);
    }
  });
});
