import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { erasedName } from '@waystation/contract/parcels/erased.ts';
import type { Express } from '@waystation/contract/parcels/express.ts';
import type { Job } from '@waystation/contract/shell/jobs.ts';
import { exportLists } from '#lists.ts';
import type { App } from '#app.ts';
import { fieldsOf } from '#domain/user-jobs/user-jobs.ts';
import type { ExportList } from '#domain/user-jobs/user-jobs.ts';
import { sql } from '#platform/db/db.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { exampleOrder } from '#testing/test-system.ts';
import { tidy } from '#features/people/tidy.ts';

let api: TestApi;
let tokens: Tokens;
let parcel: Express;
beforeAll(async () => {
  api = await openTestApi();
  tokens = await api.loginAll();
  parcel = (
    await api.call<Express>(
      tokens.clerk,
      'POST',
      '/api/arco/expresses',
      exampleOrder({ draft: 1, remark: '=1+1', thr_order_id: '00123' }),
    )
  ).data;
});
afterAll(() => api.close());

const columns = (keys: string) => keys.split(' ').map((key) => ({ key, title: key }));
const ask = <T = { code: string; fields: Record<string, { code: string }> }>(
  token: string,
  body: object,
) =>
  api.call<T>(token, 'POST', '/api/arco/exports', {
    list: 'expresses',
    filters: {},
    format: 'csv',
    language: 'zh',
    ...body,
  });
const linesOf = (bytes: Buffer): string[] => bytes.toString().slice(1).trimEnd().split('\r\n');

describe('an export', () => {
  it('an export contains the requested columns in order, yuan and kg, states in the user’s language, and no formulas', async () => {
    const shown = columns('order_id state_code weight post_amount remark thr_order_id created_at');
    const { status, bytes, headers } = await ask(tokens.clerk, { columns: shown });
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/csv; charset=utf-8',
    });
    expect(linesOf(bytes)).toEqual([
      'order_id,state_code,weight,post_amount,remark,thr_order_id,created_at',
      `${parcel.order_id},草稿,4.3,0.00,'=1+1,00123,2026-03-02 10:00:00`,
    ]);
    expect(
      linesOf((await ask(tokens.clerk, { columns: columns('state_code'), language: 'en' })).bytes),
    ).toEqual(['state_code', 'Draft']);
  });

  it('exported phones are complete for users of the parcel’s station and masked for partners and administrators', async () => {
    const phones = async (token: string) =>
      linesOf((await ask(token, { columns: columns('receive_phone') })).bytes)[1];
    expect(await phones(tokens.clerk)).toBe('13900000001');
    expect(await phones(tokens.super)).toMatch(/\*{4}/);
    expect(await phones(tokens.partner)).toMatch(/\*{4}/);
  });

  it('an export contains only rows that match the list’s filters and the user’s scope', async () => {
    const count = async (token: string, filters: object) =>
      linesOf((await ask(token, { columns: columns('id'), filters })).bytes).length - 1;
    expect(await count(tokens.clerk, { tab: 'draft' })).toBe(1);
    expect(await count(tokens.clerk, { tab: 'failed' })).toBe(0);
    const { id } = api.network.stations.find(({ key }) => key === 'pudong')!;
    await api.call(tokens.super, 'POST', '/api/arco/expresses', { draft: 1, station_id: id });
    expect([await count(tokens.clerk, {}), await count(tokens.super, {})]).toEqual([1, 2]);
  });

  it.each([
    [
      'a list that cannot be exported',
      { list: 'sessions', columns: columns('id') },
      'list',
      'list_not_exportable',
    ],
    [
      'a column that the list does not have',
      { columns: columns('id terms') },
      'columns.1.key',
      'column_unknown',
    ],
    [
      'a filter that does not fit',
      { columns: columns('id'), filters: { tab: 'nowhere' } },
      'tab',
      'invalid',
    ],
    ['no column', { columns: [] }, 'columns', 'required'],
  ])('an export is refused with %s', async (_, body, field, code) => {
    const { status, data } = await ask(tokens.clerk, body);
    expect({ status, code: data.fields[field]?.code }).toEqual({ status: 422, code });
  });

  it('an export is refused if the user’s role may not read the list', async () => {
    expect((await ask(tokens.clerk, { list: 'statements', columns: columns('id') })).status).toBe(
      403,
    );
    expect(
      (await ask(tokens.station, { list: 'statements', columns: columns('id type amount') }))
        .status,
    ).toBe(200);
  });

  it('an export ignores unknown filters and does not store them in the audit log', async () => {
    const { status } = await ask(tokens.clerk, {
      list: 'expresses',
      filters: { tab: 'draft', junk: 'x'.repeat(10_000) },
      columns: columns('order_id'),
    });
    const [row] = await api.rows(
      sql<{ filters: unknown }>`select changes -> 'filters' -> 1 as filters from audit_log
        where action = 'export' order by id desc limit 1`,
    );
    expect([status, row]).toEqual([200, { filters: { tab: 'draft' } }]);
  });

  it('an export leaves an audit row with the number of rows', async () => {
    const { headers } = await ask(tokens.clerk, { columns: columns('id'), format: 'xlsx' });
    const [row] = await api.rows(
      sql<{
        action: string;
        subject: string;
        rows: number;
      }>`select action, subject, (changes -> 'rows' ->> 1)::int as rows from audit_log
        where request_id = ${headers.get('x-request-id') as string}`,
    );
    expect(row).toEqual({ action: 'export', subject: 'expresses', rows: 1 });
  });
});

