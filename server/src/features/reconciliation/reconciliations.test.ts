import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  BillRow,
  BookPeriod,
  Reconciliation,
} from '@waystation/contract/money/reconciliation.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Job } from '@waystation/contract/shell/jobs.ts';
import { prove } from '#domain/ledger/ledger.ts';
import { askFacts, lockExpress, applyFacts } from '#domain/express/express.ts';
import { readTable } from '#domain/workbook/workbook.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { limitMs } from '#testing/limits.ts';
import { eventually, exampleOrder, openTestSystem, rowsOf } from '#testing/test-system.ts';
import type { Answer, TestSystem } from '#testing/test-system.ts';
import { tinyStringsWorkbook } from '#testing/workbooks.ts';

let system: TestSystem;
let admin: string;
let second: string;
const base = '/api/arco/reconciliations';
let keys = 0;
const key = () => ({ 'idempotency-key': `reconciliation-${++keys}` });

/** The month in which the carrier picks the parcels up, by this machine's clock. */
const month = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7);

const monthBefore = new Date(Date.parse(`${month}-01`) - 86_400_000).toISOString().slice(0, 7);

const weighed = async (changes: Record<string, unknown> = {}): Promise<Express> => {
  const order = exampleOrder({ station_id: system.station('nanshan').id, ...changes });
  const placed = await system.call<Express>(
    { token: admin, headers: key() },
    'POST',
    '/api/arco/expresses',
    order,
  );
  const ordered = await eventually(async () => {
    const { data } = await system.call<Express>(
      admin,
      'GET',
      `/api/arco/expresses/${placed.data.id}`,
    );
    return data.state_code === 100 && data;
  });
  await system.carrier.control('POST', `orders/${ordered.delivery_id}/jump`, { to: 'delivered' });
  await system.carrier.control('POST', 'pushes/settle', { within_ms: limitMs(10_000) });
  await askFacts(system.app, { express_id: ordered.id });
  return eventually(async () => {
    const { data } = await system.call<Express>(admin, 'GET', `/api/arco/expresses/${ordered.id}`);
    // The parcel is signed for once the carrier's own trace has confirmed the push.
    return data.state_code === 300 && data.jd_weight !== null && data.jd_amount !== null && data;
  });
};

const upload = (
  text: string,
  changes: Record<string, string> = {},
  token = admin,
): Promise<Answer<Reconciliation>> => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ period: month, provider: 'jdl', ...changes }))
    form.append(name, value);
  form.append('file', new File([text], '账单.csv'));
  return system.call<Reconciliation>(token, 'POST', base, form);
};
const bill = async (id: number): Promise<Reconciliation> =>
  (await system.call<Reconciliation>(admin, 'GET', `${base}/${id}`)).data;
const matched = (id: number): Promise<Reconciliation> =>
  eventually(async () => {
    const found = await bill(id);
    return ['ready', 'settled', 'failed', 'mapping'].includes(found.status) && found;
  });
const lines = async (id: number, query = ''): Promise<BillRow[]> =>
  (
    await system.call<{ items: BillRow[] }>(
      admin,
      'GET',
      `${base}/${id}/rows?page_size=200${query}`,
    )
  ).data.items;
const decide = async (id: number, what: 'accept' | 'dispute', body: object): Promise<Job> => {
  const { status, data } = await system.call<{ job_id: number }>(
    admin,
    'POST',
    `${base}/${id}/${what}`,
    body,
  );
  expect({ status, data: status === 200 ? null : data }).toEqual({ status: 200, data: null });
  return eventually(async () => {
    const { data: job } = await system.call<Job>(admin, 'GET', `/api/arco/jobs/${data.job_id}`);
    return job.status === 'done' && job;
  });
};
const yuan = (fen: number): string => (fen / 100).toFixed(2);
const kg = (grams: number): string => (grams / 1000).toFixed(3);

beforeAll(async () => {
  system = await openTestSystem();
  [admin, second] = [await system.login('admin'), await system.login('super')];
  await system.topUp('nanshan', 10_000_000);
});
afterAll(() => system.close());

