import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { createApi } from '#api.ts';
import {
  carrierFee,
  charge,
  hold,
  requestWithdrawal,
  topUp,
  writeHeads,
} from '#domain/ledger/ledger.ts';
import { businessDay } from '#platform/clock.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import { dearer, holdOf, next, openOwner, meta, scope } from '#testing/money.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

let app: TestApp;
let http: FastifyInstance;
const tokens: Record<string, string> = {};
const stations = { top: 0, near: 0, far: 0, other: 0 };
let parcel = 0;

const login = async (name: string, role: string, station_id: number | null): Promise<void> => {
  const account_id = await addAccount(app.db, role, station_id);
  tokens[name] = await app.db.tx(scope, (work) =>
    openSession(work, {
      account_id,
      address: '',
      user_agent: '',
      now: app.clock.now(),
      limits: app.config.session,
    }),
  );
};

interface Answer<T> {
  status: number;
  data: T & { code?: string; fields?: Record<string, unknown> };
}

const call = async <T = { items: Statement[]; total: number; next_cursor: string | null }>(
  who: string,
  method: 'GET' | 'POST',
  url: string,
  { payload, key }: { payload?: object; key?: string } = {},
): Promise<Answer<T>> => {
  const answer = await http.inject({
    method,
    url,
    headers: { authorization: `Bearer ${tokens[who]}`, ...(key && { 'idempotency-key': key }) },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, data: answer.json<{ data: Answer<T>['data'] }>().data };
};

/** Adds a minimal parcel of a station, as the parcel domain would. */
const addParcel = async (station_id: number, delivery_id: string): Promise<number> => {
  const user_id = await addAccount(app.db, 'user', station_id);
  const { rows } = await app.db.tx(scope, (work) =>
    sql<{
      id: number;
    }>`insert into expresses (station_id, user_id, order_id, delivery_id, state_code)
      values (${station_id}, ${user_id}, ${`T${next()}`}, ${delivery_id}, 100)
      returning id`.execute(work.tx),
  );
  return rows[0]!.id;
};

beforeAll(async () => {
  app = await createTestApp();
  http = await createApi(app, { checkOutput: true });
  stations.top = await addStation(app.db);
  stations.near = await addStation(app.db, { parent_id: stations.top });
  stations.far = await addStation(app.db, { parent_id: stations.near });
  stations.other = await addStation(app.db);
  await login('admin', 'admin', null);
  await login('super', 'super', null);
  await login('partner', 'partner', stations.top);
  await login('station', 'station', stations.near);
  await login('clerk', 'user', stations.near);
  await login('stranger', 'station', stations.other);
  parcel = await addParcel(stations.far, 'JD0001');
  await app.db.tx(scope, async (work) => {
    for (const station_id of [stations.far, stations.near, stations.other])
      await topUp(work, { station_id, amount: 10_000, description: '', ...meta() });
    await hold(work, holdOf(stations.far, parcel));
    await charge(work, {
      express_id: parcel,
      attempt: 1,
      delivery_id: 'JD0001',
      price: dearer,
      shares: [
        { station_id: stations.near, amount: 94 },
        { station_id: stations.top, amount: 40 },
      ],
      ...meta(),
    });
    await carrierFee(work, {
      express_id: parcel,
      station_id: stations.far,
      amount_total: 1500,
      ...meta(),
    });
    await requestWithdrawal(work, {
      station_id: stations.near,
      amount: 500,
      description: 'rent',
      ...meta(1),
    });
  });
});
afterAll(async () => {
  await http.close();
  await app.close();
});

const list = async (who: string, query = ''): Promise<Statement[]> =>
  (await call(who, 'GET', `/api/arco/statements${query}`)).data.items;
const types = (rows: Statement[]): string[] =>
  rows.map(
    ({ station_id, type }) =>
      `${Object.entries(stations).find(([, id]) => id === station_id)![0]} ${type}`,
  );

/**
 * A range of the last days, because filters without an index require a range of at most 31 days.
 */
const days = (): string =>
  `&posted_from=${businessDay(new Date(app.clock.now().getTime() - 5 * 86_400_000))}`;

describe('the list of statements', () => {
  it('the list of statements shows administrators every transaction in posting order, with pending requests first', async () => {
    expect(types(await list('admin'))).toEqual([
      'near withdrawal',
      'top profit',
      'near profit',
      'far charge',
      'far hold',
      'other top_up',
      'near top_up',
      'far top_up',
    ]);
    expect(types(await list('super', '?sort=posted_at'))).toEqual([
      'far top_up',
      'near top_up',
      'other top_up',
      'far hold',
      'far charge',
      'near profit',
      'top profit',
      'near withdrawal',
    ]);
  });

  it('the list of statements shows a partner its network tree, a station its own transactions, and a clerk nothing', async () => {
    expect(types(await list('partner'))).toEqual([
      'near withdrawal',
      'top profit',
      'near profit',
      'far charge',
      'far hold',
      'near top_up',
      'far top_up',
    ]);
    expect(types(await list('station'))).toEqual(['near withdrawal', 'near profit', 'near top_up']);
    expect(types(await list('stranger'))).toEqual(['other top_up']);
    expect((await call('clerk', 'GET', '/api/arco/statements')).status).toBe(403);
    expect(await list('station', `?station_id=${stations.far}`)).toEqual([]);
    expect(await list('stranger', '?delivery_id=JD0001')).toEqual([]);
  });

  it('the list of statements shows a charge with all its parts to the station, and to its parent the profit without a price', async () => {
    const [charged] = await list('partner', '?type=charge');
    expect(charged).toMatchObject({
      station_id: stations.far,
      seq: 3,
      status: 'posted',
      express_id: parcel,
      delivery_id: 'JD0001',
      amount: -1970,
      freeze_amount: -1800,
      pre_amount: 2300,
      discount: 8500,
      discount_amount: 330,
      guarantee_amount: 100,
      post_amount: 1970,
      available: 8030,
      balance: 8030,
      profit: 0,
      period: '2026-03',
    });
    const [share] = await list('station', '?type=profit');
    expect(share).toMatchObject({
      express_id: null,
      delivery_id: 'JD0001',
      amount: 94,
      profit: 94,
      pre_amount: null,
      discount: null,
      post_amount: null,
      balance: 10_094,
    });
    expect((await list('partner', `?type=profit&station_id=${stations.near}`))[0]).toMatchObject({
      express_id: parcel,
    });
  });

  it('in the list of statements, a hold shows the waybill number that its parcel received after the hold', async () => {
    expect((await list('admin', '?type=hold'))[0]).toMatchObject({
      delivery_id: 'JD0001',
      description: `WS${parcel}`,
    });
    expect(types(await list('admin', '?delivery_id=JD0001'))).toEqual([
      'top profit',
      'near profit',
      'far charge',
      'far hold',
    ]);
  });

  it('each filter of the list of statements returns only matching statements', async () => {
    expect(types(await list('admin', '?status=pending'))).toEqual(['near withdrawal']);
    expect(types(await list('admin', `?express_id=${parcel}&station_id=${stations.top}`))).toEqual([
      'top profit',
    ]);
    expect(await list('admin', '?period=2026-02')).toEqual([]);
    expect(await list('admin', '?period=2026-03')).toHaveLength(7);
    expect(await list('admin', '?posted_from=2026-03-02&posted_to=2026-03-02')).toHaveLength(8);
    expect(await list('admin', '?posted_from=2026-03-03')).toEqual([]);
    expect(await list('admin', '?posted_to=2026-03-01')).toEqual([]);
    expect((await call('admin', 'GET', '/api/arco/statements?type=gift')).status).toBe(422);
    expect((await call('admin', 'GET', '/api/arco/statements?period=2026-13')).status).toBe(422);
    expect((await call('admin', 'GET', '/api/arco/statements?cursor=nonsense')).status).toBe(400);
  });

  it('statements filtered by rare types have the same order on small pages as in the whole list, ascending and descending', async () => {
    const rare = ['top_up', 'withdrawal', 'reversal', 'refund'];
    for (const who of ['super', 'partner', 'station'])
      for (const sort of ['posted_at', '-posted_at']) {
        const whole = (
          await call(who, 'GET', `/api/arco/statements?page_size=200&sort=${sort}`)
        ).data.items.filter(({ type }) => rare.includes(type));
        const found: number[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const query: string = `page_size=1&sort=${sort}&type=${rare.join(',')}${cursor && `&cursor=${cursor}`}`;
          const { data }: Answer<{ items: Statement[]; next_cursor: string | null }> = await call(
            who,
            'GET',
            `/api/arco/statements?${query}`,
          );
          found.push(...data.items.map(({ id }) => id));
          cursor = data.next_cursor;
        }
        expect([who, sort, found]).toEqual([who, sort, whole.map(({ id }) => id)]);
        const second = await call(
          who,
          'GET',
          `/api/arco/statements?page_size=1&page=2&sort=${sort}&type=${rare.join(',')}`,
        );
        expect(second.data.items.map(({ id }) => id)).toEqual(
          whole.slice(1, 2).map(({ id }) => id),
        );
      }
  });

  it('only administrators can filter the list of statements for charges that are on no carrier bill yet', async () => {
    const owner = openOwner(app);
    const bill = async (status: string, hash: string): Promise<void> =>
      owner.tx(scope, async (work) => {
        const { rows } = await sql<{
          id: number;
        }>`insert into reconciliations (period, provider, file_name, file_type, file_bytes,
          file_hash, status, weight_tolerance, amount_tolerance)
          values ('2026-03', 'JD', '账单.csv', 'csv', 1, ${Buffer.from(hash)}, ${status}, 0,
            0) returning id`.execute(work.tx);
        await sql`insert into reconciliation_rows (reconciliation_id, no, bucket, express_id)
          values (${rows[0]!.id}, 1, 'equal', ${parcel})`.execute(work.tx);
      });
    expect(types(await list('admin', `?billed=0${days()}`))).toEqual(['far charge']);
    await bill('discarded', 'one');
    expect(types(await list('admin', `?billed=0${days()}`))).toEqual(['far charge']);
    await bill('ready', 'other');
    await owner.close();
    expect([
      types(await list('admin', `?billed=0${days()}`)),
      types(await list('admin', `?billed=1${days()}`)),
    ]).toEqual([[], ['far charge']]);
    for (const who of ['partner', 'station'])
      expect(await call(who, 'GET', '/api/arco/statements?billed=0')).toMatchObject({
        status: 403,
        data: { code: 'forbidden' },
      });
  });

  it('a very long list of statements is counted up to ten thousand and not summed, unless exact counts are requested', async () => {
    const owner = openOwner(app);
    const forged = (run: ReturnType<typeof sql>): Promise<unknown> =>
      owner.tx(scope, async (work) => {
        await sql`set local session_replication_role = replica`.execute(work.tx);
        await run.execute(work.tx);
      });
    await forged(sql`insert into statements overriding system value
      select (jsonb_populate_record(s, jsonb_build_object('id', 9000000 + n, 'station_id',
        ${stations.other}::bigint))).* from statements s, generate_series(1, 10001) n
      where s.type = 'withdrawal' and s.status = 'pending'`);
    const counted = async (query: string) =>
      (await call<Record<string, unknown>>('admin', 'GET', `/api/arco/statements/counts?${query}`))
        .data;
    const many = `station_id=${stations.other}&type=withdrawal`;
    expect(await counted(many)).toMatchObject({ total: 10_000, total_is_capped: 1, sums: null });
    expect(await counted(`${many}&exact=1`)).toMatchObject({
      total: 10_001,
      total_is_capped: 0,
      sums: { in: 0, out: 0 },
    });
    for (const sort of ['posted_at', '-posted_at']) {
      const at = `/api/arco/statements?station_id=${stations.other}&type=withdrawal&sort=${sort}`;
      const [together, first] = [
        (await call('admin', 'GET', `${at}&page_size=20`)).data,
        (await call('admin', 'GET', `${at}&page_size=8`)).data,
      ];
      const second = (await call('admin', 'GET', `${at}&page_size=12&cursor=${first.next_cursor}`))
        .data;
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(
        together.items.map(({ id }) => id),
      );
    }
    await forged(sql`delete from statements where id > 9000000`);
    await owner.close();
    expect(await counted('type=withdrawal')).toMatchObject({ total: 1, total_is_capped: 0 });
  });

  it.each(['-posted_at', 'posted_at'])(
    'the list of statements is read by cursor without a gap or a repeat, %s',
    async (sort) => {
      const whole = (await list('admin', `?sort=${sort}`)).map(({ id }) => id);
      const met: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const {
          data,
        }: Answer<{ items: Statement[]; total: number | null; next_cursor: string | null }> =
          await call(
            'admin',
            'GET',
            `/api/arco/statements?sort=${sort}&page_size=3${cursor && `&cursor=${cursor}`}`,
          );
        met.push(...data.items.map(({ id }) => id));
        expect(data.total).toBeNull();
        cursor = data.next_cursor;
      }
      expect(met).toEqual(whole);
      expect((await list('admin', `?sort=${sort}&page_size=3&page=3`)).map(({ id }) => id)).toEqual(
        whole.slice(6),
      );
    },
  );

  it('the list of statements has page numbers for its first 10,000 rows, and later rows can be read only with a cursor', async () => {
    for (const query of ['page=501', 'page=51&page_size=200']) {
      const { status, data } = await call('admin', 'GET', `/api/arco/statements?${query}`);
      expect([status, data.code]).toEqual([422, 'page_too_far']);
    }
    expect((await call('admin', 'GET', '/api/arco/statements?page=500')).status).toBe(200);
    const { next_cursor } = (await call('admin', 'GET', '/api/arco/statements?page_size=3')).data;
    expect(
      (
        await call(
          'admin',
          'GET',
          `/api/arco/statements?page=3335&page_size=3&cursor=${next_cursor}`,
        )
      ).data.items,
    ).toHaveLength(3);
  });
});

