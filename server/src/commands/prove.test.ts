import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerTasks, proveSoon } from '#domain/ledger/ledger.ts';
import type { Db } from '#platform/db/db.ts';
import { sql } from '#platform/db/db.ts';
import { silentLog } from '#platform/log.ts';
import { openMoney, openOwner, scope } from '#testing/money.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { proveBooks } from './prove.ts';

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
    async (tx) => (await sql<{ whole: number; ok: boolean }>`select whole, breaks = '[]' as ok from ledger_proofs order by id`.execute(tx)).rows,
  );

describe('the proof from the command line', () => {
  it('says that the books hold, of what is new or of everything, and is kept', async () => {
    await openMoney(app).charged();
    const fresh = await proveBooks(app, false);
    expect(fresh).toMatchObject({ code: 0, said: expect.stringMatching(/^Proved what is new .*: 8 entries in .*\nThe books hold\.$/) });
    expect((await proveBooks(app, false)).said).toContain(': 0 entries');
    const whole = await proveBooks(app, true);
    expect(whole).toMatchObject({ code: 0, said: expect.stringMatching(/^Proved everything: 8 entries in .*\nThe books hold\.$/) });
    expect(await proofs()).toEqual([
      { whole: 0, ok: true },
      { whole: 0, ok: true },
      { whole: 1, ok: true },
    ]);
  });

  it('follows each start by itself, once for all that start, of what is new', async () => {
    await proveSoon(app.db, app.clock.now());
    await proveSoon(app.db, app.clock.now());
    const jobs = await app.db.tx(scope, (tx) => sql`select run_at from graphile_worker._private_jobs where key = 'ledger_proof_new'`.execute(tx));
    expect(jobs.rows).toEqual([{ run_at: new Date(app.clock.now().getTime() + 20_000) }]);
    await ledgerTasks.ledger_proof_new(app, undefined as never, { job_id: '1', attempt: 1, last: false, log: silentLog() });
    expect((await proofs()).at(-1)).toEqual({ whole: 0, ok: true });
    await ledgerTasks.ledger_proof_nightly(app, undefined as never, { job_id: '2', attempt: 1, last: false, log: silentLog() });
    expect((await proofs()).at(-1)).toEqual({ whole: 1, ok: true });
  });

  it('names what does not hold and who takes no money for it, and ends with 1', async () => {
    const { station } = await openMoney(app).charged();
    await owner.tx(scope, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`update stations set money = money + 1 where id = ${station}`.execute(tx);
    });
    const { said, code } = await proveBooks(app, false);
    expect(code).toBe(1);
    expect(said).toContain(`I2 station ${station}: shows money`);
    expect(said).toMatch(new RegExp(`\nStation ${station} \\(.+\\) takes no money\\.\nThe books do not hold: 1 break\\.$`));
  });
});
