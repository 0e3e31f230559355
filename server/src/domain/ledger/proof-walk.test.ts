import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { at, meta, openMoney, openOwner, scope } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { eventually } from '#testing/test-system.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { post, prove, topUp, walkLedger, walkProgress } from './ledger.ts';

let app: TestApp;
let owner: Db;
let { tx, fill, charged } = {} as ReturnType<typeof openMoney>;
beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  ({ tx, fill, charged } = openMoney(app));
  for (let n = 0; n < 4; n++) await charged();
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

/** Changes rows as a superuser would, with every trigger off. */
const forge = (change: (work: Work) => Promise<unknown>): Promise<unknown> =>
  owner.tx(scope, async (work) => {
    await sql`set local session_replication_role = replica`.execute(work.tx);
    return change(work);
  });
const describeTopUp = (transfer_id: number, description: string) =>
  forge((work) =>
    sql`update statements set description = ${description}
    where transfer_id = ${transfer_id}`.execute(work.tx),
  );
const transferOf = async (statement: number): Promise<number> =>
  (
    await tx((work) =>
      sql<{ id: number }>`select transfer_id as id from statements
    where id = ${statement}`.execute(work.tx),
    )
  ).rows[0]!.id;
/** The number of rows that this connection has read from the tables of the ledger. */
const rowsRead = async (work: Work): Promise<number> =>
  (
    await sql<{ n: number }>`select sum(seq_tup_read + coalesce(idx_tup_fetch,
      0))::bigint as n from pg_stat_xact_user_tables
      where relname in ('ledger_transfers', 'ledger_entries', 'statements',
        'ledger_chain')`.execute(work.tx)
  ).rows[0]!.n;
const found = (proof: { breaks: { invariant: string; subject: string }[] } | null): string[] =>
  proof!.breaks.map(({ invariant, subject }) => `${invariant} ${subject}`);
/** Reads this number of pieces of two rows each, or all remaining pieces. */
const walk = async (pieces = Infinity) => {
  let n = 0;
  const proof = await walkLedger(app, { at, size: 2, onProgress: () => ++n < pieces });
  return { n, proof };
};

beforeEach(async () => {
  await tx((work) => sql`select ledger_begin_walk(${at})`.execute(work.tx));
});

describe('a full ledger check in several parts', () => {
  it('an interrupted full ledger check continues after its last part, with the result of an uninterrupted one', async () => {
    const whole = await walk();
    expect(whole.proof).toMatchObject({ ok: true, kind: 'full' });
    const first = await walk(5);
    expect(first).toEqual({ n: 5, proof: null });
    const progress = await tx(walkProgress);
    expect(progress).toMatchObject({ started_at: at, rows_done: 10 });
    const rest = await walk();
    expect(rest.n).toBe(whole.n - 5);
    expect(rest.proof).toMatchObject({
      ok: true,
      checked_entries: whole.proof!.checked_entries,
      started_at: at,
    });
    expect(await tx(walkProgress)).toBeNull();
  });

  it('a full ledger check that was interrupted reports a row altered before it started and a row altered during the interruption', async () => {
    const { rows } = await tx((work) =>
      sql<{ id: number }>`select transfer_id as id
      from statements where type = 'top_up' order by id`.execute(work.tx),
    );
    const early = rows[0]!.id;
    const late = rows.at(-1)!.id;
    await describeTopUp(early, 'altered');
    await walk(3);
    await describeTopUp(late, 'altered');
    const { proof } = await walk();
    expect(found(proof)).toEqual(
      expect.arrayContaining([`I8 transfer ${early}`, `I8 transfer ${late}`]),
    );
    await describeTopUp(early, '');
    await describeTopUp(late, '');
    expect((await walk()).proof).toMatchObject({ ok: true });
  });

  it('a posting that was not committed when the full ledger check passed its position is checked in the last step of the check', async () => {
    const station = await addStation(app.db);
    let finish = (): void => {};
    const held = new Promise<void>((resolve) => (finish = resolve));
    let statement = 0;
    const under_way = tx(async (work) => {
      statement = await topUp(work, { station_id: station, amount: 9, description: '', ...meta() });
      await held;
    });
    await eventually(async () => statement > 0);
    const other = await addStation(app.db);
    await fill(other, 4);
    const before = await walk(12);
    expect(before.proof).toBeNull();
    finish();
    await under_way;
    const transfer = await transferOf(statement);
    await describeTopUp(transfer, 'altered');
    expect(found((await walk()).proof)).toEqual(
      expect.arrayContaining([`I8 transfer ${transfer}`]),
    );
    await describeTopUp(transfer, '');
  });

  it('a full ledger check whose stored progress was altered in the database starts again from the beginning', async () => {
    const { rows } = await tx((work) =>
      sql<{ id: number }>`select transfer_id as id
      from statements where type = 'top_up' order by id limit 1`.execute(work.tx),
    );
    await walk(1);
    await describeTopUp(rows[0]!.id, 'altered');
    await forge((work) =>
      sql`update ledger_walks
      set state = replace(state, '"part":"transfers"', '"part":"months"')`.execute(work.tx),
    );
    expect(found((await walk()).proof)).toContain(`I8 transfer ${rows[0]!.id}`);
    await describeTopUp(rows[0]!.id, '');
  });

  it('two processes that run the full ledger check at the same time share its parts, and both return its result', async () => {
    const { n } = await walk();
    const [one, other] = await Promise.all([walk(), walk()]);
    expect([one.proof, other.proof]).toMatchObject([
      { ok: true, kind: 'full' },
      { ok: true, kind: 'full' },
    ]);
    expect(one.proof!.checked_entries).toBe(other.proof!.checked_entries);
    // The two processes together read at most one piece more than a single process reads.
    expect(one.n + other.n).toBeLessThanOrEqual(n + 1);
  });

  it('a full ledger check that began more than three days ago is started again from the beginning', async () => {
    await walk(5);
    const later = new Date(at.getTime() + 4 * 86_400_000);
    expect(await walkLedger(app, { at: later, size: 2 })).toMatchObject({
      ok: true,
      started_at: later,
    });
  });
});