const topUps = (id: number): string => `/api/arco/stations/${id}/top-ups`;
const statementsOf = async (id: number): Promise<number> =>
  (
    await app.db.tx(scope, (work) =>
      sql<{ money: number }>`select money from stations
    where id = ${id}`.execute(work.tx),
    )
  ).rows[0]!.money;

describe('the opening and closing balances of days', () => {
  it('one day’s closing balance equals the next day’s opening balance even if a transaction is posted late with an earlier time', async () => {
    const station = await addStation(app.db);
    const paid = (amount: number, time: string) =>
      app.db.tx(scope, (work) =>
        topUp(work, {
          station_id: station,
          amount,
          description: '',
          ...meta(),
          at: new Date(`2026-03-0${time}+08:00`),
        }),
      );
    await paid(1_000, '3T23:00:00');
    await paid(50, '5T00:00:00.100');
    await paid(7, '4T23:59:59.900');
    const strip = async (from: string, to: string) =>
      (
        await call<{ strip: Record<string, number> }>(
          'admin',
          'GET',
          `/api/arco/statements/counts?station_id=${station}&posted_from=2026-03-0${from}&posted_to=2026-03-0${to}`,
        )
      ).data.strip;
    expect(await strip('4', '4')).toEqual({
      opening: 1_000,
      in: 7,
      out: 0,
      closing: 1_007,
      frozen: 0,
    });
    expect(await strip('5', '5')).toEqual({
      opening: 1_007,
      in: 50,
      out: 0,
      closing: 1_057,
      frozen: 0,
    });
    expect(await strip('1', '3')).toEqual({
      opening: 0,
      in: 1_000,
      out: 0,
      closing: 1_000,
      frozen: 0,
    });
  });
});

