import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import { openMoney } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

let app: TestApp;
let { tx } = {} as ReturnType<typeof openMoney>;
beforeAll(async () => {
  app = await createTestApp();
  ({ tx } = openMoney(app));
});
afterAll(() => app.close());

it.each([
  ['discount', 1, 10_000],
  ['northeast_discount', 1, 10_000],
  ['profit', 0, 10_000],
  ['profit_limit', 0, 10_000],
  ['fixed_profit', 0, null],
  ['fixed_profit_limit', 0, null],
  ['fixed_freeze', 0, null],
  ['low_balance', 0, 100_000_000_000],
  ['credit_limit', 0, 100_000_000_000],
  ['status', 0, 1],
  ['allow_print', 0, 1],
  ['has_amount', 0, 1],
  ['allow_select', 0, 1],
  ['enable_profit', 0, 1],
  ['disabled_by_office', 0, 1],
  ['offer_fallback', 0, 1],
  ['offer_rule', "'cheapest'", "'preferred'", "'slowest'"],
  ['offer_carriers', "'{}'", null, "'[]'"],
])(
  'a station’s %s is accepted from %s to %s, and refused outside',
  async (column, least, most, other?: string) => {
    const station = await addStation(app.db);
    const set = (value: unknown) =>
      tx((work) =>
        sql
          .raw(`update stations set "${column}" = ${String(value)} where id = ${station}`)
          .execute(work.tx),
      );
    await set(least);
    if (most !== null) await set(most);
    const outside =
      other === undefined
        ? [Number(least) - 1, ...(most === null ? [] : [Number(most) + 1])]
        : [other];
    for (const value of outside) await expect(set(value)).rejects.toMatchObject({ code: '23514' });
  },
);
