import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import { roles } from '@waystation/contract/base/roles.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import type {
  balanceBoard,
  billBoard,
  Counted,
  Filter,
  MoneyBoard,
  stationBoard,
  workplace,
} from '@waystation/contract/shell/workplace.ts';
import { spendingDays, warnedDays } from '@waystation/contract/shell/workplace.ts';
import { createApi } from '#api.ts';
import { noteLowBalances } from '#domain/inbox/low-balance.ts';
import { adjustment, ledgerTasks } from '#domain/ledger/ledger.ts';
import { proveWithin } from '#features/money/ledger-proof.ts';
import { rollUpCounts } from '#features/parcels/roll-up.ts';
import { catchUpDemo, demoState, fillDemo } from '#features/demo/demo.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { wrongSums } from '#testing/consistency.ts';
import { meta, openOwner } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { runHandler } from '#testing/run-handler.ts';

type Board = OutputOf<typeof workplace>;
type Page<T> = { items: T[]; total: number | null; next_cursor: string | null };

let app: TestApp;
let http: FastifyInstance;
const tokens = {} as Record<Role, string>;
const usernames: Record<Role, string> = {
  super: 'super',
  admin: 'admin',
  partner: 'partner',
  station: 'station',
  user: 'clerk',
};

const ask = async <T>(
  role: Role,
  path: string,
  filter: Filter = {},
): Promise<{ status: number; data: T }> => {
  const answer = await http.inject({
    url: `/api/arco/${path}?${new URLSearchParams(filter)}`,
    headers: { authorization: `Bearer ${tokens[role]}` },
  });
  return { status: answer.statusCode, data: answer.json<{ data: T }>().data };
};
const got = async <T>(role: Role, path: string, filter?: Filter): Promise<T> => {
  const { status, data } = await ask<T>(role, path, filter);
  expect(
    status,
    `${role} ${path} ${JSON.stringify(filter)}: ${JSON.stringify(data).slice(0, 200)}`,
  ).toBe(200);
  return data;
};
const rows = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> =>
  (await app.db.tx(systemScope('test'), (work) => query.execute(work.tx))).rows;

/** Returns all rows of a list with a filter. */
const walk = async <T>(role: Role, path: string, filter: Filter): Promise<T[]> => {
  const found: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page<T> = await got(role, path, {
      ...filter,
      page_size: '200',
      ...(cursor && { cursor }),
    });
    found.push(...page.items);
    cursor = page.next_cursor;
  }
  return found;
};

/** The lists that have a separate call for counts. */
const counting = new Set(['expresses', 'statements']);

/** The number of rows in the list that a number on the Workplace links to. */
const listed = async (role: Role, path: string, { filter }: Counted): Promise<number> =>
  (await got<{ total: number }>(role, counting.has(path) ? `${path}/counts` : path, filter)).total;

/** The demo's state and its public facts, before and after `catchUpDemo` completes it. */
const starts: { state: string; about: boolean }[] = [];
const isSaidToCatchUp = async (): Promise<boolean> =>
  (await http.inject({ url: '/api/arco/about' })).json<{ data: { demo_catching_up: boolean } }>()
    .data.demo_catching_up;

beforeAll(async () => {
  app = await createTestApp({ demoParcels: 240 });
  await fillDemo(
    app,
    () => {},
    async () => false,
  );
  http = await createApi(app, { checkOutput: true });
  starts.push({ state: await demoState(app), about: await isSaidToCatchUp() });
  await catchUpDemo(app);
  starts.push({ state: await demoState(app), about: await isSaidToCatchUp() });
  for (const role of roles) {
    const answer = await http.inject({
      method: 'POST',
      url: '/api/arco/login/password',
      payload: { username: usernames[role], password: app.config.demoPassword },
    });
    tokens[role] = answer.json<{ data: { access_token: string } }>().data.access_token;
  }
});
afterAll(async () => {
  await http.close();
  await app.close();
});

