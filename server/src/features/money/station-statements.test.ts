import type { FastifyInstance } from 'fastify';
import { readXlsx } from 'hucre/xlsx';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OutputOf } from '@waystation/contract/base/endpoint.ts';
import type {
  StatementSummary,
  listConfirmations,
} from '@waystation/contract/money/station-statement.ts';
import type { Statement } from '@waystation/contract/money/statement.ts';
import { createApi } from '#api.ts';
import {
  adjustment,
  charge,
  closeBooks,
  hold,
  listBooks,
  post,
  prepareClosing,
  prove,
  topUp,
} from '#domain/ledger/ledger.ts';
import { openSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import { dearer, holdOf, next, openOwner, meta, scope } from '#testing/money.ts';
import { rounds } from '#testing/slices.ts';
import { addAccount, addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';

let app: TestApp;
let http: FastifyInstance;
const tokens: Record<string, string> = {};
const stations = { top: 0, near: 0, other: 0 };

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

const ask = async (who: string, method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await http.inject({
    method,
    url: `/api/arco${url}`,
    headers: { authorization: `Bearer ${tokens[who]}` },
    ...(payload && { payload }),
  });
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type']),
    bytes: answer.rawPayload,
    json: () => answer.json<{ data: never }>().data,
  };
};
type Failed = { code?: string; params?: Record<string, unknown> };
const summary = async (
  who: string,
  id: number,
  period: string,
): Promise<StatementSummary & Failed> =>
  (await ask(who, 'GET', `/stations/${id}/statement/summary?period=${period}`)).json();
const confirm = async (who: string, id: number, body: object) => {
  const { status, json } = await ask(who, 'POST', `/stations/${id}/statement/confirm`, body);
  return { status, data: json() as StatementSummary & Failed };
};
const lines = async (
  who: string,
  query: string,
): Promise<{ items: Statement[]; strip: unknown; sums: unknown }> => {
  const counts: { strip: unknown; sums: unknown } = (
    await ask(who, 'GET', `/statements/counts?${query}`)
  ).json();
  const page: { items: Statement[] } = (await ask(who, 'GET', `/statements?${query}`)).json();
  return { ...counts, ...page };
};

const on = (day: string, time = '10:00:00'): Date => new Date(`${day}T${time}+08:00`);
const paid = (station_id: number, amount: number, at: Date, description = ''): Promise<number> =>
  app.db.tx(scope, (work) => topUp(work, { station_id, amount, description, ...meta(), at }));
const adjusted = (station_id: number, amount: number, at: Date): Promise<number> =>
  app.db.tx(scope, (work) =>
    adjustment(work, { station_id, amount, description: '调整', ...meta(), at }),
  );

/** The texts of the first and the last page of a PDF, and its number of pages. */
const textsOf = async (pdf: Uint8Array): Promise<string[]> => {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const pages: string[] = [];
  for (const number of [1, document.numPages]) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  return [...pages, String(document.numPages)];
};

beforeAll(async () => {
  app = await createTestApp();
  http = await createApi(app, { checkOutput: true });
  stations.top = await addStation(app.db);
  stations.near = await addStation(app.db, { parent_id: stations.top });
  stations.other = await addStation(app.db);
  await login('admin', 'admin', null);
  await login('partner', 'partner', stations.top);
  await login('station', 'station', stations.near);
  await login('clerk', 'user', stations.near);
  await paid(stations.near, 10_000, on('2026-01-05'));
  await paid(stations.near, 2_000, on('2026-02-03'), '=1+1');
  await adjusted(stations.near, -700, on('2026-02-10'));
  const parcel = 5_000_000 + next();
  await app.db.tx(scope, async (work) => {
    await hold(work, { ...holdOf(stations.near, parcel), at: on('2026-02-11') });
    const shares = [{ station_id: stations.top, amount: 94 }];
    await charge(work, {
      express_id: parcel,
      attempt: 1,
      delivery_id: 'JDS0001',
      price: dearer,
      shares,
      ...meta(),
      at: on('2026-02-20'),
    });
    await hold(work, { ...holdOf(stations.near, parcel + 100), at: on('2026-02-28', '23:59:59') });
  });
  await paid(stations.near, 50, on('2026-03-01', '00:00:00'));
  await paid(stations.other, 1, on('2026-02-01'));
});
afterAll(async () => {
  await http.close();
  await app.close();
});

describe('a station’s monthly statement', () => {
  it('a station’s month shows the opening balance, credits, debits, closing balance, and held amounts per type', async () => {
    expect(await summary('station', stations.near, '2026-02')).toMatchObject({
      station_id: stations.near,
      period: '2026-02',
      over: 1,
      opening: 10_000,
      in: 2_000,
      out: 2_670,
      closing: 9_330,
      frozen: 1_800,
      lines: 5,
      by_type: [
        { type: 'top_up', lines: 1, in: 2_000, out: 0, amount: 2_000, freeze_amount: 0 },
        { type: 'adjustment', lines: 1, in: 0, out: 700, amount: -700, freeze_amount: 0 },
        { type: 'hold', lines: 2, in: 0, out: 0, amount: 0, freeze_amount: 3_600 },
        { type: 'charge', lines: 1, in: 0, out: 1_970, amount: -1_970, freeze_amount: -1_800 },
      ],
      confirmation: null,
      changed: 0,
    });
    expect(await summary('station', stations.near, '2026-03')).toMatchObject({
      over: 0,
      opening: 9_330,
      in: 50,
      out: 0,
      closing: 9_380,
      frozen: 1_800,
    });
    expect(await summary('station', stations.near, '2025-12')).toMatchObject({
      opening: 0,
      closing: 0,
      lines: 0,
      by_type: [],
    });
    expect(await summary('partner', stations.top, '2026-02')).toMatchObject({
      opening: 0,
      in: 94,
      closing: 94,
    });
  });

  it('the totals of a station’s months continue without a gap: each closing balance is the next opening balance', async () => {
    const strips = await Promise.all(
      ['2026-01', '2026-02', '2026-03'].map(
        async (period) =>
          (await lines('admin', `period=${period}&station_id=${stations.near}`)).strip,
      ),
    );
    expect(strips).toEqual([
      { opening: 0, in: 10_000, out: 0, closing: 10_000, frozen: 0 },
      { opening: 10_000, in: 2_000, out: 2_670, closing: 9_330, frozen: 1_800 },
      { opening: 9_330, in: 50, out: 0, closing: 9_380, frozen: 1_800 },
    ]);
  });

  it('a station’s month is readable by no other station', async () => {
    for (const [who, id] of [
      ['station', stations.top],
      ['station', stations.other],
      ['partner', stations.other],
    ] as const)
      for (const path of [
        `/stations/${id}/statement/summary?period=2026-02`,
        `/stations/${id}/statement?period=2026-02&format=xlsx`,
      ])
        expect((await ask(who, 'GET', path)).status, `${who} ${path}`).toBe(404);
    expect(
      (await ask('clerk', 'GET', `/stations/${stations.near}/statement/summary?period=2026-02`))
        .status,
    ).toBe(403);
    expect(
      (await ask('station', 'GET', `/stations/${stations.near}/statement/summary?period=2026-2`))
        .status,
    ).toBe(422);
  });
});

describe('the file of a monthly statement', () => {
  it('the Excel statement contains the opening balance, every transaction in order and their sum, and no formulas', async () => {
    const { type, bytes } = await ask(
      'station',
      'GET',
      `/stations/${stations.near}/statement?period=2026-02&format=xlsx`,
    );
    expect(type).toContain('spreadsheetml');
    const { sheets } = await readXlsx(new Uint8Array(bytes));
    const rows = sheets[0]!.rows.slice(1);
    expect(
      rows
        .slice(0, 6)
        .map((row) => [row[0] ?? null, row[3], row[4] ?? null, row[6], row[7] ?? null]),
    ).toEqual([
      [null, '期初余额', null, 100, null],
      [2, '充值', 20, 120, '=1+1'],
      [3, '调账', -7, 113, '调整'],
      [4, '冻结', 0, 113, expect.any(String)],
      [5, '扣费', -19.7, 93.3, expect.any(String)],
      [6, '冻结', 0, 93.3, expect.any(String)],
    ]);
    expect(rows.find((row) => row[3] === '期末余额')![6]).toBe(93.3);
    expect(
      sheets[0]!.cells
        ? [...sheets[0]!.cells.values()].filter((cell) => 'formula' in cell && cell.formula)
        : [],
    ).toEqual([]);
  });

  it('a download of a station’s statement is recorded in the audit log with its number of rows', async () => {
    const { rows } = await app.db.tx(scope, (work) =>
      sql<{ changes: object }>`select changes from audit_log where action = 'export'
        and subject = 'statements' order by id desc limit 1`.execute(work.tx),
    );
    expect(rows[0]!.changes).toEqual({
      rows: [null, 5],
      format: [null, 'xlsx'],
      period: [null, '2026-02'],
    });
  });

  it('the PDF statement of a month with thousands of transactions shows every line, numbered pages and the ledger’s closing balance', async () => {
    const lines = rounds(900, 9_000);
    const balance = (lines / 100).toFixed(2);
    const station = await addStation(app.db);
    const at = on('2026-02-15');
    const movements = Array.from({ length: lines }, (_, index) => ({
      movement: 'adjustment' as const,
      station_id: station,
      amount: index % 3 === 0 ? -1 : 2,
      description: `第 ${index + 1} 笔`,
      ...meta(),
      at,
    }));
    await app.db.tx(scope, async (work) => {
      for (let from = 0; from < movements.length; from += 3_000)
        await post(work, movements.slice(from, from + 3_000));
    });
    const { type, bytes } = await ask(
      'admin',
      'GET',
      `/stations/${station}/statement?period=2026-02&format=pdf&language=en`,
    );
    expect(type).toBe('application/pdf');
    const [first, final, pages] = await textsOf(bytes);
    expect(first).toContain('Monthly statement');
    expect(first).toContain(`Page 1 of ${pages}`);
    expect(first!.replaceAll(' ', '')).toContain(`Closingbalance${balance}`);
    expect(final).toContain(`第 ${lines} 笔`);
    expect(final).toMatch(new RegExp(`${lines} .*\\+0\\.02 +${balance.replace('.', '\\.')}`));
    expect(final).toContain(`Page ${pages} of ${pages}`);
    // The statement prints the head of the station's hash chain, so that the station has evidence
    // that nobody can remove.
    const { rows: heads } = await app.db.tx(scope, (work) =>
      sql<{
        seq: number;
        hash: string;
      }>`select seq, encode(hash, 'hex') as hash from ledger_chain
        where station_id = ${station} order by seq desc limit 1`.execute(work.tx),
    );
    expect(final!.replaceAll(' ', '')).toContain(
      `Hashchainheadno.${heads[0]!.seq}${heads[0]!.hash}`,
    );
  });
});

describe('a station’s confirmation of its monthly statement', () => {
  it('a station’s confirmation of its month is stored once, and repeating the confirmation returns the same response', async () => {
    for (const period of ['1000-01', '2025-12'])
      expect(await confirm('station', stations.near, { period, closing: 0 })).toMatchObject({
        status: 422,
        data: { code: 'period_before_first', params: { period, first: '2026-01' } },
      });
    expect(
      await confirm('station', stations.near, { period: '2026-02', closing: 9_331 }),
    ).toMatchObject({
      status: 409,
      data: { code: 'closing_differs', params: { closing_amount: 9_330 } },
    });
    const first = await confirm('station', stations.near, {
      period: '2026-02',
      closing: 9_330,
      note: '核对无误',
    });
    expect(first).toMatchObject({
      status: 200,
      data: {
        changed: 0,
        confirmation: {
          note: '核对无误',
          opening: 10_000,
          in: 2_000,
          out: 2_670,
          closing: 9_330,
          at: expect.any(String),
        },
      },
    });
    app.clock.advance(60_000);
    expect(await confirm('station', stations.near, { period: '2026-02', closing: 9_330 })).toEqual(
      first,
    );
    expect((await summary('admin', stations.near, '2026-02')).confirmation).toEqual(
      first.data.confirmation,
    );
    const { rows } = await app.db.tx(scope, (work) =>
      sql`select changes, reason from audit_log where action = 'confirm_statement'
        and station_id = ${stations.near}`.execute(work.tx),
    );
    expect(rows).toEqual([
      { changes: { period: [null, '2026-02'], closing: [null, 9_330] }, reason: '核对无误' },
    ]);
  });

  it('a station cannot confirm a month that has not ended, or a month of another station', async () => {
    expect(
      await confirm('station', stations.near, { period: '2026-03', closing: 9_380 }),
    ).toMatchObject({ status: 409, data: { code: 'period_not_over' } });
    expect(
      (await confirm('partner', stations.near, { period: '2026-01', closing: 10_000 })).status,
    ).toBe(404);
    expect(
      (await confirm('station', stations.top, { period: '2026-02', closing: 94 })).status,
    ).toBe(404);
    for (const who of ['admin', 'clerk'])
      expect(
        (await confirm(who, stations.near, { period: '2026-01', closing: 10_000 })).status,
      ).toBe(403);
  });

  it('a confirmed monthly statement shows the confirmed and the present figures if a transaction was posted after the confirmation', async () => {
    await paid(stations.near, 5, on('2026-02-28'));
    const now = await summary('station', stations.near, '2026-02');
    expect(now).toMatchObject({ closing: 9_335, changed: 1, confirmation: { closing: 9_330 } });
    expect(
      await confirm('station', stations.near, { period: '2026-02', closing: 9_335 }),
    ).toMatchObject({
      status: 409,
      data: { code: 'statement_confirmed', params: { closing_amount: 9_330 } },
    });
  });

  it('if the same month’s confirmation is sent several times simultaneously, it is stored once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        confirm('station', stations.near, { period: '2026-01', closing: 10_000 }),
      ),
    );
    expect(
      new Set(answers.map(({ status, data }) => `${status} ${data.confirmation?.at}`)).size,
    ).toBe(1);
    expect(answers[0]!.status).toBe(200);
  });

  it('the confirmations of a month are listed for administrators, with unconfirmed stations first', async () => {
    const listed = (await ask('admin', 'GET', '/periods/2026-02/confirmations')).json() as OutputOf<
      typeof listConfirmations
    >;
    const mine = listed.items.filter(({ station_id }) =>
      Object.values(stations).includes(station_id),
    );
    expect(
      mine.map(({ station_id, closing, confirmed_at, changed }) => ({
        station_id,
        closing,
        confirmed: confirmed_at !== null,
        changed,
      })),
    ).toEqual([
      { station_id: stations.top, closing: 94, confirmed: false, changed: 0 },
      { station_id: stations.other, closing: 1, confirmed: false, changed: 0 },
      { station_id: stations.near, closing: 9_335, confirmed: true, changed: 1 },
    ]);
    expect(listed).toMatchObject({ over: 1, confirmed: 1, stations: listed.items.length });
    expect((await ask('partner', 'GET', '/periods/2026-02/confirmations')).status).toBe(403);
  });
});

