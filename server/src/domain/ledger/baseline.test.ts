import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDb, sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { createTestDatabase } from '#testing/cluster.ts';
import type { TestDatabase } from '#testing/cluster.ts';
import { scope } from '#testing/money.ts';

let database: TestDatabase;
let db: Db;

/** Runs as the owner, with all triggers off. */
const behindTriggers = (statements: string): Promise<void> =>
  db.tx(scope, async (work) => {
    await sql`set local session_replication_role = replica`.execute(work.tx);
    await sql.raw(statements).execute(work.tx);
  });

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ connection: database.owner, max: 1, log: silentLog() });
  await behindTriggers(`do $$ begin
    insert into stations (name) values ('old');
    insert into accounts (username, role, password_hash, station_id) values ('old', 'station', 'x', 1);
    insert into expresses (station_id, user_id, order_id, state_code, terms) select 1, 1, 'WS' || n, 10, '{"a": 1}' from generate_series(1, 3) n;
    insert into express_facts (express_id, no, station_id, source, facts, reason) select id, 0, 1, 'order', '{}', 'why' from expresses;
    insert into express_messages (express_id, station_id, source, operation_time, rank, hash, raw) select id, 1, 'push', now(), 1, '\\x01', '{}' from expresses;
    insert into periods (period, status, closed_at, closed_by) values ('2026-01', 'closed', now(), 1);
  end $$`);
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

describe('rows stored without a hash', () => {
  it('rows stored before hashes existed get a dated baseline hash, and later changes of these rows are found', async () => {
    await db.tx(scope, (work) =>
      sql
        .raw(
          `do $$ begin
            perform express_version_add((select array_agg(e) from expresses e), true);
            perform fact_records((select array_agg(f) from express_facts f), true);
            perform message_records((select array_agg(m) from express_messages m), true);
            perform period_closing_add(p, 'baseline') from periods p;
          end $$`,
        )
        .execute(work.tx),
    );
    const all = <Row extends object>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
      db.tx(scope, async (work) => (await query.execute(work.tx)).rows);
    expect(
      await all(
        sql<object>`select kind, baseline, count(*) as n,
          bool_and(at > now() - interval '10 minutes') as dated from source_hashes
          group by 1, 2 order by 1`,
      ),
    ).toEqual([
      { kind: 'closing', baseline: 1, n: 1, dated: true },
      { kind: 'fact', baseline: 1, n: 3, dated: true },
      { kind: 'message', baseline: 1, n: 3, dated: true },
      { kind: 'version', baseline: 1, n: 3, dated: true },
    ]);
    const found = () =>
      all(sql<object>`select distinct invariant, subject from ledger_findings(true, null, 7)
        where invariant is not null and invariant <> 'I10' order by 2`);
    expect(await found()).toEqual([]);
    await behindTriggers(
      `update express_facts set reason = 'other' where express_id = 1; delete from express_messages where express_id = 2`,
    );
    expect(await found()).toEqual([
      { invariant: 'I11', subject: 'fact 1 no. 0' },
      { invariant: 'I11', subject: 'message 2' },
    ]);
  });

  it('published prices, confirmed months, approvals and settings stored before hashes existed get a baseline hash from the migration', async () => {
    await behindTriggers(`do $$ begin
      insert into promises (provider, promise_id, promise_name) values ('jdl', 'old', 'old');
      insert into vouchers (provider, promise_id, name) values ('jdl', 'old', 'old');
      insert into voucher_versions (voucher_id, no, valid_from, weight) select id, 1, now(), '{"a": 1}' from vouchers;
      insert into settings (name, value) values ('top_up_limit', '5');
      insert into statements (station_id, type, amount, freeze_amount, profit, description, status, created_at, updated_at, hash)
        values (1, 'top_up', 5, 0, 0, '', 'pending', now(), now(), '');
      insert into request_approvals (statement_id, account_id, at, amount, alone) select id, 1, now(), 5, 0 from statements;
      insert into statement_confirmations (station_id, period, opening, "in", "out", closing, frozen, lines, confirmed_by, confirmed_by_name, at)
        values (1, '2026-01', 0, 0, 0, 0, 0, 0, 1, 'old', now());
    end $$`);
    const subjects = async (): Promise<string[]> =>
      (
        await db.tx(scope, (work) =>
          sql<{
            subject: string;
          }>`select distinct subject from ledger_findings(true, null, 7)
            where invariant = 'I11' and subject ~ '^(price|setting|approval|confirm)'
            order by 1`.execute(work.tx),
        )
      ).rows.map(({ subject }) => subject);
    expect(await subjects()).toEqual([
      'approval 1 by 1',
      'confirmation 1',
      'price_version 1 no. 1',
      'setting 1',
    ]);
    const migration = readFileSync(
      join(import.meta.dirname, '../../../migrations/0050_more_sources.sql'),
      'utf8',
    );
    await db.tx(scope, (work) =>
      sql.raw(/^do \$\$[^]*^end \$\$;$/m.exec(migration)![0]).execute(work.tx),
    );
    expect(await subjects()).toEqual([]);
    await behindTriggers(
      `update voucher_versions set weight = '{"a": 2}'; update settings set value = '6'`,
    );
    expect(await subjects()).toEqual(['price_version 1 no. 1', 'setting 1']);
  });
});
