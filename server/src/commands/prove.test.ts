import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerTasks, proveSoon } from '#domain/ledger/ledger.ts';
import type { Db } from '#platform/db/db.ts';
import { sql } from '#platform/db/db.ts';
import { openMoney, openOwner, scope } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { proveBooks } from './prove.ts';
import { runHandler } from '#testing/run-handler.ts';

let app: TestApp;
let owner: Db;
beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

const proofs = () =>
  app.db.tx(
    scope,
    async (work) =>
      (
        await sql<{ whole: number; ok: boolean }>`select whole, breaks = '[]' as ok
      from ledger_proofs order by id`.execute(work.tx)
      ).rows,
  );

describe('the ledger check on the command line', () => {
  it('after the command-line ledger check of the new or of all entries passes, the result is printed and stored', async () => {
    await openMoney(app).charged();
    const fresh = await proveBooks(app, false);
    expect(fresh).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /^Checked the entries since .*: 8 entries in .*\nNo checkpoint was relied on\.\nNot covered: .+; waybill numbers of parcels; .+\nThe ledger check passed\.$/,
      ),
    });
    expect((await proveBooks(app, false)).text).toContain(': 0 entries');
    const whole = await proveBooks(app, true);
    expect(whole).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        /^Checked everything: 8 entries in .*\nNothing stored before was relied on\. Everything was read since .*\nNot covered: entries after the last head, .+\nThe ledger check passed\.$/,
      ),
    });
    expect(await proofs()).toEqual([
      { whole: 0, ok: true },
      { whole: 0, ok: true },
      { whole: 1, ok: true },
    ]);
  });

  it('soon after a start, the new ledger entries are checked, and only once if several processes start together', async () => {
    await proveSoon(app.db, app.clock.now());
    await proveSoon(app.db, app.clock.now());
    const jobs = await app.db.tx(scope, (work) =>
      sql`select run_at
      from graphile_worker._private_jobs where key = 'ledger_proof_new'`.execute(work.tx),
    );
    expect(jobs.rows).toEqual([{ run_at: new Date(app.clock.now().getTime() + 20_000) }]);
    await runHandler(ledgerTasks, 'ledger_proof_new', app);
    expect((await proofs()).at(-1)).toEqual({ whole: 0, ok: true });
    await runHandler(ledgerTasks, 'ledger_proof_nightly', app);
    expect((await proofs()).at(-1)).toEqual({ whole: 1, ok: true });
  });

  it('the command-line ledger check lists each mismatch and each station whose payments are suspended, and exits with code 1', async () => {
    const { station } = await openMoney(app).charged();
    await owner.tx(scope, async (work) => {
      await sql`set local session_replication_role = replica`.execute(work.tx);
      await sql`update stations set money = money + 1 where id = ${station}`.execute(work.tx);
    });
    const { text, code } = await proveBooks(app, false);
    expect(code).toBe(1);
    expect(text).toContain(`I2 station ${station}: shows money`);
    expect(text).toMatch(
      new RegExp(
        `\nPayments of station ${station} \\(.+\\) are suspended\\.\nNot covered: .+\nThe ledger check failed: 1 mismatch\\.$`,
      ),
    );
    await owner.tx(scope, async (work) => {
      await sql`set local session_replication_role = replica`.execute(work.tx);
      await sql`update stations set money = money - 1 where id = ${station}`.execute(work.tx);
    });
    // Payments stay suspended after the rows are corrected. The ledger check passes again, so only
    // the exit code and one line report the suspension.
    const mended = await proveBooks(app, false);
    expect([mended.code, mended.text]).toEqual([
      1,
      expect.stringMatching(/are suspended\.\nNot covered: .+\nThe ledger check passed\.$/),
    ]);
    await owner.tx(scope, (work) =>
      sql`update ledger_blocks
      set cleared_at = now()`.execute(work.tx),
    );
    expect((await proveBooks(app, false)).code).toBe(0);
  });
});