describe('the example network', () => {
  it('the example network shows a notice until its parcels in transit are complete, and the next start completes them', () => {
    expect(starts).toEqual([
      { state: 'catching_up', about: true },
      { state: 'filled', about: false },
    ]);
  });

  it('the example network has pending money requests, marked as examples, of which administrators may approve all but their own', async () => {
    const asks = async (role: Role) =>
      (await got<Page<Statement>>(role, 'statements', { status: 'pending' })).items;
    expect(
      (await asks('super')).map(({ type, account_nickname }) => [type, account_nickname]),
    ).toEqual([
      ['withdrawal', '示例站长'],
      ['top_up', '示例管理员'],
      ['adjustment', '示例管理员'],
    ]);
    const requests = await asks('admin');
    expect(requests.every(({ description }) => description.startsWith('示例'))).toBe(true);
    const approve = async (role: Role, { id }: Statement): Promise<number> => {
      const headers = {
        authorization: `Bearer ${tokens[role]}`,
        'idempotency-key': `example-${role}-${id}`,
      };
      return (
        await http.inject({
          method: 'POST',
          url: `/api/arco/statements/${id}/approve`,
          headers,
          payload: {},
        })
      ).statusCode;
    };
    expect(await approve('admin', requests[0]!)).toBe(200);
    expect(await approve('admin', requests[1]!)).toBe(403);
    expect([await approve('super', requests[1]!), await approve('super', requests[2]!)]).toEqual([
      200, 200,
    ]);
  });
});

describe.each(roles)('the Workplace’s numbers shown to the role %s', (role) => {
  it('a number on the Workplace, also for today or yesterday, equals the number of rows in its linked list', async () => {
    const { numbers, days } = await got<Board>(role, 'workplace');
    const wrong: string[] = [];
    for (const { key, today, yesterday, ...all } of numbers)
      for (const one of [all, today, yesterday].filter((each) => each !== null)) {
        const total = await listed(role, 'expresses', one);
        if (total !== one.count)
          wrong.push(`${key} ${JSON.stringify(one.filter)}: shows ${one.count}, lists ${total}`);
      }
    for (const { day, count } of days.slice(-4)) {
      const total = await listed(role, 'expresses', {
        count,
        filter: { group: 'total', created_from: day, created_to: day },
      });
      if (total !== count) wrong.push(`${day}: shows ${count}, lists ${total}`);
    }
    expect(wrong).toEqual([]);
    expect(numbers[0]!.count).toBeGreaterThan(0);
  });
});

describe('the daily numbers of the Workplace', () => {
  it('a daily number on the Workplace counts each parcel that entered the state on that day once, even if its state has changed since then', async () => {
    const [parcel] = await rows(sql<{ id: number; station_id: number }>`select id, station_id
      from expresses where state_code = 300 order by id limit 1`);
    const numberOf = async (key: string) =>
      (await got<Board>('admin', 'workplace')).numbers.find((each) => each.key === key)!;
    const before = await numberOf('exception');
    const move = (from: number, to: number) =>
      rows(
        sql`insert into express_moves (express_id, station_id, from_code, to_code, cause, at)
          values (${parcel!.id}, ${parcel!.station_id}, ${from}, ${to}, 'carrier',
          ${app.clock.now()})`,
      );
    for (const _ of [1, 2]) {
      await move(300, 400);
      await move(400, 300);
    }
    const after = await numberOf('exception');
    expect(after).toMatchObject({ count: before.count, today: { count: before.today!.count + 1 } });
    expect(await listed('admin', 'expresses', after.today!)).toBe(after.today!.count);
  });
});

