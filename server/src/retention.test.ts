import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settings } from '@waystation/contract/shell/settings.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import { pruneRows } from '#platform/db/prune.ts';
import { systemScope } from '#platform/db/scope.ts';
import { prove } from '#domain/ledger/ledger.ts';
import { removeOldPushes } from '#domain/express/express.ts';
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

describe('every table', () => {
  it('every table is pruned by a task after a setting or a time, bounded, or kept with its reason', async () => {
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

  it('every setting of the group Data retention is what a table is pruned after', async () => {
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

describe('pruning', () => {
  it('a pruning runs in short transactions, a bounded number of them', async () => {
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

  it('read pushes older than the setting are removed in slices; a younger one and one that waits to be read stay', async () => {
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
    expect(await removeOldPushes(api.app.db, api.clock.now(), { most: 2, turns: 1 })).toBe(1);
    expect((await left()).map(({ hash }) => hash[0])).toEqual([1, 3, 4, 5, 6]);
    expect(await removeOldPushes(api.app.db, api.clock.now(), { most: 2, turns: 9 })).toBe(2);
    expect((await left()).map(({ hash }) => hash[0])).toEqual([1, 5, 6]);
    await store('carrier_push_days', 90);
    await runTask(api.app, 'prune');
    expect((await left()).map(({ hash }) => hash[0])).toEqual([1, 6]);
  });

  it('alerts closed before the days of the setting are removed; open ones stay however old', async () => {
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
  });

  it('entries of the audit log older than the setting are removed, which an entry says; the database keeps a year of them', async () => {
    const plant = (days: number) =>
      api.rows(sql`insert into audit_log (at, account_name, role, action, subject)
        values (${daysAgo(days)}, 'planted', 'super', 'edit', 'stations')`);
    for (const days of [800, 500, 300]) await plant(days);
    const planted = () =>
      api.rows(sql`select 1 from audit_log where account_name = 'planted'`).then((r) => r.length);
    await runTask(api.app, 'prune');
    expect(await planted()).toBe(3);
    await store('audit_days', 700);
    await runTask(api.app, 'prune');
    expect(await planted()).toBe(2);
    const [entry] = await api.rows(sql`select action, subject, changes from audit_log
      order by id desc limit 1`);
    expect(entry).toEqual({
      action: 'prune',
      subject: 'audit',
      changes: { days: [null, 700], rows: [null, 1] },
    });
    const asApp = (text: ReturnType<typeof sql>) =>
      api.app.db.tx(systemScope('test'), (work) => text.execute(work.tx));
    await asApp(sql`select prune_audit(${daysAgo(-1)}, 10)`);
    expect(await planted()).toBe(1);
    await expect(
      asApp(sql`select set_config('waystation.pruning', 'on', true)`).then(() =>
        asApp(sql`delete from audit_log where account_name = 'planted'`),
      ),
    ).rejects.toThrow(/permission denied/);
    expect(await planted()).toBe(1);
  });

  it('the full proof holds after everything that can be pruned was pruned', async () => {
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