describe('filtering the list of statements', () => {
  it('the list of statements can be filtered by station with descendants, type, amount and sign, and shows the sum of the found rows', async () => {
    const found = async (query: string) => {
      const { items, strip, sums } = await lines('admin', `${query}&period=2026-02`);
      return {
        lines: items
          .map(({ station_id, type, amount }) => `${station_id} ${type} ${amount}`)
          .toSorted(),
        strip,
        sums,
      };
    };
    const [top, near] = [stations.top, stations.near];
    const below = await found(`station_id=${top}&with_children=1`);
    expect(below.lines).toContain(`${top} profit 94`);
    expect(below.lines).toContain(`${near} charge -1970`);
    expect(below.strip).toEqual({
      opening: 10_000,
      in: 2_099,
      out: 2_670,
      closing: 9_429,
      frozen: 1_800,
    });
    expect((await found(`station_id=${top}`)).lines).toEqual([`${top} profit 94`]);
    expect(await found(`station_id=${near}&type=charge,adjustment`)).toEqual({
      lines: [`${near} adjustment -700`, `${near} charge -1970`],
      strip: null,
      sums: { in: 0, out: 2_670, freeze_amount: -1_800 },
    });
    expect((await found(`station_id=${near}&amount_from=700&amount_to=1970`)).lines).toEqual([
      `${near} adjustment -700`,
      `${near} charge -1970`,
    ]);
    expect((await found(`station_id=${near}&sign=in&amount_from=1000`)).lines).toEqual([
      `${near} top_up 2000`,
    ]);
    expect((await found(`station_id=${near}&sign=out`)).lines).toEqual([
      `${near} adjustment -700`,
      `${near} charge -1970`,
    ]);
    expect((await ask('admin', 'GET', '/statements?type=charge,gift')).status).toBe(422);
    expect((await ask('admin', 'GET', '/statements?sign=both')).status).toBe(422);
  });

  it.each([
    ['closed=1', 31],
    ['closed=0', 31],
    ['sign=in', 31],
    ['amount_from=1', 31],
    ['earned_from=1', 90],
  ])(
    'statements filtered by a column without an index (%s) are listed and counted within %i days or a month only',
    async (query, days) => {
      const read = async (path: string, range: string) => {
        const answer = await ask('admin', 'GET', `/statements${path}?${query}${range}`);
        return [answer.status, (answer.json() as { fields?: object }).fields];
      };
      const from = (back: number): string =>
        `&posted_from=${new Date(Date.parse('2026-03-31') - back * 86_400_000).toISOString().slice(0, 10)}&posted_to=2026-03-31`;
      const refused = [422, { posted_from: { code: 'days_required', params: { days } } }];
      for (const path of ['', '/counts']) {
        expect([await read(path, ''), await read(path, from(days))]).toEqual([refused, refused]);
        expect([await read(path, from(days - 1)), await read(path, '&period=2026-03')]).toEqual([
          [200, undefined],
          [200, undefined],
        ]);
      }
    },
  );

  it('the list of statements shows a partner no transaction of a station that is not below it, whatever the filter', async () => {
    expect((await lines('partner', `station_id=${stations.other}&with_children=1`)).items).toEqual(
      [],
    );
    expect((await lines('station', `station_id=${stations.top}&with_children=1`)).items).toEqual(
      [],
    );
  });
});