describe('an incremental ledger check', () => {
  it('an incremental ledger check finds an altered row although the station’s checkpoint was moved past this row in the database', async () => {
    const station = await addStation(app.db);
    await fill(station, 5);
    expect(await prove(app, { full: true, at })).toMatchObject({ ok: true });
    const transfer = await transferOf(await fill(station, 6));
    await describeTopUp(transfer, 'altered');
    await forge((work) =>
      sql`update ledger_checkpoints c set chain_seq = m.chain_seq, chain_hash = m.chain_hash,
        seq = m.seq, money = m.money
        from unnest(ledger_marks_now(now())) m where m.station_id = c.station_id
          and c.station_id = ${station}`.execute(work.tx),
    );
    const proof = await prove(app, { full: false, at });
    expect(found(proof)).toContain(`I8 transfer ${transfer}`);
    expect(proof.trusted).toMatchObject({ unsigned: 1 });
    await describeTopUp(transfer, '');
    expect(await prove(app, { full: false, at })).toMatchObject({ ok: true });
  });

  it('an incremental ledger check trusts no checkpoint that was signed with another secret key', async () => {
    await prove(app, { full: true, at });
    const secrets = { ...app.secrets, derive: () => 'another key' };
    const { trusted, checked_entries } = await prove({ ...app, secrets }, { full: false, at });
    expect(trusted).toMatchObject({ links: 0, since: null });
    expect(checked_entries).toBeGreaterThan(20);
  });

  it('an old altered row is found by the next full ledger check, and not by an incremental one', async () => {
    await prove(app, { full: true, at });
    const { rows } = await tx((work) =>
      sql<{ id: number }>`select transfer_id as id
      from statements where type = 'top_up' order by id limit 1`.execute(work.tx),
    );
    await describeTopUp(rows[0]!.id, 'altered');
    expect(await prove(app, { full: false, at })).toMatchObject({ ok: true });
    expect(found(await prove(app, { full: true, at }))).toContain(`I8 transfer ${rows[0]!.id}`);
    await describeTopUp(rows[0]!.id, '');
  });

  it('an incremental ledger check reads no more rows in a large ledger than in a small one', async () => {
    const station = await addStation(app.db);
    const readBy = async (before: number): Promise<number> => {
      await tx((work) =>
        post(
          work,
          Array.from({ length: before }, () => ({
            movement: 'top_up' as const,
            station_id: station,
            amount: 1,
            description: '',
            ...meta(),
          })),
        ),
      );
      await owner.pool.query('analyze');
      await prove(app, { full: true, at });
      await fill(station, 2);
      return tx(async (work) => {
        const before_it = await rowsRead(work);
        await sql`select count(*) from ledger_new_proof((select array_agg(c)
          from ledger_checkpoints c), now())`.execute(work.tx);
        return (await rowsRead(work)) - before_it;
      });
    };
    // A different plan may read a few rows more; a plan that depends on the ledger would read four
    // hundred more.
    const small = await readBy(400);
    expect(await readBy(800)).toBeLessThan(small + 40);
  });
});
