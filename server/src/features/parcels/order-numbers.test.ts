import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Express } from '@waystation/contract/parcels/express.ts';
import { exampleOrder, openTestSystem } from '#testing/test-system.ts';
import type { TestSystem } from '#testing/test-system.ts';

const cases = (
  await readFile(join(import.meta.dirname, '../../testing/public-reports/cases.jsonl'), 'utf8')
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { kind: string; n: string });
const reported = cases.filter(({ kind }) => kind === 'orderno').map(({ n }) => n);
const others = [
  'TB/1',
  'a,b',
  'A|12',
  "O'Neil-1",
  '双十一',
  '#',
  '7',
  '订单 甲 乙',
  '（急）12',
  '50%_\\',
  'é12',
  '12 34',
  '20261101;7',
  '  x  1',
  '😀9',
  'JDVE00000006001-1-1-',
  'ＷＸ－２０２６１１',
  '＃８８',
];
const numbers = [...reported, ...others];

let system: TestSystem;
const tokens: string[] = [];
const ids = new Map<string, number>();

beforeAll(async () => {
  system = await openTestSystem();
  for (const name of ['clerk', 'partner', 'admin']) tokens.push(await system.login(name));
  for (const [index, thr_order_id] of numbers.entries()) {
    const { data } = await system.call<Express>(
      { token: tokens[0]!, headers: { 'idempotency-key': `order-number-${index}` } },
      'POST',
      '/api/arco/expresses',
      exampleOrder({ draft: 1, thr_order_id, receive_name: '王小明' }),
    );
    ids.set(thr_order_id, data.id);
  }
});
afterAll(() => system.close());

const search = async (token: string, q: string): Promise<{ items: Express[]; missing: string[] }> =>
  (
    await system.call<{ items: Express[]; missing: string[] }>(
      token,
      'GET',
      `/api/arco/expresses?page_size=100&fields=thr_order_id&q=${encodeURIComponent(q)}`,
    )
  ).data;
const idsOf = async (token: string, q: string): Promise<number[]> =>
  (await search(token, q)).items.map(({ id }) => id);

test.each(numbers)(
  "a parcel is found under its shop's order number %s, in any case and with invisible characters",
  async (number) => {
    for (const token of tokens)
      for (const typed of [
        number,
        ` ${number} `,
        number.toLowerCase(),
        number.toUpperCase(),
        `\u200e${[...number].join('\u200b')}\u2060`,
      ])
        expect([typed, await idsOf(token, typed)]).toEqual([
          typed,
          expect.arrayContaining([ids.get(number)]),
        ]);
  },
);

test.each([
  ['ＷＸ－２０２６１１', 'WX-202611'],
  ['＃８８', '#88'],
])('a parcel whose order number was typed as %s is found under %s', async (typed, narrow) => {
  for (const token of tokens) expect(await idsOf(token, narrow)).toContain(ids.get(typed));
});

test('a search for several shop order numbers finds their parcels, and reports unknown numbers as missing', async () => {
  const some = ['#100123', 'EX@1007', '1009/2', '#7', 'A12'];
  const { items, missing } = await search(tokens[0]!, [...some, '#404404'].join('\n'));
  expect(items.map(({ thr_order_id }) => thr_order_id).toSorted()).toEqual(some.toSorted());
  expect(missing).toEqual(['#404404']);
});

test('if a search word is a shop’s order number, the search also finds parcels that have the word in a name', async () => {
  const named = await system.call<Express>(
    { token: tokens[0]!, headers: { 'idempotency-key': 'order-number-named' } },
    'POST',
    '/api/arco/expresses',
    exampleOrder({ draft: 1, receive_name: '双十一活动' }),
  );
  expect((await idsOf(tokens[0]!, '双十一')).toSorted()).toEqual(
    [ids.get('双十一'), named.data.id].toSorted(),
  );
});