describe('the right to export', () => {
  it('an account whose right to export is withdrawn can download no file, old or new, until the right is granted again', async () => {
    const may = (value: 0 | 1) =>
      api.rows(sql`update accounts set may_export = ${value}
      where username = 'clerk'`);
    const shown = columns('order_id');
    const { job_id } = (
      await api.rows(sql<{
        job_id: number;
      }>`insert into user_jobs (account_id, station_id, kind, list, action, params, status,
        total, done, ok, file_name, file_type, file_bytes)
        select id, station_id, 'export', 'expresses', 'export', '{"role": "user"}', 'done', 0,
          0, 0, 'a.csv', 'text/csv', 0 from accounts where username = 'clerk'
          returning id as job_id`)
    )[0]!;
    const file = () =>
      api.call<{ code: string }>(tokens.clerk, 'GET', `/api/arco/jobs/${job_id}/file`);
    expect((await file()).status).toBe(200);
    await may(0);
    expect(
      (await api.call<{ may_export: number }>(tokens.clerk, 'GET', '/api/arco/personal')).data
        .may_export,
    ).toBe(0);
    for (const { status, data } of [await ask(tokens.clerk, { columns: shown }), await file()])
      expect([status, data.code]).toEqual([403, 'export_not_allowed']);
    await may(1);
    expect((await ask(tokens.clerk, { columns: shown })).status).toBe(200);
  });
});

describe('the table of exports', () => {
  // Columns of an export that are texts or places made from several fields.
  const made = new Set([
    'sender_place',
    'receive_place',
    'place',
    'sender',
    'environment',
    'health',
    'rate',
  ]);

  /** Fields about an edit or the reader, not about the row. */
  const never = new Set(['version', 'phones_shown']);
  /**
   * Fields without a column of their own. Most have their text in another column: a picture, the
   * last characters of secrets, the record of a connection test, and the reader's permissions.
   * `own` of a handover is used only by its page.
   */
  const apart: Readonly<Record<string, readonly string[]>> = {
    expresses: ['state_reason', 'weight_reason'],
    users: ['avatar'],
    merchants: ['secret_tails', 'proof'],
    // `to_verify` only explains why `verified_at` is still missing.
    prints: ['latest', 'to_verify'],
    statements: ['account_id', 'first_approved'],
    handovers: ['own'],
  };
  const answeredBy = ({ source }: ExportList<App>): string[] => {
    const { properties } = z.toJSONSchema(source.endpoint.output, {
      io: 'output',
      unrepresentable: 'any',
    }) as unknown as {
      properties: { items: { items: { properties: object } } };
    };
    return Object.keys(properties.items.items.properties);
  };

  it.each(Object.entries(exportLists))(
    'the table of exports names only fields that %s returns',
    (_, list) => {
      const answered = answeredBy(list);
      expect(
        Object.keys(list.columns).filter((key) => !made.has(key) && !answered.includes(key)),
      ).toEqual([]);
    },
  );

  it.each(Object.entries(exportLists))(
    'the table of exports makes each column of %s from returned fields that it names',
    (_, list) => {
      const answered = new Set(answeredBy(list));
      for (const [key, column] of Object.entries(list.columns)) {
        const named = fieldsOf(key, column);
        const used = new Set<string>();
        const row = new Proxy({}, { get: (_target, field) => void used.add(String(field)) });
        if (typeof column !== 'string') column.make(row, 'en');
        expect([
          key,
          [...used].filter((field) => !named.includes(field)),
          named.filter((field) => !answered.has(field)),
        ]).toEqual([key, [], []]);
      }
    },
  );

  it.each(Object.entries(exportLists))(
    'the table of exports offers every field that %s returns',
    (name, list) => {
      expect(
        answeredBy(list).filter(
          (key) =>
            !Object.hasOwn(list.columns, key) &&
            !never.has(key) &&
            !(apart[name] ?? []).includes(key),
        ),
      ).toEqual([]);
    },
  );
});