describe('the daily money figures of the Workplace', () => {
  /** The same figures, calculated from the ledger entries. */
  const entered = (account: string, from: string, to: string) =>
    rows(sql<{ amount: number }>`select coalesce(sum(e.amount), 0)::bigint as amount
      from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
      where e.account = ${account}
        and (t.at at time zone 'Asia/Shanghai')::date between ${from}::date and ${to}::date`).then(
      ([row]) => row!.amount,
    );

  it('the daily money on the Workplace equals the sums of the ledger entries, both before and after the daily roll-up', async () => {
    const seen: MoneyBoard[] = [];
    for (const days of ['7', '30', '90', '30']) {
      const board = await got<MoneyBoard>('admin', 'workplace/money', { days });
      expect(board.sums.revenue).toBe(await entered('revenue', board.from, board.to));
      expect(board.sums.cost).toBe(-(await entered('carrier_cost', board.from, board.to)));
      expect(board.sums.margin).toBe(board.sums.revenue - board.sums.cost);
      expect(board.days).toHaveLength(Number(days));
      if (days === '30') seen.push(board);
      if (days === '90') await rollUpCounts(app);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]!.sums.revenue).toBeGreaterThan(seen[0]!.sums.cost);
    expect(
      await rows(sql`select 1 from ledger_days where fresh union all select 1
      from express_days where fresh`),
    ).toEqual([]);
  });

  it('the daily sums of the Workplace equal the sums of the transactions behind their links, and the parcel count equals the length of the list behind its link', async () => {
    const board = await got<MoneyBoard>('super', 'workplace/money', { days: '30' });
    const lines = await walk<Statement>('super', 'statements', board.lines);
    const paid = lines
      .filter(({ type }) => type !== 'top_up' && type !== 'withdrawal')
      .reduce((sum, { amount }) => sum - amount, 0);
    expect(board.sums.revenue).toBe(paid);
    expect(await listed('super', 'expresses', { count: 0, filter: board.parcels })).toBe(
      board.sums.count,
    );
    const { all, up, down } = board.reweigh;
    expect(await walk<Statement>('super', 'statements', all.filter)).toHaveLength(all.count);
    for (const [side, sign] of [
      [up, -1],
      [down, 1],
    ] as const) {
      const differences = await walk<Statement>('super', 'statements', side.filter);
      expect(differences).toHaveLength(side.count);
      expect(differences.reduce((sum, { amount }) => sum + sign * amount, 0)).toBe(side.amount);
    }
    expect(up.count).toBeGreaterThan(0);
  });

  it('the daily money of one station on the Workplace covers only its own parcels, and the figures of all stations add up to the total', async () => {
    const whole = await got<MoneyBoard>('admin', 'workplace/money', { days: '90' });
    const ids = (
      await rows(sql<{ id: number }>`select id
      from stations`)
    ).map(({ id }) => String(id));
    const each = await Promise.all(
      ids.map((station_id) =>
        got<MoneyBoard>('admin', 'workplace/money', { days: '90', station_id }),
      ),
    );
    for (const what of ['count', 'revenue', 'cost', 'margin'] as const)
      expect(each.reduce((sum, { sums }) => sum + sums[what], 0)).toBe(whole.sums[what]);
    const busy = each.find(({ sums }) => sums.count > 0)!;
    expect(await listed('admin', 'expresses', { count: 0, filter: busy.parcels })).toBe(
      busy.sums.count,
    );
    expect((await ask('admin', 'workplace/money', { station_id: '987654321' })).status).toBe(404);
    expect((await ask('admin', 'workplace/money', { days: '31' })).status).toBe(422);
  });
});

describe('the stored sums of stations and of the network', () => {
  it('a recount reports a stored sum that differs from the rows it sums', async () => {
    const owner = openOwner(app);
    const change = (table: string, by: number) =>
      owner.rows(
        systemScope('test'),
        sql`update ${sql.table(table)} set n = n + ${by}
          where ctid = (select ctid from ${sql.table(table)} order by n desc, ctid limit 1)`,
      );
    const recount = () => app.db.tx(systemScope('test'), wrongSums);
    await rollUpCounts(app);
    expect(await recount()).toEqual([]);
    for (const table of [
      'express_count_sums',
      'express_day_sums',
      'ledger_day_sums',
      'express_uses',
    ]) {
      await change(table, 1);
      expect(await recount(), table).not.toEqual([]);
      await change(table, -1);
      expect(await recount(), table).toEqual([]);
    }
    await owner.close();
  });
});