describe('a carrier bill of a month', () => {
  let parcels: Express[];
  let id: number;
  beforeAll(async () => {
    parcels = await Promise.all([0, 1, 2, 3, 4, 5].map(() => weighed()));
    const [equal, heavier, dearer, other, repeated] = parcels as [
      Express,
      Express,
      Express,
      Express,
      Express,
    ];
    const line = (
      { delivery_id, jd_weight, jd_amount, customer_code }: Express,
      weight = 0,
      amount = 0,
      code = customer_code,
    ): string => `${delivery_id},${code},${kg(jd_weight! + weight)},${yuan(jd_amount! + amount)}`;
    const text = [
      '京东物流对账单,,,',
      '运单号,客户编码,计费重量(kg),应付金额(元)',
      line(equal),
      line(heavier, 9_000, 500),
      line(dearer, 0, 5),
      line(other, 0, 0, '010K404'),
      line(repeated),
      line(repeated),
      'JDX0000000001,,1.5,"1,012.30"',
      'JDX0000000002,,1.5,many',
      '合计,,,99999',
    ].join('\r\n');
    const sent = await upload(text);
    expect(sent.status).toBe(200);
    id = sent.data.id;
    await matched(id);
  });

  it('after matching, every line of a carrier bill has its result group, and parcels missing from the bill come last', async () => {
    const [equal, heavier, dearer, other, repeated, missing] = parcels as [
      Express,
      Express,
      Express,
      Express,
      Express,
      Express,
    ];
    const found = await lines(id);
    expect(
      found.map(({ no, bucket, delivery_id, problem }) => [
        no,
        bucket,
        delivery_id,
        problem?.code ?? null,
      ]),
    ).toEqual([
      [1, 'equal', equal.delivery_id, null],
      [2, 'weight_differs', heavier.delivery_id, null],
      [3, 'price_differs', dearer.delivery_id, null],
      [4, 'other_code', other.delivery_id, 'bill_code_unknown'],
      [5, 'equal', repeated.delivery_id, null],
      [6, 'duplicate', repeated.delivery_id, 'bill_repeats'],
      [7, 'only_theirs', 'JDX0000000001', null],
      [8, 'unreadable', 'JDX0000000002', 'bill_amount_unreadable'],
      [null, 'only_ours', missing.delivery_id, null],
    ]);
    expect(found[2]).toMatchObject({
      within_tolerance: 1,
      our_amount: dearer.jd_amount,
      their_amount: dearer.jd_amount! + 5,
    });
    expect(found[6]).toMatchObject({ their_amount: 101_230, their_weight: 1_500 });
    expect(found[1]!.effect_amount).toBeGreaterThan(0);
    expect(await bill(id)).toMatchObject({
      status: 'ready',
      rows_read: 9,
      rows_total: 9,
      weight_unit: 'kg',
      stated_amount: 9_999_900,
    });
  });

  it('uploading the same file of a carrier bill again returns the same bill', async () => {
    const again = await upload('运单号,重量,金额\nJDX0000000009,1,1');
    expect((await upload('运单号,重量,金额\nJDX0000000009,1,1')).data.id).toBe(again.data.id);
    await matched(again.data.id);
    const { data } = await system.call<Reconciliation>(
      admin,
      'POST',
      `${base}/${again.data.id}/discard`,
      {
        version: (await bill(again.data.id)).version,
        reason: 'wrong file',
      },
    );
    expect(data.status).toBe('discarded');
    expect((await upload('运单号,重量,金额\nJDX0000000009,1,1')).data.id).not.toBe(again.data.id);
  });

  it('accepting a weight of a carrier bill charges the station the previewed difference, and a later carrier poll does not change it', async () => {
    const [row] = await lines(id, '&bucket=weight_differs');
    const before = parcels[1]!;
    expect(await decide(id, 'accept', { ids: [row!.id] })).toMatchObject({ total: 1, ok: 1 });
    const { data: after } = await system.call<Express>(
      admin,
      'GET',
      `/api/arco/expresses/${before.id}`,
    );
    expect(after).toMatchObject({ jd_weight: row!.their_weight, jd_amount: row!.their_amount });
    expect(after.post_amount - before.post_amount).toBe(row!.effect_amount);
    const [posted] = await rowsOf(
      system,
      sql<{ amount: number }>`select sum(amount)::bigint as amount from statements
        where express_id = ${before.id} and type = 'reweigh'`,
    );
    expect(posted!.amount).toBe(-row!.effect_amount!);
    await askFacts(system.app, { express_id: before.id });
    expect(
      (await system.call<Express>(admin, 'GET', `/api/arco/expresses/${before.id}`)).data,
    ).toMatchObject({
      jd_weight: row!.their_weight,
      jd_amount: row!.their_amount,
    });
    expect(await decide(id, 'accept', { ids: [row!.id] })).toMatchObject({ skipped: 1, ok: 0 });
  });

  it('accepting a price of a carrier bill raises the parcel’s carrier cost, and not the price that the station pays', async () => {
    const before = parcels[2]!;
    expect(
      await decide(id, 'accept', {
        filter: { bucket: 'price_differs', within_tolerance: 1 },
        expected: 1,
      }),
    ).toMatchObject({ ok: 1 });
    const { data: after } = await system.call<Express>(
      admin,
      'GET',
      `/api/arco/expresses/${before.id}`,
    );
    expect([after.jd_amount! - before.jd_amount!, after.post_amount - before.post_amount]).toEqual([
      5, 0,
    ]);
  });

  it('accepting carrier bill lines without a parcel adds their amount to the carrier cost; unreadable lines cannot be accepted', async () => {
    const cost = async (): Promise<number> =>
      (
        await rowsOf(
          system,
          sql<{ n: number }>`select -sum(amount)::bigint as n
        from ledger_entries where account = 'carrier_cost'`,
        )
      )[0]!.n;
    const before = await cost();
    const found = (await lines(id)).filter(({ bucket }) =>
      ['only_theirs', 'duplicate', 'unreadable', 'only_ours'].includes(bucket),
    );
    expect(
      await decide(id, 'accept', { ids: found.map((line) => line.id), reason: 'paid anyway' }),
    ).toMatchObject({ ok: 3, failed: 1 });
    const owed = found.reduce(
      (sum, { bucket, their_amount }) =>
        sum + (bucket === 'only_theirs' || bucket === 'duplicate' ? their_amount! : 0),
      0,
    );
    expect((await cost()) - before).toBe(owed);
  });

  it('the dispute file of a carrier bill lists disputed lines in the carrier’s own columns, with our figures beside them', async () => {
    const open = await lines(id, '&decision=open');
    expect(open.map(({ bucket }) => bucket)).toEqual(['other_code', 'unreadable']);
    expect(
      (await system.call(admin, 'POST', `${base}/${id}/dispute`, { ids: [open[0]!.id] })).status,
    ).toBe(422);
    await decide(id, 'dispute', {
      filter: { decision: 'open' },
      expected: 2,
      reason: '不是我方的客户编码',
    });
    expect((await bill(id)).status).toBe('settled');
    const file = await fetch(`${system.url}${base}/${id}/disputes.xlsx?language=en`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    const rows = [];
    for await (const row of readTable('xlsx', Buffer.from(await file.arrayBuffer())))
      rows.push(row);
    expect(rows[0]!.slice(0, 6)).toEqual([
      '运单号',
      '客户编码',
      '计费重量(kg)',
      '应付金额(元)',
      'Bill line',
      'Our order',
    ]);
    expect(rows[1]).toEqual(
      expect.arrayContaining([
        parcels[3]!.delivery_id,
        '010K404',
        '4',
        'Customer code differs',
        '不是我方的客户编码',
      ]),
    );
    expect(rows[2]!.slice(0, 5)).toEqual(['JDX0000000002', '', '1.5', 'many', '8']);
  });

  it('payments of a carrier bill cannot exceed the amount owed, and each idempotency key pays once', async () => {
    const { owed_amount } = await bill(id);
    const pay = (amount: number, headers = key()) =>
      system.call<Reconciliation>({ token: admin, headers }, 'POST', `${base}/${id}/payments`, {
        amount,
      });
    expect((await pay(owed_amount + 1)).status).toBe(422);
    const once = key();
    await pay(owed_amount - 1, once);
    expect((await pay(owed_amount - 1, once)).data.paid_amount).toBe(owed_amount - 1);
    expect((await pay(2)).data).toMatchObject({
      code: 'payment_too_large',
      params: { left_amount: 1 },
    });
  });
});

describe('uploading a carrier bill', () => {
  const send = (form: FormData | object, token = admin) =>
    system.call<{ code: string; fields?: object }>(token, 'POST', base, form);
  const formOf = (entries: Record<string, string | File>): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ period: month, provider: 'jdl', ...entries }))
      form.append(name, value as string);
    return form;
  };

  it('a carrier bill upload is refused unless it has one readable file within the size limit, a known carrier and an allowed month', async () => {
    const file = (name: string, bytes = 'a') => new File([bytes], name);
    const answers = await Promise.all([
      send(formOf({})),
      send(formOf({ file: file('bill.pdf') })),
      send(formOf({ file: file('bill.csv', '') })),
      send(formOf({ file: file('bill.csv'), provider: 'nobody' })),
      send(formOf({ file: file('bill.csv'), period: '2026-13' })),
      send(formOf({ file: file('bill.csv'), period: monthBefore })),
      send(formOf({ file: file('bill.csv'), period: '2999-01' })),
      send({ period: month, provider: 'jdl' }),
    ]);
    expect(answers.map(({ status, data }) => [status, data.fields ?? data.code])).toEqual([
      [422, { file: { code: 'file_required' } }],
      [422, { file: { code: 'file_type_unknown' } }],
      [422, { file: { code: 'file_empty' } }],
      [422, { provider: { code: 'carrier_unsupported', params: { provider: 'nobody' } } }],
      [422, { period: { code: 'invalid', params: {} } }],
      [422, { period: { code: 'bill_period_outside', params: { from: month, to: month } } }],
      [422, { period: { code: 'bill_period_outside', params: { from: month, to: month } } }],
      [400, 'bad_request'],
    ]);
    expect(
      (await send(formOf({ file: file('bill.csv', 'x'.repeat(22 * 1024 * 1024)) }))).status,
    ).toBe(413);
    expect((await system.call(admin, 'POST', '/api/arco/promises', formOf({}))).status).toBe(400);
  });

  it('a carrier bill file that is named .xlsx but is not a workbook fails with the reason', async () => {
    const { data } = await system.call<Reconciliation>(
      admin,
      'POST',
      base,
      formOf({ file: new File(['PK\u0003\u0004 and no more'], 'bill.xlsx') }),
    );
    expect(await matched(data.id)).toMatchObject({
      status: 'failed',
      reason: { code: 'file_unreadable' },
    });
  });

  it('a carrier bill whose texts would need hundreds of megabytes fails with the reason, and other requests are still answered', async () => {
    const file = new File([new Uint8Array(tinyStringsWorkbook())], 'bill.xlsx');
    const { data } = await system.call<Reconciliation>(admin, 'POST', base, formOf({ file }));
    const seen: string[] = [];
    await eventually(async () => {
      const { data: list } = await system.call<{ items: Reconciliation[] }>(
        admin,
        'GET',
        `${base}?page_size=5`,
      );
      seen.push(list.items.find(({ id }) => id === data.id)!.status);
      return seen.at(-1) === 'failed';
    }, 120_000);
    expect(seen.filter((status) => status === 'reading').length).toBeGreaterThan(2);
    expect(await bill(data.id)).toMatchObject({
      status: 'failed',
      reason: { code: 'file_string_count', params: { limit: 2_000_000 } },
    });
    expect(
      await rowsOf(
        system,
        sql`select 1 from graphile_worker.jobs
      where task_identifier = 'read_bill' and attempts < max_attempts`,
      ),
    ).toEqual([]);
  });
});