describe('a station that failed the ledger check', () => {
  it('if a station’s ledger check fails, the station, its order options and its own users’ ledger status show the block; other users see none', async () => {
    const station = await addStation(app.db);
    await login('theirs', 'station', station);
    await login('their clerk', 'user', station);
    expect((await ask('theirs', 'GET', `/stations/${station}`)).json()).toMatchObject({
      blocked: 0,
    });
    const owner = openOwner(app);
    await owner.tx(scope, (work) =>
      sql`update stations set money = 5
      where id = ${station}`.execute(work.tx),
    );
    await owner.close();
    await prove(app, { full: false, at: app.clock.now() });
    expect((await ask('theirs', 'GET', `/stations/${station}`)).json()).toMatchObject({
      blocked: 1,
    });
    expect((await ask('their clerk', 'GET', '/expresses/options')).json()).toMatchObject({
      station: { blocked: 1 },
    });
    for (const who of ['theirs', 'their clerk'])
      expect((await ask(who, 'GET', '/ledger/standing')).json()).toEqual({
        stopped: 0,
        blocked: 1,
      });
    for (const who of ['admin', 'partner', 'station', 'clerk'])
      expect((await ask(who, 'GET', '/ledger/standing')).json()).toEqual({
        stopped: 0,
        blocked: 0,
      });
    expect(
      (await ask('admin', 'POST', `/stations/${station}/unblock`, { reason: '已核对' })).status,
    ).toBe(200);
    expect((await ask('theirs', 'GET', '/ledger/standing')).json()).toEqual({
      stopped: 0,
      blocked: 0,
    });
  });

  it('a ledger that does not balance is reported to every user', async () => {
    const owner = openOwner(app);
    await owner.tx(scope, (work) =>
      sql`insert into ledger_blocks (station_id, reason,
      blocked_at) values (null, 'test', now())`.execute(work.tx),
    );
    for (const who of ['admin', 'partner', 'clerk'])
      expect((await ask(who, 'GET', '/ledger/standing')).json()).toEqual({
        stopped: 1,
        blocked: 0,
      });
    expect((await ask('clerk', 'GET', '/expresses/options')).json()).toMatchObject({
      station: { blocked: 1 },
    });
    // Only the database owner can clear the block (docs/operating.md).
    await owner.tx(scope, (work) =>
      sql`select ledger_clear_block(0, null, 'test',
      now())`.execute(work.tx),
    );
    await owner.close();
    expect((await ask('clerk', 'GET', '/ledger/standing')).json()).toEqual({
      stopped: 0,
      blocked: 0,
    });
  });
});