describe('an export of many rows', () => {
  let job_id: number;
  const job = async () =>
    (await api.call<Job>(tokens.admin, 'GET', `/api/arco/jobs/${job_id}`)).data;
  beforeAll(async () => {
    await api.rows(sql`insert into cargos (name, type, provider)
      select 'goods ' || n, 1, 'jdl' from generate_series(1, 5200) n`);
    job_id = (
      await ask<{ job_id: number }>(tokens.admin, {
        list: 'cargos',
        columns: columns('id name status'),
      })
    ).data.job_id;
  });

  it('an export of many rows is made in the background, and its owner can download it when it is done', async () => {
    expect(await job()).toMatchObject({ kind: 'export', status: 'queued', file: null });
    expect((await api.call(tokens.admin, 'GET', `/api/arco/jobs/${job_id}/file`)).status).toBe(404);
    await api.runJob(job_id);
    const [{ n } = { n: 0 }] = await api.rows(sql<{ n: number }>`select count(*) as n
      from cargos`);
    expect(await job()).toMatchObject({ status: 'done', total: n, ok: n });
    const { bytes } = await api.call(tokens.admin, 'GET', `/api/arco/jobs/${job_id}/file`);
    const lines = linesOf(bytes);
    expect([lines.length - 1, new Set(lines).size]).toEqual([n, n + 1]);
    expect((await api.call(tokens.super, 'GET', `/api/arco/jobs/${job_id}/file`)).status).toBe(404);
  });

  it('an export file stored in several pieces is downloaded completely, with its length in the header', async () => {
    const made = await api.rows(sql<{ content: Buffer }>`select content from user_job_files
      where job_id = ${job_id} order by no`);
    const more = ['a'.repeat(1_048_576), 'b'.repeat(1_048_576), 'end'];
    const bytes = made[0]!.content.length + more.join('').length;
    for (const [at, text] of more.entries())
      await api.rows(sql`insert into user_job_files (job_id, no, content)
        values (${job_id}, ${at + 1}, ${Buffer.from(text)})`);
    await api.rows(sql`update user_jobs set file_bytes = ${bytes} where id = ${job_id}`);
    const file = await api.call(tokens.admin, 'GET', `/api/arco/jobs/${job_id}/file`);
    expect([made.length, file.headers.get('content-length')]).toEqual([1, String(bytes)]);
    expect(file.bytes.equals(Buffer.concat([made[0]!.content, Buffer.from(more.join(''))]))).toBe(
      true,
    );
  });

  it('an export file returns 404 while its owner has another role or station', async () => {
    const get = async () =>
      (await api.call(tokens.admin, 'GET', `/api/arco/jobs/${job_id}/file`)).status;
    const station_id = api.network.stations[0]!.id;
    await api.rows(sql`update accounts set role = 'station', station_id = ${station_id}
      where username = 'admin'`);
    expect(await get()).toBe(404);
    await api.rows(sql`update accounts set role = 'admin', station_id = null
      where username = 'admin'`);
    expect(await get()).toBe(200);
  });

  it('the file of an export is removed after seven days, and a download then returns file_removed', async () => {
    api.clock.advance(8 * 86_400_000);
    await api.rows(sql`update user_jobs
      set created_at = ${new Date(api.clock.now().getTime() - 8 * 86_400_000)}
      where id = ${job_id}`);
    await tidy(api.app);
    expect(
      await api.rows(sql`select 1 from user_job_files
      where job_id = ${job_id}`),
    ).toEqual([]);
  });
});

describe('an export of chosen rows', () => {
  it('an export of chosen rows contains only those that the user may see, in the order of the chosen ids, and the audit log lists these ids', async () => {
    tokens = await api.loginAll();
    const made = async (token: string, body: object) =>
      (await api.call<Express>(token, 'POST', '/api/arco/expresses', body)).data;
    const [one, two] = [
      await made(tokens.clerk, exampleOrder({ draft: 1 })),
      await made(tokens.clerk, exampleOrder({ draft: 1 })),
    ];
    const { id: elsewhere } = api.network.stations.find(({ key }) => key === 'pudong')!;
    const theirs = await made(tokens.super, { draft: 1, station_id: elsewhere });
    const ids = [two.id, theirs.id, one.id, two.id];
    expect(
      linesOf(
        (await ask(tokens.clerk, { columns: columns('id'), ids, filters: { tab: 'failed' } }))
          .bytes,
      ),
    ).toEqual(['id', `${two.id}`, `${one.id}`]);
    const [entry] = await api.rows(sql<{ changes: object }>`select changes from audit_log
      where action = 'export' order by id desc limit 1`);
    expect(entry!.changes).toMatchObject({ rows: [null, 2], filters: [null, { ids }] });
    const { status, data } = await ask(tokens.super, {
      list: 'cargos',
      columns: columns('id'),
      ids: [1],
    });
    expect([status, data.fields]).toEqual([422, { ids: { code: 'invalid' } }]);
    const many = await ask(tokens.clerk, {
      columns: columns('id'),
      ids: Array.from({ length: 1_001 }, (_, n) => n + 1),
    });
    expect([many.status, many.data.fields]).toMatchObject([422, { ids: { code: 'too_long' } }]);
  });
});

describe('an export that includes an erased person', () => {
  it('an export shows the name of an erased person as “Erased”, in the reader’s language', async () => {
    await api.call<Express>(
      tokens.clerk,
      'POST',
      '/api/arco/expresses',
      exampleOrder({ draft: 1, receive_name: erasedName, thr_order_id: 'erased-1' }),
    );
    const name = async (language: string) =>
      linesOf(
        (
          await ask(tokens.clerk, {
            columns: columns('receive_name'),
            filters: { q: 'erased-1' },
            language,
          })
        ).bytes,
      )[1];
    expect([await name('zh'), await name('en')]).toEqual(['已删除', 'Erased']);
  });
});