describe('a carrier bill with unknown columns', () => {
  it('a carrier bill with unknown columns waits until a user assigns them, and the next file with these columns is recognized', async () => {
    const text = (waybill: string) => `A;B;C\n${waybill};1200;10,5\n${waybill}9;1,200;１２．５元`;
    const first = await matched((await upload(text('JDX1000000001'))).data.id);
    expect(first).toMatchObject({
      status: 'mapping',
      reason: { code: 'bill_columns_unknown' },
      mapping: { delivery_id: 0 },
    });
    const { data } = await system.call<Reconciliation>(
      admin,
      'POST',
      `${base}/${first.id}/mapping`,
      {
        version: first.version,
        mapping: { delivery_id: 0, weight: 1, amount: 2 },
        weight_unit: 'g',
      },
    );
    expect(data.status).toBe('matching');
    await matched(first.id);
    expect(
      (await lines(first.id, '&bucket=only_theirs')).map(({ their_weight, their_amount }) => [
        their_weight,
        their_amount,
      ]),
    ).toEqual([[1_200, 1_250]]);
    expect((await lines(first.id, '&bucket=unreadable')).map(({ problem }) => problem)).toEqual([
      { code: 'bill_amount_unreadable', params: { text: '10,5' } },
    ]);
    expect(await matched((await upload(text('JDX2000000001'))).data.id)).toMatchObject({
      status: 'ready',
      mapping: { weight: 1 },
      weight_unit: 'g',
    });
  });

  it('assigning a carrier bill’s columns again matches all lines again, but keeps the figures of lines whose person was erased', async () => {
    const text = '运单号;计费重量;金额\nJDX3000000001;1,5;12.50\nJDX3000000002;1,5;13.50';
    const { id } = (await upload(text)).data;
    const first = await matched(id);
    const figures = async () =>
      (await lines(id)).map(({ delivery_id, their_weight, their_amount, bucket }) => ({
        delivery_id,
        their_weight,
        their_amount,
        bucket,
      }));
    const before = await figures();
    expect(before).toHaveLength(2);
    await rowsOf(
      system,
      sql`update reconciliation_rows set cells = null where reconciliation_id = ${id} and no = 2`,
    );
    const { status } = await system.call(admin, 'POST', `${base}/${id}/mapping`, {
      version: first.version,
      mapping: { delivery_id: 0, weight: 1, amount: 2 },
      weight_unit: 'kg',
    });
    expect(status).toBe(200);
    expect((await matched(id)).status).toBe(first.status);
    expect(await figures()).toEqual(before);
  });
});

