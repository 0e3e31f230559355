import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstOf } from '@waystation/contract/base/present.ts';
import { settings } from '@waystation/contract/shell/settings.ts';
import type { RawBuilder } from '#platform/db/db.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import { pruneRows } from '#platform/db/prune.ts';
import { systemScope } from '#platform/db/scope.ts';
import { prove } from '#domain/ledger/ledger.ts';
import { removeOldPushes } from '#domain/express/express.ts';
import { removeOldImports } from '#domain/imports/imports.ts';
import { removeOldFiles, removeOldJobs } from '#domain/user-jobs/user-jobs.ts';
import { exampleOrder } from '#testing/test-system.ts';
import { runTask } from '#testing/run-task.ts';
import { openTestApi } from '#testing/test-api.ts';
import type { TestApi, Tokens } from '#testing/test-api.ts';
import { tasks } from '#tasks.ts';

let api: TestApi;
let tokens: Tokens;
beforeAll(async () => {
  api = await openTestApi();
  // The database judges the age of audit entries by its own clock.
  api.clock.set(new Date());
  tokens = await api.loginAll();
});
afterAll(() => api.close());

const daysAgo = (days: number): Date => new Date(api.clock.now().getTime() - days * 86_400_000);
const countOf = async (table: string): Promise<number> =>
  (await api.rows(sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`))[0]!.n;
const store = (name: string, value: number): Promise<unknown> =>
  api.rows(sql`insert into settings (name, value) values (${name}, ${jsonText(value)}::jsonb)
    on conflict (name) do update set value = excluded.value`);

const rowOf = async <T>(text: RawBuilder<T>): Promise<T> => firstOf(await api.rows(text));

/** Returns the days and the number of rows of each audit entry about removed rows. */
const pruned = async (subject: string): Promise<number[][]> =>
  (
    await api.rows(
      sql<{ changes: { days: number[]; rows: number[] } }>`select changes from audit_log
        where action = 'prune' and subject = ${subject} order by id`,
    )
  ).map(({ changes }) => [changes.days[1]!, changes.rows[1]!]);

describe('the retention of every table', () => {
  it('the database comment of every table names the task that removes its old rows, or explains why the table stays small or is kept', async () => {
    const rows = await api.rows(
      sql<{ name: string; words: string | null }>`select relname::text as name,
        obj_description(oid, 'pg_class') as words from pg_class
        where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    );
    expect(rows.length).toBeGreaterThan(90);
    const names = new Set(tasks.map(({ name }) => name));
    const isDescribed = (words: string): boolean => {
      if (/^(Bounded|Kept): .{10,}\.$/.test(words)) return true;
      const [, task] = /^Pruned by (\w+)[ ,].+\.$/.exec(words) ?? [];
      const days = words.match(/\w+_days\b/g) ?? [];
      return task !== undefined && names.has(task) && days.every((setting) => setting in settings);
    };
    expect(rows.filter(({ words }) => words === null || !isDescribed(words))).toEqual([]);
  });

  it('every setting in the group “Data retention” limits the rows of at least one table', async () => {
    const rows = await api.rows(
      sql<{ words: string }>`select obj_description(oid, 'pg_class') as words from pg_class
        where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    );
    const named = Object.entries(settings)
      .filter(([, { group }]) => group === 'retention')
      .map(([name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !rows.some(({ words }) => words.includes(name)))).toEqual([]);
  });
});

describe('removing old rows', () => {
  it('pruning old rows runs in a limited number of short transactions', async () => {
    let left = 12;
    const sizes: number[] = [];
    const prune = (most: number) => () => {
      const removed = Math.min(left, most);
      left -= removed;
      sizes.push(removed);
      return Promise.resolve(removed);
    };
    expect(await pruneRows(api.app.db, prune(5), { most: 5 })).toBe(12);
    expect(sizes).toEqual([5, 5, 2]);
    left = 1_000;
    expect(await pruneRows(api.app.db, prune(5), { most: 5 })).toBe(200);
  });

  it('carrier pushes older than the setting are removed in batches, and pushes that are younger or still to be processed are kept', async () => {
    await api.rows(sql`delete from carrier_pushes`);
    for (const [no, days, outcome] of [
      [1, 200, 'received'],
      [2, 200, 'taken'],
      [3, 190, 'unknown_parcel'],
      [4, 181, 'unreadable'],
      [5, 179, 'taken'],
      [6, 89, 'taken'],
    ] as const)
      await api.rows(sql`insert into carrier_pushes (merchant_id, body, hash, outcome, received_at)
        select min(id), '{}', ${Buffer.from([no])}, ${outcome}, ${daysAgo(days)} from merchants`);
    const left = () =>
      api.rows(sql<{ outcome: string; hash: Buffer }>`select hash from carrier_pushes
        order by id`);
    await removeOldPushes(api.app.db, api.clock.now(), { most: 2, turns: 1 });
    expect((await left()).map(({ hash }) => hash[0])).toEqual([1, 3, 4, 5, 6]);
    await removeOldPushes(api.app.db, api.clock.now(), { most: 2, turns: 9 });
    expect((await left()).map(({ hash }) => hash[0])).toEqual([1, 5, 6]);
    await store('carrier_push_days', 90);
    await runTask(api.app, 'prune');
    expect((await left()).map(({ hash }) => hash[0])).toEqual([1, 6]);
    expect(await pruned('carrier_pushes')).toEqual([
      [180, 1],
      [180, 1],
      [180, 1],
      [90, 1],
    ]);
  });

  it('alerts that were closed longer ago than the setting allows are removed; open alerts stay, however old they are', async () => {
    await api.rows(sql`delete from alerts`);
    for (const [key, closed] of [
      ['open', null],
      ['old', daysAgo(366)],
      ['young', daysAgo(364)],
    ] as const)
      await api.rows(sql`insert into alerts (code, key, at, closed_at)
        values ('job_dead', ${key}, ${daysAgo(900)}, ${closed})`);
    await runTask(api.app, 'prune');
    expect(await api.rows(sql`select key from alerts order by key`)).toEqual([
      { key: 'open' },
      { key: 'young' },
    ]);
    expect(await pruned('alerts')).toEqual([[365, 1]]);
  });

  it('audit log entries older than the setting are removed and each removal is audited; entries of the last year are always kept', async () => {
    const plant = (days: number) =>
      api.rows(sql`insert into audit_log (at, account_name, role, action, subject)
        values (${daysAgo(days)}, 'planted', 'super', 'edit', 'stations')`);
    for (const days of [3_651, 3_649, 500, 300]) await plant(days);
    const planted = () =>
      api.rows(sql`select 1 from audit_log where account_name = 'planted'`).then((r) => r.length);
    await runTask(api.app, 'prune');
    expect(await planted()).toBe(3);
    expect(await pruned('audit')).toEqual([[settings.audit_days.default, 1]]);
    await store('audit_days', 700);
    await runTask(api.app, 'prune');
    expect(await planted()).toBe(2);
    expect((await pruned('audit')).at(-1)).toEqual([700, 1]);
    const asApp = (text: ReturnType<typeof sql>) =>
      api.app.db.tx(systemScope('test'), (work) => text.execute(work.tx));
    // The application role asks for the removal of all entries. The setting, the limit per call and
    // the protection of the last year still apply.
    await asApp(sql`select prune_audit_log(2147483647)`);
    expect(await planted()).toBe(2);
    await store('audit_days', 1);
    await asApp(sql`select prune_audit_log(2147483647)`);
    expect(await planted()).toBe(1);
    expect((await pruned('audit')).at(-1)).toEqual([365, 1]);
    await store('audit_days', 365);
    await api.rows(sql`insert into audit_log (at, account_name, role, action, subject)
      select ${daysAgo(400)}, 'many', 'super', 'edit', 'stations' from generate_series(1, 5001)`);
    expect(await asApp(sql`select prune_audit_log(null) as n`)).toMatchObject({
      rows: [{ n: 5_000 }],
    });
    await expect(
      asApp(sql`select set_config('waystation.pruning', 'on', true)`).then(() =>
        asApp(sql`delete from audit_log where account_name = 'planted'`),
      ),
    ).rejects.toThrow(/permission denied/);
    expect(await planted()).toBe(1);
  });

  it('an old import with many rows is removed in several steps, and is cancelled by the first step', async () => {
    const { id } = await rowOf(sql<{ id: number }>`insert into imports (station_id, user_id,
        file_name, file_type, file_bytes, file_hash, status, updated_at)
      select ${api.station('nanshan').id}, min(id), 'a.csv', 'csv', 1, '\\x01', 'done',
        ${daysAgo(91)} from accounts returning id`);
    await api.rows(sql`insert into import_rows (import_id, no, line, cells)
      select ${id}, n, n, '[]' from generate_series(1, 12) n`);
    await api.rows(sql`insert into import_prices (import_id, no, promise_id, post_amount, cal_weight)
      select ${id}, n, 'a', 1, 1 from generate_series(1, 3) n`);
    const remove = (most: number): Promise<number> =>
      api.app.db.tx(systemScope('test'), (work) => removeOldImports(work, api.clock.now(), most));
    const left = async () => [await countOf('import_prices'), await countOf('import_rows')];
    await remove(5);
    expect(await left()).toEqual([0, 10]);
    expect(await api.rows(sql`select status from imports where id = ${id}`)).toEqual([
      { status: 'cancelled' },
    ]);
    await remove(5);
    expect(await left()).toEqual([0, 5]);
    await runTask(api.app, 'tidy');
    expect(await left()).toEqual([0, 0]);
    expect(await countOf('imports')).toBe(0);
  });

  it('an old background job of a user with many results and a large file is removed in several steps', async () => {
    const { id } = await rowOf(sql<{ id: number }>`insert into user_jobs (account_id, kind,
        action, list, status, total, file_bytes, created_at)
      select min(id), 'export', 'export', 'expresses', 'done', 7, 3, ${daysAgo(31)}
        from accounts returning id`);
    await api.rows(sql`insert into user_job_items (job_id, subject_id, name)
      select ${id}, n, '' from generate_series(1, 7) n`);
    await api.rows(sql`insert into user_job_files (job_id, no, content)
      select ${id}, n, '\\x00' from generate_series(1, 3) n`);
    const remove = (by: typeof removeOldJobs, most: number): Promise<number> =>
      api.app.db.tx(systemScope('test'), (work) => by(work, api.clock.now(), most));
    const left = async () => [await countOf('user_job_items'), await countOf('user_job_files')];
    await remove(removeOldFiles, 50);
    expect(await left()).toEqual([7, 2]);
    expect(await api.rows(sql`select file_bytes from user_jobs where id = ${id}`)).toEqual([
      { file_bytes: null },
    ]);
    await remove(removeOldJobs, 5);
    expect(await left()).toEqual([2, 2]);
    await remove(removeOldJobs, 5);
    expect(await left()).toEqual([0, 1]);
    await runTask(api.app, 'tidy');
    expect([await left(), await countOf('user_jobs')]).toEqual([[0, 0], 0]);
  });

  it('a failed removal of old rows does not stop the other removals, and its error fails the task', async () => {
    await api.rows(sql`insert into login_failures (username, address, at)
      values ('old', '', ${daysAgo(2)})`);
    await api.rows(sql`insert into user_jobs (account_id, kind, action, list, status, total,
        created_at) select min(id), 'export', 'export', 'expresses', 'done', 0, ${daysAgo(31)}
      from accounts`);
    await store('inbox_days', 0);
    await expect(runTask(api.app, 'tidy')).rejects.toThrow('setting inbox_days holds 0');
    expect([await countOf('login_failures'), await countOf('user_jobs')]).toEqual([0, 0]);
    await store('inbox_days', settings.inbox_days.default);
  });

  it('the tasks that remove old rows run every hour', () => {
    const hourly = tasks.filter(({ every }) => /^\d+ \* \* \* \*$/.test(every ?? ''));
    expect(hourly.map(({ name }) => name)).toEqual(expect.arrayContaining(['tidy', 'prune']));
  });

  it('the full ledger check succeeds after the retention tasks have removed all old rows', async () => {
    await api.call(
      tokens.super,
      'POST',
      `/api/arco/stations/${api.station('nanshan').id}/top-ups`,
      {
        amount: 100_000,
        description: 'test',
      },
    );
    await api.call(tokens.clerk, 'POST', '/api/arco/expresses', exampleOrder());
    api.clock.advance(4_000 * 86_400_000);
    for (const task of ['tidy', 'tidy_calls', 'prune']) await runTask(api.app, task);
    for (const table of ['sessions', 'idempotency_keys', 'user_jobs', 'inbox_entries'])
      expect([table, await countOf(table)]).toEqual([table, 0]);
    expect(await countOf('expresses')).toBeGreaterThan(0);
    expect((await prove(api.app, { full: true, at: api.clock.now() })).breaks).toEqual([]);
  });
});
