import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import { expressList } from '@waystation/contract/express.schema.ts';
import { actorOfAccount } from '#platform/auth/actor-of-account.ts';
import { lastTexts, sql } from '#platform/db/db.ts';
import { uncounted } from '#platform/db/paging.ts';
import { systemScope } from '#platform/db/scope.ts';
import { answerText } from '#platform/http/answer-text.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { list, listText, unpacked } from './list.ts';
import { packingOf } from './list-packing.ts';
import { nameJoins } from './view.ts';
import { listedPage } from './list-text.ts';

type Filters = ParsedOf<typeof listExpresses>;

const system = systemScope('test');
const roles = ['super', 'partner', 'station', 'user'] as const;
let app: TestApp;
let accounts: Record<(typeof roles)[number], number>;

/** What JSON has to escape, what it must not, and what reads like JSON. */
const texts = [
  '茶叶 "一级"',
  'a\\b',
  'line\nline\ttab\u0001',
  '📦 🧧',
  '',
  'null',
  '{"id":1}',
  '长'.repeat(60),
  '"'.repeat(50),
  '\u2028</script>',
  ' 王\u007f',
];

beforeAll(async () => {
  app = await createTestApp();
  const top = await addStation(app.db);
  const below = await addStation(app.db, { parent_id: top });
  accounts = {
    super: await addAccount(app.db, 'super', null),
    partner: await addAccount(app.db, 'partner', top),
    station: await addAccount(app.db, 'station', below),
    user: await addAccount(app.db, 'user', below),
  };
  const phones = ['13900000001', '0755-26000000-12', '4008000000', 'unknown', ''];
  await app.db.tx(system, async (tx) => {
    const { rows } = await sql<{
      id: number;
    }>`insert into merchants (name, provider, customer_code, base_url, down_since) values ('账号', 'jdl', '010K1', '', '2026-02-03 04:05:06.7') returning id`.execute(
      tx,
    );
    await sql`insert into expresses (station_id, user_id, order_id, merchant_id, sender_name, remark, goods, sender_phone, receive_phone, state_code, state_remark, state_reason,
        pre_sort_result, waybill_claims, post_amount, jd_amount, weight, cal_weight, created_at, printed_at, exception, exception_at)
      select case when i % 4 = 0 then ${top}::bigint else ${below}::bigint end, ${accounts.user}, 'WS-TEXT-' || i, ${rows[0]!.id},
        (${texts}::text[])[1 + i % ${texts.length}::int], (${texts}::text[])[1 + (i * 7) % ${texts.length}::int], (${texts}::text[])[1 + (i * 3) % ${texts.length}::int],
        (${phones}::text[])[1 + i % 5], (${phones}::text[])[1 + (i * 2) % 5], (array[0, 20, 100, 300, 400])[1 + i % 5], (${texts}::text[])[1 + (i * 5) % ${texts.length}::int],
        case when i % 3 = 0 then '{"code": "carrier_down", "params": {"time": "08:00", "n": 1.50, "list": ["a", "b"]}}'::jsonb end,
        case when i % 2 = 0 then '{"z": [1, 2.50, null, {"deep": "\\"x\\""}], "a": "é"}'::jsonb end,
        case when i % 2 = 0 then '[{"delivery_id": "JDW1", "source": "answer"}, {"delivery_id": "JDW2", "source": "push"}]'::jsonb else '[]'::jsonb end,
        case when i = 7 then 9007199254740991 else i end, case when i % 2 = 0 then i end, i, case when i % 5 = 0 then i end,
        timestamptz '2026-02-01 00:00:00.123456' + i * interval '1.7 seconds', case when i % 6 = 0 then timestamptz '2026-02-02' end,
        case when i % 9 = 0 then 'unmoved' end, case when i % 9 = 0 then timestamptz '2026-02-02 01:02:03.5' end
      from generate_series(1, 45) i`.execute(tx);
  });
});
afterAll(() => app.close());

describe('the written page of parcels', () => {
  it.each(roles)('says for %s, byte for byte but for the order of properties, what its rows say', async (role) => {
    const actor = (await actorOfAccount(app.db, accounts[role]))!;
    const write = answerText(expressList);
    const seen = new Set<string>();
    for (const filters of [{}, { sort: 'post_amount' }, { sort: '-cal_weight' }, { sort: 'weight' }, { q: 'WS-TEXT-7' }] as Partial<Filters>[])
      for (let cursor: string | undefined; ;) {
        const input = uncounted({ page_size: 20, ...filters, cursor }) as Filters;
        const [page, { text }] = [await list(app, actor, input), await listText(app, actor, input)];
        const expected = write(page);
        expect(JSON.parse(text)).toEqual(JSON.parse(expected));
        expect(Buffer.byteLength(text)).toBe(Buffer.byteLength(expected));
        for (const { order_id } of page.items) seen.add(order_id);
        if (page.next_cursor === null) break;
        cursor = page.next_cursor;
      }
    expect(seen.size).toBe(role === 'station' || role === 'user' ? 34 : 45);
  });

  it('a page has no property for a column that the contract does not declare', async () => {
    const actor = (await actorOfAccount(app.db, accounts.super))!;
    const { text } = await listText(app, actor, uncounted({ page_size: 5 }) as Filters);
    const declared = new Set(Object.keys((JSON.parse(text) as { items: object[] }).items[0]!));
    for (const name of ['merchant_id', 'carrier_down_since', 'cancel_requested_at', 'modifying_at']) expect(declared.has(name)).toBe(false);
  });

  it('a page is refused where a column that is declared is missing', () => {
    expect(() => listedPage({ columns: [{ name: 'id', dataTypeID: 20 }], rows: [] })).toThrow('is read without');
  });
});