describe('a carrier bill without titles', () => {
  it('the first line of a carrier bill without column titles is kept, also in UTF-16, and a parcel with an unreadable amount is listed once', async () => {
    const [parcel, other] = await Promise.all([weighed(), weighed()]);
    const line = ({ delivery_id, jd_weight }: Express, amount: string): string =>
      `${delivery_id},${kg(jd_weight!)},${amount}`;
    const text = `京东物流\n${line(parcel!, yuan(parcel!.jd_amount!))}\n${line(other!, '??')}\n合计,,${yuan(parcel!.jd_amount! + 1)}`;
    const form = new FormData();
    for (const [name, value] of Object.entries({ period: month, provider: 'jdl' }))
      form.append(name, value);
    form.append('file', new File([Buffer.from(`\ufeff${text}`, 'utf16le')], '账单.csv'));
    const sent = await system.call<Reconciliation>(admin, 'POST', base, form);
    const first = await matched(sent.data.id);
    expect(first).toMatchObject({ status: 'mapping', mapping: { delivery_id: 0 } });
    expect(first.columns.map(({ title, samples }) => [title, samples.length])).toEqual([
      ['', 3],
      ['', 2],
      ['', 3],
    ]);
    await system.call(admin, 'POST', `${base}/${first.id}/mapping`, {
      version: first.version,
      mapping: { delivery_id: 0, weight: 1, amount: 2 },
      weight_unit: 'kg',
    });
    await matched(first.id);
    const ids = [parcel!.id, other!.id];
    const found = (await lines(first.id)).filter(
      ({ express_id }) => express_id !== null && ids.includes(express_id),
    );
    expect(found.map(({ no, bucket, express_id }) => [no, bucket, express_id])).toEqual([
      [1, 'equal', parcel!.id],
      [2, 'unreadable', other!.id],
    ]);
    expect(await bill(first.id)).toMatchObject({
      stated_amount: parcel!.jd_amount! + 1,
      theirs_amount: parcel!.jd_amount!,
    });
    expect(
      await rowsOf(
        system,
        sql`select 1 from bill_mappings
      where fingerprint = ''`,
      ),
    ).toEqual([]);
  });
});