describe('a query of the Workplace within a station scope', () => {
  it('a query within a station scope returns only profit shares earned and costs paid by its stations, not the platform’s money', async () => {
    const [parcel] = await rows(sql<{ station_id: number; earner_id: number }>`select station_id,
      earner_id from ledger_days where what = 'profit' limit 1`);
    const seen = async (stations: number[], account: number | null) =>
      app.db.tx({ kind: 'stations', stations, account }, async (work) =>
        (
          await sql<{ what: string }>`select distinct what from ledger_days
          order by 1`.execute(work.tx)
        ).rows.map(({ what }) => what),
      );
    expect(await seen([parcel!.station_id], null)).toContain('spent');
    expect(
      (await seen([parcel!.station_id, parcel!.earner_id], null)).filter(
        (what) => what !== 'spent' && what !== 'profit',
      ),
    ).toEqual([]);
    expect(await seen([parcel!.station_id], 1)).toEqual([]);
    expect(await seen([], null)).toEqual([]);
    for (const role of ['partner', 'station', 'user'] as const)
      for (const path of [
        'workplace/money',
        'workplace/balances',
        'workplace/bills',
        'ledger/proofs',
      ])
        expect((await ask(role, path)).status, `${role} ${path}`).toBe(403);
  });
});

describe('the Workplace’s list of balances that run out soon', () => {
  const low = (days: number) =>
    got<OutputOf<typeof balanceBoard>>('admin', 'workplace/balances', { days: String(days) });

  it('the Workplace estimates from the costs of fourteen days which balances run out soon, and its linked list has the same stations', async () => {
    // The expected figures are calculated directly from the transactions.
    const [busiest] = await rows(sql<{ id: number; available: number; spent: number }>`
      select n.id, n.available, x.spent from stations n
        join (select station_id, -sum(amount)::bigint as spent from statements
          where type in ('charge', 'reweigh', 'surcharge', 'refund', 'reversal')
            and profit = 0
            and (posted_at at time zone 'Asia/Shanghai')::date between date '2026-03-02' - 14 and date '2026-03-02' - 1
              group by 1) x on x.station_id = n.id
      where n.has_amount = 1 and n.status = 1 order by x.spent desc limit 1`);
    const { id, available, spent } = busiest!;
    // The balance suffices for three such days, and is one fen short for the fourth.
    const leave = Math.ceil((spent * 4) / spendingDays) - 1;
    await app.db.tx(systemScope('test'), (work) =>
      adjustment(work, {
        station_id: id,
        amount: leave - available,
        description: 'test',
        ...meta(),
      }),
    );
    expect((await low(4)).items.find(({ station_id }) => station_id === id)).toMatchObject({
      available: leave,
      daily: Math.round(spent / spendingDays),
      days_left: 3,
    });
    expect((await low(3)).items.map(({ station_id }) => station_id)).not.toContain(id);
    for (const days of [1, 3, 4, 90]) {
      const { items, all, below } = await low(days);
      expect(
        (await walk<{ id: number }>('admin', 'stations', all.filter))
          .map((row) => row.id)
          .toSorted(),
      ).toEqual(items.map((row) => row.station_id).toSorted());
      expect(all.count).toBe(items.length);
      expect((await walk<{ id: number }>('admin', 'stations', below.filter)).length).toBe(
        below.count,
      );
      expect(items).toEqual(items.toSorted((a, b) => a.days_left - b.days_left));
    }
  });
});