describe('a top-up', () => {
  it('a top-up request repeated with the same idempotency key is posted and audited once', async () => {
    const station = await addStation(app.db);
    const first = await call<Statement>('admin', 'POST', topUps(station), {
      payload: { amount: 12_345, description: ' 转账 ' },
      key: 'key-00001',
    });
    expect(first).toMatchObject({
      status: 200,
      data: {
        type: 'top_up',
        status: 'posted',
        amount: 12_345,
        balance: 12_345,
        available: 12_345,
        description: '转账',
        seq: 1,
      },
    });
    expect(
      await call<Statement>('admin', 'POST', topUps(station), {
        payload: { amount: 12_345, description: ' 转账 ' },
        key: 'key-00001',
      }),
    ).toEqual(first);
    expect(await statementsOf(station)).toBe(12_345);
    const { rows } = await app.db.tx(scope, (work) =>
      sql`select action, subject, changes, reason from audit_log where subject_id = ${station}
        and subject = 'stations'`.execute(work.tx),
    );
    expect(rows).toEqual([
      { action: 'top_up', subject: 'stations', changes: { money: [0, 12_345] }, reason: '转账' },
    ]);
  });

  it('a top-up is refused if its idempotency key was used for another request; with a new key it is a second top-up', async () => {
    const station = await addStation(app.db);
    await call('admin', 'POST', topUps(station), { payload: { amount: 100 }, key: 'key-00002' });
    expect(
      await call('admin', 'POST', topUps(station), { payload: { amount: 200 }, key: 'key-00002' }),
    ).toMatchObject({ status: 422, data: { code: 'idempotency_key_reused' } });
    await call('super', 'POST', topUps(station), { payload: { amount: 100 }, key: 'key-00002' });
    await call('admin', 'POST', topUps(station), { payload: { amount: 100 }, key: 'key-00003' });
    expect(await statementsOf(station)).toBe(300);
  });

  it('a top-up sent ten times at once is posted once', async () => {
    const station = await addStation(app.db);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        call('admin', 'POST', topUps(station), { payload: { amount: 100 }, key: 'key-00004' }),
      ),
    );
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(await statementsOf(station)).toBe(100);
  });

  it('a top-up by the office needs an existing station and a positive amount', async () => {
    expect(
      (
        await call('clerk', 'POST', topUps(stations.near), {
          payload: { amount: 1 },
          key: 'key-00005',
        })
      ).status,
    ).toBe(403);
    expect(
      (await call('admin', 'POST', topUps(999_999), { payload: { amount: 1 }, key: 'key-00006' }))
        .status,
    ).toBe(404);
    for (const amount of [0, -5, 1.5, 10_000_000_001, 'x', null])
      expect(
        (
          await call('admin', 'POST', topUps(stations.near), {
            payload: { amount },
            key: 'key-00007',
          })
        ).data,
        String(amount),
      ).toMatchObject({
        code: 'invalid_input',
        fields: { amount: {} },
      });
    expect(
      (
        await call('admin', 'POST', topUps(stations.near), {
          payload: { amount: 1, description: '长'.repeat(201) },
          key: 'key-00008',
        })
      ).status,
    ).toBe(422);
    expect(
      (await call('admin', 'POST', topUps(stations.near), { payload: { amount: 1 } })).data.code,
    ).toBe('idempotency_key_required');
    expect(await statementsOf(stations.near)).toBe(10_094);
  });
});