describe('closing and reopening a month', () => {
  const periods = async (): Promise<BookPeriod[]> =>
    (await system.call<{ items: BookPeriod[] }>(admin, 'GET', '/api/arco/periods')).data.items;
  /** Closes the month as if today were the first day of the next month. */
  const close = async (token: string): Promise<Answer<BookPeriod>> => {
    const real = system.app.clock;
    const [year, no] = month.split('-').map(Number) as [number, number];
    const next = new Date(Date.UTC(year, no, 1));
    system.app.clock = { now: () => next };
    try {
      return await system.call<BookPeriod>(token, 'POST', `/api/arco/periods/${month}/close`, {});
    } finally {
      system.app.clock = real;
    }
  };

  it('a month cannot be closed before it has ended', async () => {
    expect(
      (await system.call<BookPeriod>(admin, 'POST', `/api/arco/periods/${month}/close`, {})).data,
    ).toMatchObject({ code: 'period_not_ended' });
    expect((await periods()).find(({ period }) => period === month)).toMatchObject({
      ended: 0,
      earlier_open: null,
      missing_bills: [],
    });
  });

  it('the written reason why a month has no carrier bill is stored with its author', async () => {
    const [merchant] = await rowsOf(
      system,
      sql<{ id: number }>`select id from merchants
      order by id limit 1`,
    );
    const give = (body: object, token = admin) =>
      system.call<{ code: string }>(
        token,
        'POST',
        `/api/arco/periods/${month}/missing-bills`,
        body,
      );
    expect((await give({ merchant_id: merchant!.id, reason: '次月合并出账' })).status).toBe(200);
    expect((await give({ merchant_id: 999_999, reason: '次月合并出账' })).status).toBe(404);
    expect((await give({ merchant_id: merchant!.id, reason: ' ' })).status).toBe(422);
    expect(
      await rowsOf(
        system,
        sql`select subject, subject_id, changes->'reason' as reason
      from audit_log where action = 'explain_missing_bill'`,
      ),
    ).toEqual([{ subject: 'merchants', subject_id: merchant!.id, reason: [null, '次月合并出账'] }]);
  });

  it('a month cannot be closed while a line of its bills is undecided', async () => {
    expect((await close(admin)).data).toMatchObject({ code: 'period_rows_open' });
    for (const one of await rowsOf(
      system,
      sql<{ id: number; open: number }>`select c.id, count(*) as open from reconciliations c
        join reconciliation_rows r on r.reconciliation_id = c.id where c.status = 'ready'
          and r.bucket is not null and r.decision = 'open' group by 1`,
    ))
      await decide(one.id, 'dispute', {
        filter: { decision: 'open' },
        expected: one.open,
        reason: 'not ours',
      });
  });

  it('a closed month keeps its figures; a later weight correction of one of its parcels is posted in the next month', async () => {
    const late = await weighed();
    const closed = await close(admin);
    expect(closed.data).toMatchObject({ period: month, status: 'closed', sum: 0, open_rows: 0 });
    expect((await close(admin)).data).toMatchObject({ code: 'period_closed' });
    await system.app.db.tx(systemScope('test'), async (work) =>
      applyFacts(
        work,
        await lockExpress(work, late.id),
        { jd_weight: late.jd_weight! + 9_000 },
        { source: 'push', at: new Date(), account_id: null },
      ),
    );
    const [line] = await rowsOf(
      system,
      sql<{ period: string }>`select period from statements
      where express_id = ${late.id} and type = 'reweigh'`,
    );
    const [next, this_one] = await periods();
    expect(line!.period).toBe(next!.period);
    expect([next!.period > month, next!.entries > 0, next!.sum]).toEqual([true, true, 0]);
    // The month has not ended at the time of this test.
    expect(this_one).toEqual({ ...closed.data, ended: 0 });
    const [kept] = await rowsOf(
      system,
      sql<{
        closing: number;
        frozen: number;
        money: number;
      }>`select b.closing, b.frozen, (select sum(amount)::bigint from statements s
        where s.station_id = b.station_id and s.period = ${month}) as money
        from period_balances b where period = ${month}
          and station_id = ${system.station('nanshan').id}`,
    );
    expect([kept!.closing, kept!.frozen]).toEqual([kept!.money, 0]);
    expect((await prove(system.app, { full: true, at: new Date() })).breaks).toEqual([]);
  });

  it('only administrators see which transactions about a closed month’s parcels were posted in the next month', async () => {
    const path = `/api/arco/periods/${month}/changes`;
    const { data } = await system.call<{ closed_at: string; late: object[]; bills: number }>(
      admin,
      'GET',
      path,
    );
    expect(data).toMatchObject({ closed_at: expect.any(String), bills: 0, capped: 0 });
    expect(data.late).toEqual([
      expect.objectContaining({ type: 'reweigh', lines: 1, stations: 1 }),
    ]);
    for (const who of ['partner', 'station', 'clerk'] as const)
      expect((await system.call(await system.login(who), 'GET', path)).status).toBe(403);
    const open = await system.call<{ closed_at: null }>(
      admin,
      'GET',
      '/api/arco/periods/2020-01/changes',
    );
    expect(open.data).toMatchObject({ closed_at: null, late: [], disputed: 0 });
  });

  it('if a carrier bill arrives after its month was closed, its accepted lines are posted in the next month', async () => {
    const late = await matched((await upload('运单号,重量,金额\nJDX0000000099,1,1')).data.id);
    expect(late.status).toBe('ready');
    await decide(late.id, 'accept', {
      filter: { bucket: 'only_theirs' },
      expected: 1,
      reason: 'late',
    });
    const [posted] = await rowsOf(
      system,
      sql<{ period: string }>`select period
      from ledger_transfers where cause like ${`bill:${late.id}:%`}`,
    );
    expect(posted!.period > month).toBe(true);
    for (const { bucket, count } of (await bill(late.id)).buckets.filter(({ open }) => open > 0))
      await decide(late.id, 'dispute', {
        filter: { bucket, decision: 'open' },
        expected: count,
        reason: 'not ours',
      });
  });

  it('the ledger check reports a closed month if its stored last transaction no longer matches the ledger', async () => {
    await rowsOf(
      system,
      sql`update periods set last_transfer_id = last_transfer_id - 1
      where period = ${month}`,
    );
    expect(
      (await prove(system.app, { full: false, at: new Date() })).breaks.map(
        ({ invariant }) => invariant,
      ),
    ).toEqual(['I12', 'I9']);
    await rowsOf(
      system,
      sql`update periods set last_transfer_id = last_transfer_id + 1
      where period = ${month}`,
    );
  });

  it('a closed month can be reopened only by another user than the one who closed it', async () => {
    const reopen = (token: string) =>
      system.call<BookPeriod>(token, 'POST', `/api/arco/periods/${month}/reopen`, {
        reason: 'a bill was forgotten',
      });
    expect((await reopen(admin)).data).toMatchObject({ code: 'second_person_required' });
    expect((await reopen(second)).data).toMatchObject({
      status: 'open',
      reopen_reason: 'a bill was forgotten',
    });
    expect((await reopen(second)).data).toMatchObject({ code: 'period_open' });
  });
});