describe('the Workplace’s warning about the station’s own balance', () => {
  it('the Workplace shows how many days a balance lasts to the users who can top it up, as the inbox does', async () => {
    const [own] = await rows(sql<{ id: number; available: number }>`select s.id, s.available
      from stations s join accounts a on a.station_id = s.id
      where a.username = 'station'`);
    const { id } = own!;
    const [board] = (
      await got<OutputOf<typeof balanceBoard>>('admin', 'workplace/balances', { days: '90' })
    ).items.filter(({ station_id }) => station_id === id);
    const spent = board!.daily * spendingDays;
    const leave = async (amount: number): Promise<void> => {
      const [{ available }] = (await rows(sql<{ available: number }>`select available
        from stations where id = ${id}`)) as [{ available: number }];
      await app.db.tx(systemScope('test'), (work) =>
        adjustment(work, {
          station_id: id,
          amount: amount - available,
          description: 'test',
          ...meta(),
        }),
      );
    };
    await rows(sql`update stations set low_balance = 0 where id = ${id}`);
    // The balances suffice for two and a half days, zero days, and less than zero. Only three and a
    // half days give no warning.
    for (const [days, left] of [
      [2.5, 2],
      [0, 0],
      [-1, 0],
    ] as const) {
      await rows(sql`delete from inbox_notices`);
      await leave(Math.round((spent * days) / spendingDays));
      await noteLowBalances(app);
      const [warned] = await rows(sql<{ data: { days_left: number } }>`select data
        from inbox_notices where kind = 'low_balance' and station_id = ${id}`);
      expect(warned!.data.days_left).toBe(left);
      expect((await got<Board>('station', 'workplace')).station).toMatchObject({
        id,
        days_left: left,
      });
      expect((await got<Board>('user', 'workplace')).station).toMatchObject({
        id,
        days_left: null,
        low_limit: null,
      });
    }
    await rows(sql`delete from inbox_notices`);
    await leave(Math.round((spent * 3.5) / spendingDays));
    await noteLowBalances(app);
    expect(await rows(sql`select 1 from inbox_notices where station_id = ${id}`)).toEqual([]);
    expect((await got<Board>('station', 'workplace')).station).toMatchObject({
      id,
      days_left: 3,
      low_limit: 0,
    });
    expect(warnedDays).toBe(3);
  });
});

describe('a carrier bill on the Workplace', () => {
  it('the Workplace shows a carrier bill while some of its lines are open, and its counts equal those of the linked list', async () => {
    expect((await got<OutputOf<typeof billBoard>>('admin', 'workplace/bills')).items).toEqual([]);
    const [bill] = await rows(sql<{
      id: number;
    }>`insert into reconciliations (period, provider, file_name, file_type, file_bytes,
      file_hash, status, weight_tolerance, amount_tolerance)
      values ('2026-02', 'jdl', 'bill.csv', 'csv', 1, '', 'ready', 0, 0) returning id`);
    const line = (no: number, bucket: string | null, decision: string) =>
      rows(sql`insert into reconciliation_rows (reconciliation_id, no, bucket, decision)
        values (${bill!.id}, ${no}, ${bucket}, ${decision})`);
    await line(1, 'equal', 'settled');
    await line(2, 'only_theirs', 'open');
    await line(3, 'only_theirs', 'disputed');
    await line(4, 'price_differs', 'open');
    await line(5, null, 'open');
    const { items } = await got<OutputOf<typeof billBoard>>('admin', 'workplace/bills');
    expect(items).toMatchObject([
      { reconciliation_id: bill!.id, open: { count: 2 }, unmatched: { count: 1 } },
    ]);
    for (const one of [items[0]!.open, items[0]!.unmatched])
      expect(await listed('admin', `reconciliations/${bill!.id}/rows`, one)).toBe(one.count);
    await rows(sql`update reconciliations set status = 'discarded'`);
    expect((await got<OutputOf<typeof billBoard>>('admin', 'workplace/bills')).items).toEqual([]);
  });
});