describe('the ledger check on demand', () => {
  it('the ledger check on demand reports how much it has checked, and lists each mismatch', async () => {
    const green = await call<{ ok: number; checked_entries: number; breaks: unknown[] }>(
      'admin',
      'GET',
      '/api/arco/ledger/proof?full=1',
    );
    expect(green).toMatchObject({
      status: 200,
      data: {
        ok: 1,
        kind: 'full',
        heads_at: null,
        heads_from: 'none',
        baseline_at: null,
        breaks: [],
        unseen: [
          'rewrites_since_head',
          'undecided',
          'erased_text',
          'waybills',
          'pickup_times',
          'invented_moves',
          'setup',
          'claims',
        ],
      },
    });
    const { rows } = await app.db.tx(scope, (work) =>
      sql<{ n: number }>`select count(*) as n
      from ledger_entries`.execute(work.tx),
    );
    expect(green.data.checked_entries).toBe(rows[0]!.n);
    const folder = mkdtempSync(join(tmpdir(), 'heads-'));
    await writeHeads(app.db, join(folder, 'heads.jsonl'), app.clock.now());
    await call('admin', 'POST', topUps(stations.near), {
      payload: { amount: 1 },
      key: 'key-proof-window',
    });
    expect(await call('admin', 'GET', '/api/arco/ledger/proof')).toMatchObject({
      data: {
        kind: 'incremental',
        heads_at: app.clock.now().toISOString(),
        heads_from: 'database',
        transfers_since: 1,
        records_since: 0,
        unseen: expect.arrayContaining(['below_checkpoints']),
      },
    });
    const station = await addStation(app.db);
    const owner = openOwner(app);
    await owner.tx(scope, (work) =>
      sql`update stations set money = 5
      where id = ${station}`.execute(work.tx),
    );
    await owner.close();
    expect(await call('admin', 'GET', '/api/arco/ledger/proof')).toMatchObject({
      data: { ok: 0, breaks: [{ invariant: 'I2', subject: `station ${station}` }] },
    });
    expect(
      await call('admin', 'POST', topUps(station), { payload: { amount: 1 }, key: 'key-00009' }),
    ).toMatchObject({
      status: 409,
      data: { code: 'station_blocked' },
    });
  });

  it('the ledger check on demand is available only to administrators', async () => {
    for (const who of ['partner', 'station', 'clerk'])
      expect((await call(who, 'GET', '/api/arco/ledger/proof')).status).toBe(403);
  });
});
