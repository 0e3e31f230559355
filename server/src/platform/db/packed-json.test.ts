import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstOf } from '@waystation/contract/base/present.ts';
import { sql } from '#platform/db/db.ts';
import { packJson, packed } from '#platform/db/packed-json.ts';
import { openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.close());

/**
 * Stores a packed text in a statement of its own, because only later statements can read a new
 * template of packed JSON.
 */
const stored = async (text: ReturnType<typeof sql<string>>): Promise<string> =>
  firstOf(await rowsOf(system, sql<{ text: string }>`select ${text} as text`)).text;

const unpacked = async (json: object): Promise<unknown> => {
  const text = await stored(packed(json));
  return firstOf(await rowsOf(system, sql<{ json: unknown }>`select json_unpack(${text}) as json`))
    .json;
};

const parcel = sql`jsonb_populate_record(null::expresses, ${JSON.stringify({
  order_id: 'WS"1\u001F',
  user_id: 3,
  attempt: 1,
  customer_code: '',
  provider: 'jdl',
  promise_id: 'ed-m-0001',
  package_count: 2,
  guarantee_value_amount: 0,
  trans_type: 1,
  goods_type: 1,
  weight: 1_000,
  length: 0,
  width: 0,
  height: 0,
  guarantee_amount: 0,
  surcharge_amount: 0,
  pre_amount: 1_540,
  post_amount: 1_324,
  discount_amount: 216,
  surcharges: { box: 2.5 },
  shares: [{ amount: 46, station_id: 8 }],
  price_lines: [{ rule: 'first' }],
  simulated: 1,
})}::jsonb || jsonb_build_object('erased', `;

describe('packed JSON', () => {
  it.each([
    { of: 'nothing', json: {} },
    { of: 'an empty list', json: [] },
    {
      of: 'values of each kind',
      json: { a: 1, b: [1, -2.5, 'x"y: 3', null, [], {}], c: { 'd %s e': true, f: '100 %s' } },
    },
    {
      of: 'texts',
      json: { text: 'line\nbreak, \u001F and \\u001f', lines: [{ rule: '首重' }, { rule: 'x' }] },
    },
  ])('packing and unpacking JSON with $of returns the original JSON', async ({ json }) => {
    expect(await unpacked(json)).toEqual(json);
  });

  it('a field with the value undefined is left out of packed JSON', async () => {
    expect(await unpacked({ a: undefined, b: 1 })).toEqual({ b: 1 });
  });

  it('two JSON values with the same keys are packed with the same template', () => {
    expect(packJson({ a: 1, b: ['x'] }).template).toBe(packJson({ a: 22, b: ['y'] }).template);
  });

  it('packed JSON that was altered is unpacked as null', async () => {
    const text = await stored(packed({ a: 1, b: 2 }));
    expect(
      await rowsOf(
        system,
        sql`select json_unpack(left(p, 13)) as lost, json_unpack('x' || substr(p, 2)) as named,
          json_unpack(p || 'x') as spoilt from (select ${text}::text as p) x`,
      ),
    ).toEqual([{ lost: null, named: null, spoilt: null }]);
  });

  it('shapes of packed JSON are never changed or deleted', async () => {
    await unpacked({ a: 1 });
    await expect(rowsOf(system, sql`delete from json_shapes`)).rejects.toThrow();
    await expect(rowsOf(system, sql`update json_shapes set template = '%s'`)).rejects.toThrow();
  });

  it.each([0, 3])(
    'the content of a parcel’s version is the same after packing and unpacking, with erasure level %i',
    async (erased) => {
      const text = await stored(sql<string>`json_pack(express_content_template(${erased}::smallint),
        express_content_values(${parcel} ${erased}::int))))`);
      expect(
        await rowsOf(
          system,
          sql`select json_unpack(${text}) = express_content(${parcel} ${erased}::int))) as same`,
        ),
      ).toEqual([{ same: true }]);
    },
  );
});