describe('the statements of a closed month', () => {
  it('a transaction that is dated in a closed month is posted in the next month, and a station can confirm the closed month', async () => {
    const station = await addStation(app.db);
    await login('theirs too', 'station', station);
    await paid(station, 300, on('2026-03-01'));
    expect(await summary('theirs too', station, '2026-03')).toMatchObject({
      over: 0,
      closed: 0,
      closing: 300,
    });
    const by = await addAccount(app.db, 'admin');
    const months = await app.db.tx(scope, async (work) =>
      (await listBooks(work, app.clock.now()))
        .map(({ period }) => period)
        .filter((period) => period <= '2026-03'),
    );
    for (const period of months.toReversed()) {
      const prepared = await prepareClosing(app.db, period, on('2026-04-01'));
      await app.db.tx(scope, (work) => closeBooks(work, prepared, { by, at: on('2026-04-01') }));
    }
    await paid(station, 40, on('2026-03-02'), '月末之后');
    expect(await summary('theirs too', station, '2026-03')).toMatchObject({
      over: 1,
      closed: 1,
      opening: 0,
      in: 300,
      closing: 300,
      lines: 1,
    });
    expect(await summary('theirs too', station, '2026-04')).toMatchObject({
      over: 0,
      closed: 0,
      opening: 300,
      in: 40,
      closing: 340,
      lines: 1,
    });
    expect(await confirm('theirs too', station, { period: '2026-03', closing: 300 })).toMatchObject(
      { status: 200, data: { changed: 0 } },
    );
    const days = '&posted_from=2026-03-01&posted_to=2026-03-31';
    const texts = async (query: string) =>
      (await lines('theirs too', query)).items.map(({ amount, period }) => `${period} ${amount}`);
    expect(await texts(`closed=1${days}`)).toEqual(['2026-03 300']);
    expect(await texts(`closed=0${days}`)).toEqual(['2026-04 40']);
    expect((await lines('theirs too', 'period=2026-04')).strip).toEqual({
      opening: 300,
      in: 40,
      out: 0,
      closing: 340,
      frozen: 0,
    });
  });

  it('a closed month shows each station the figures that were stored at its closing', async () => {
    const { rows } = await app.db.tx(scope, (work) =>
      sql<{
        station_id: number;
        opening: number;
        in: number;
        out: number;
        closing: number;
        frozen: number;
      }>`
        select station_id, opening, in_amount as "in", out_amount as "out", closing, frozen
          from period_balances where period = '2026-03'`.execute(work.tx),
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { station_id, ...kept } of rows)
      expect(await summary('admin', station_id, '2026-03')).toMatchObject(kept);
  });
});