describe('a partner’s Workplace', () => {
  const board = (filter: Filter = {}) =>
    got<OutputOf<typeof stationBoard>>('partner', 'workplace/stations', filter);

  it('the Workplace’s numbers of stations below a partner equal the linked lists, and the profit equals the linked transactions', async () => {
    const { items } = await board({ days: '90' });
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) {
      for (const one of [item.parcels, item.before, item.stuck])
        expect(await listed('partner', 'expresses', one), JSON.stringify(one.filter)).toBe(
          one.count,
        );
      const lines = await walk<Statement>('partner', 'statements', item.profit.filter);
      expect(lines).toHaveLength(item.profit.count);
      expect(lines.reduce((sum, { profit }) => sum + profit, 0)).toBe(item.profit.amount);
    }
    expect(items.some(({ profit }) => profit.amount > 0)).toBe(true);
    expect(items.map(({ parcels }) => parcels.count)).toEqual(
      items.map(({ parcels }) => parcels.count).toSorted((a, b) => b - a),
    );
    const silent = (
      await got<Page<{ id: number }>>('partner', 'stations', { silent_days: '3', page_size: '200' })
    ).items.map(({ id }) => id);
    expect(
      items
        .filter((item) => item.silent === 1)
        .map(({ station_id }) => station_id)
        .toSorted(),
    ).toEqual(silent.filter((id) => items.some(({ station_id }) => station_id === id)).toSorted());
  });

  it('a partner can narrow the Workplace to one of the partner’s stations; a request for any other station returns 404', async () => {
    const { roots, items } = await board();
    const below = roots.find(({ id }) => items.some(({ station_id }) => station_id === id));
    if (below)
      expect((await board({ root_id: String(below.id) })).items.length).toBeLessThan(items.length);
    const known = new Set([roots[0]!.id, ...items.map(({ station_id }) => station_id)]);
    const outside = (
      await rows(sql<{ id: number }>`select id
      from stations`)
    ).find(({ id }) => !known.has(id))!;
    expect(
      (await ask('partner', 'workplace/stations', { root_id: String(outside.id) })).status,
    ).toBe(404);
  });
});

describe('the ledger checks on the Workplace', () => {
  it('the last ten ledger checks are listed, newest first, with the stations that are suspended now', async () => {
    for (const full of ['1', '0']) await got('admin', 'ledger/proof', { full });
    const { items, blocked } = await got<{
      items: { whole: number; ok: number; breaks: unknown[] }[];
      blocked: unknown[];
    }>('admin', 'ledger/proofs');
    expect(items.slice(0, 2)).toMatchObject([
      { whole: 0, ok: 1, breaks: [], breaks_total: 0 },
      { whole: 1, ok: 1 },
    ]);
    expect(items.length).toBeLessThanOrEqual(10);
    expect(blocked).toEqual([]);
  });

  it('the Workplace shows when the last ledger check of each kind ran, and the progress of a running full check', async () => {
    interface Shown {
      last_full: { at: string; started_at: string; ok: number } | null;
      last_new: { at: string } | null;
      running: { started_at: string; rows_done: number; rows_total: number } | null;
    }
    const at = app.clock.now().toISOString();
    expect(await got<Shown>('admin', 'ledger/proofs')).toMatchObject({
      last_full: { ok: 1, at, started_at: at },
      last_new: { ok: 1, at },
      running: null,
    });
    const { proved } = await proveWithin(app, true, 0);
    expect(proved).toBeNull();
    const { running } = await got<Shown>('admin', 'ledger/proofs');
    expect(running).toMatchObject({ started_at: at });
    expect(running!.rows_done).toBeGreaterThan(0);
    expect(running!.rows_total).toBeGreaterThanOrEqual(running!.rows_done);
    const jobs = await rows(sql<{ n: number }>`select count(*) as n
      from graphile_worker._private_jobs where key = 'ledger_proof_nightly'`);
    expect(jobs).toEqual([{ n: 1 }]);
    await runHandler(ledgerTasks, 'ledger_proof_nightly', app);
    expect(await got<Shown>('admin', 'ledger/proofs')).toMatchObject({
      last_full: { ok: 1 },
      running: null,
    });
  });
});