describe('the packed page of parcels', () => {
  const superPage = async (): Promise<{ text: string; expected: string; sent: string[] }> => {
    const actor = (await actorOfAccount(app.db, accounts.super))!;
    const input = uncounted({ page_size: 50 }) as Filters;
    const sent: string[] = [];
    const listen = (client: pg.PoolClient): void => {
      const query = client.query.bind(client) as (...parts: unknown[]) => unknown;
      client.query = ((first: string | { text: string }, ...rest: unknown[]) => {
        sent.push(typeof first === 'string' ? first : first.text);
        return query(first, ...rest);
      }) as typeof client.query;
      app.db.pool.once('release', () => void (client.query = query as typeof client.query));
    };
    app.db.pool.on('acquire', listen);
    const { text } = await listText(app, actor, input);
    app.db.pool.off('acquire', listen);
    return { text, expected: answerText(expressList)(await list(app, actor, input)), sent: sent.filter((one) => one.includes('from picked')) };
  };

  it('a page is read as one text a row once a page was read whose columns say their types', async () => {
    await superPage();
    const { text, expected, sent } = await superPage();
    expect(sent.map((one) => one.includes('concat_ws'))).toEqual([true]);
    expect(JSON.parse(text)).toEqual(JSON.parse(expected));
  });

  it('what is packed without a word for null is never null in the database', async () => {
    const texts = await app.db.tx(system, (tx) => lastTexts(tx, sql`select ${unpacked.columns} from expresses e ${nameJoins} limit 1`));
    const { neverNull } = packingOf(texts.columns);
    const found = await app.db.rows(
      system,
      sql<{
        name: string;
      }>`select case attrelid when 'expresses'::regclass then 'e.' || quote_ident(attname) else 's.' || attname end as name from pg_attribute
        where attrelid in ('expresses'::regclass, 'stations'::regclass) and attnotnull`,
    );
    const plain = neverNull.map((one) => one.replace('::text', '').replaceAll('"', ''));
    const known = new Set(["coalesce(a.nickname, '')", 'coalesce(p.promise_name, e.promise_id)', ...found.map(({ name }) => name.replaceAll('"', ''))]);
    expect(plain.filter((one) => !known.has(one))).toEqual([]);
    expect(known.has('e.promise_id')).toBe(true);
    expect(plain.length).toBeGreaterThan(30);
  });

  it('a text that is the packed word for null stays a text where null cannot be', async () => {
    await app.db.rows(system, sql`update expresses set remark = ${'\u0001'}, sender_phone = ${'\u0001'} where order_id = 'WS-TEXT-20'`);
    const { text, expected, sent } = await superPage();
    expect(sent.map((one) => one.includes('concat_ws'))).toEqual([true]);
    expect(JSON.parse(text)).toEqual(JSON.parse(expected));
    expect((JSON.parse(text) as { items: { order_id: string; remark: string }[] }).items.find(({ order_id }) => order_id === 'WS-TEXT-20')!.remark).toBe(
      '\u0001',
    );
    await app.db.rows(system, sql`update expresses set remark = 'a', sender_phone = '' where order_id = 'WS-TEXT-20'`);
  });

  it('a page whose texts hold what is put between packed values is read again by columns, and has the same rows', async () => {
    for (const remark of ['\u001f', 'a\u001fb', '\u001f\u0001\u001f', 'x\u001f'.repeat(82)]) {
      await app.db.rows(system, sql`update expresses set remark = ${remark} where order_id = 'WS-TEXT-20'`);
      const { text, expected, sent } = await superPage();
      expect(sent.map((one) => one.includes('concat_ws'))).toEqual([true, false]);
      expect(JSON.parse(text)).toEqual(JSON.parse(expected));
      expect(text).toContain(JSON.stringify(remark));
    }
    await app.db.rows(system, sql`update expresses set remark = 'a' where order_id = 'WS-TEXT-20'`);
    expect((await superPage()).sent).toHaveLength(1);
  });
});

describe('the last statement of a transaction', () => {
  it('a last statement is answered as texts and commits; what is asked after it is refused, and undoes nothing', async () => {
    const texted = await app.db.tx(system, async (tx) => {
      await sql`update stations set name = '改名' where parent_id is null`.execute(tx);
      return lastTexts(tx, sql`select 7::bigint as n, null::text as nothing, true as is`);
    });
    expect([texted.columns.map(({ name }) => name), texted.rows]).toEqual([['n', 'nothing', 'is'], [['7', null, 't']]]);
    const late = app.db.tx(system, async (tx) => {
      await lastTexts(tx, sql`update stations set name = name || '了' where parent_id is null returning id`);
      await sql`select 1`.execute(tx);
    });
    await expect(late).rejects.toThrow('last statement');
    const [row] = await app.db.rows(system, sql<{ name: string }>`select name from stations where parent_id is null`);
    expect(row!.name).toBe('改名了');
  });

  it('a last statement that fails, fails the transaction with its error, and what was done before it is undone', async () => {
    const failing = app.db.tx(system, async (tx) => {
      await sql`update stations set name = '不见' where parent_id is null`.execute(tx);
      return lastTexts(tx, sql`select 1 / (select 0)`);
    });
    await expect(failing).rejects.toThrow(/division by zero/);
    expect(await app.db.rows(system, sql`select 1 from stations where name = '不见'`)).toEqual([]);
  });
});
