import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptGapCommand } from './accept-gap.ts';
import { proveAgainst } from './prove.ts';
import { hashPassword } from '#platform/auth/password.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { at, openMoney, openOwner, scope } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { dropTail, rehash, rewriteTopUp } from '#testing/rewrite.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { appendLine, stateHash } from '#domain/ledger/heads-file.ts';
import { compareHeads, prove, setHeadsAside, writeHeads } from '#domain/ledger/ledger.ts';

let app: TestApp;
let owner: Db;
let file: string;
beforeAll(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'heads-')), 'heads.jsonl');
  app = await createTestApp({ headsFile: file });
  owner = openOwner(app);
  const hash = await hashPassword('correct horse battery');
  await owner.tx(scope, (work) =>
    sql`insert into accounts (username, role, password_hash) select name, role, ${hash}
      from (values ('first', 'super'), ('second', 'admin')) a (name, role)`.execute(work.tx),
  );
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

/** Runs a function as a superuser, with every trigger and constraint turned off. */
const asForger = <T>(run: (work: Work) => Promise<T>): Promise<T> =>
  owner.tx(scope, async (work) => {
    await sql`set local session_replication_role = replica`.execute(work.tx);
    return run(work);
  });

const lines = (): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
const subjects = (breaks: { invariant: string; subject: string }[]): string[] =>
  breaks.map(({ invariant, subject }) => `${invariant} ${subject}`);

describe('a top-up that was rewritten with its entries, balances and hashes', () => {
  it('the incremental and the full ledger check find a rewritten top-up, even after several full checks', async () => {
    const station = await addStation(app.db);
    await openMoney(app).fill(station, 5_000);
    await prove(app, { full: true, at });
    await asForger(async (work) => {
      await rewriteTopUp(work, station, 1_000);
      await rehash(work, { checkpoints: false });
    });
    for (const full of [false, true, true, false])
      expect(subjects((await prove(app, { full, at })).breaks), `full ${full}`).toContain(
        `I8 checkpoint ${station}`,
      );
    const { rows } = await owner.tx(scope, (work) =>
      sql`select money from ledger_checkpoints
      where station_id = ${station}`.execute(work.tx),
    );
    expect(rows).toEqual([{ money: 5_000 }]);
    await asForger(async (work) => {
      await rewriteTopUp(work, station, -1_000);
      await rehash(work, { checkpoints: false });
    });
    expect((await prove(app, { full: true, at })).ok).toBe(true);
  });
});

describe('the heads file of the hash chains', () => {
  it('the chain heads in the heads file are those of the ledger’s hash chains, and each line contains the hash of the previous line', async () => {
    const station = await addStation(app.db);
    await openMoney(app).fill(station, 100);
    await writeHeads(app.db, file, at);
    await openMoney(app).fill(station, 200);
    const { line } = await writeHeads(app.db, file, new Date(at.getTime() + 900_000));
    expect(line.heads).toEqual([['ledger', station, 2, expect.stringMatching(/^[0-9a-f]{64}$/)]]);
    const [one, two] = lines().map((text) => JSON.parse(text) as { hash: string; before: string });
    expect([one!.before, two!.before]).toEqual(['', one!.hash]);
    expect(await proveAgainst(app, file)).toEqual({
      code: 0,
      text: expect.stringMatching(
        /last written at 2026-03-02T02:15:00.000Z \(line 2\)\. Later records, 0 transfers and 0 records/,
      ),
    });
  });

  it('when several processes write chain heads simultaneously, the lines of the heads file form one hash chain', async () => {
    await Promise.all([1, 2, 3, 4].map(() => writeHeads(app.db, file, at)));
    expect((await compareHeads(app.db, file)).broken).toEqual([]);
    expect(lines()).toHaveLength(6);
  });

  it('the heads file shows that ledger records were rewritten, even if the checkpoints were too, but not for records after the last head', async () => {
    const station = await addStation(app.db);
    const { fill } = openMoney(app);
    await fill(station, 5_000);
    await writeHeads(app.db, file, at);
    await fill(station, 700);
    expect((await proveAgainst(app, file)).text).toContain(
      'Later records, 1 transfer and 0 records of sources, could be rewritten',
    );
    await prove(app, { full: true, at });
    const rewritten = async (change: (work: Work) => Promise<void>): Promise<string[]> => {
      await asForger(change);
      await asForger((work) => rehash(work, { checkpoints: true }));
      return subjects(
        (await prove({ ...app, config: { headsFile: file } }, { full: true, at })).breaks,
      );
    };
    // The newest top-up was posted after the last head, so that its change is not found.
    expect(await rewritten((work) => rewriteTopUp(work, station, 50, 'last'))).toEqual([]);
    expect(await rewritten((work) => rewriteTopUp(work, station, 50, 'first'))).toEqual([
      `I8 head 1 of ledger ${station}`,
    ]);
    const against = await proveAgainst(app, file);
    expect(against.code).toBe(1);
    expect(against.text).toContain(
      `I8 head 1 of ledger ${station}, line 7, ${at.toISOString()}: is not what was written outside`,
    );
    // No new head is written for a chain with broken rows, because it would confirm the wrong rows.
    const { astray, line } = await writeHeads(app.db, file, at);
    expect([
      astray.map(({ station_id }) => station_id),
      line.heads.filter(([, id]) => id === station),
    ]).toEqual([[station], []]);
    expect(await rewritten((work) => rewriteTopUp(work, station, -50, 'first'))).toEqual([]);
  });

  it('if chain heads in the heads file were changed or cut off, the comparison reports it', async () => {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"no":2,', '"no":2, '));
    expect((await proveAgainst(app, file)).code).toBe(0);
    writeFileSync(file, text.replace(/"no":2,"at":"2026/, '"no":2,"at":"2025'));
    expect((await proveAgainst(app, file)).text).toContain('Line 2 of the file was changed');
    writeFileSync(file, `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`);
    expect((await proveAgainst(app, file)).text).toMatch(
      /The file ends at line 7; by the database 8 lines were written/,
    );
    expect((await writeHeads(app.db, file, at)).state).toBe('short');
    writeFileSync(file, text);
    await asForger((work) => sql`delete from ledger_head_lines where no > 8`.execute(work.tx));
    expect((await proveAgainst(app, join(file, '..', 'none'))).text).toMatch(/^There is no file/);
  });
});

describe('a heads file without its first lines', () => {
  it('if the heads file is missing or lacks its first lines, the comparison and the full ledger check report it', async () => {
    const text = readFileSync(file, 'utf8');
    const full = () => prove({ ...app, config: { headsFile: file } }, { full: true, at });
    const all = text.trimEnd().split('\n');
    for (const lost of [1, 2, all.length - 1]) {
      writeFileSync(file, `${all.slice(lost).join('\n')}\n`);
      const against = await proveAgainst(app, file);
      expect([against.code, against.text]).toEqual([
        1,
        expect.stringContaining(`The file begins at line ${lost + 1}: ${lost} line`),
      ]);
    }
    expect((await full()).breaks).toContainEqual({
      invariant: 'I8',
      subject: 'heads file',
      detail: `begins at line ${all.length}; the lines before are missing`,
    });
    rmSync(file);
    const missing = await full();
    expect([missing.ok, subjects(missing.breaks)]).toEqual([false, ['I8 heads file']]);
    // A new heads file begins, and its first line says that it continues a lost file. It contains
    // the heads of all chains. The old and the new file together are complete.
    await writeHeads(app.db, file, at);
    const next = readFileSync(file, 'utf8');
    expect([(await proveAgainst(app, file)).code, (await full()).ok]).toEqual([0, true]);
    await openMoney(app).fill(await addStation(app.db), 100);
    await writeHeads(app.db, file, at);
    writeFileSync(file, lines().slice(1).join('\n'));
    expect((await proveAgainst(app, file)).code).toBe(1);
    writeFileSync(file, `${text}${next}`);
    expect((await compareHeads(app.db, file)).cut).toBe(0);
    writeFileSync(file, text);
    await asForger((work) =>
      sql`delete from ledger_head_lines
      where no > ${all.length}`.execute(work.tx),
    );
    expect(await proveAgainst(app, file)).toMatchObject({ code: 0 });
  });
});

describe('a heads file that was replaced', () => {
  it('if the heads file was replaced or cut off, that is reported, and the chain heads stored in the database are compared too', async () => {
    const station = await addStation(app.db);
    const { fill } = openMoney(app);
    await fill(station, 100);
    await writeHeads(app.db, file, at);
    const before = readFileSync(file, 'utf8');
    await fill(station, 30);
    await writeHeads(app.db, file, at);
    const text = readFileSync(file, 'utf8');

    // An emptied file contains no heads, so the ledger check does not state that it compared any.
    writeFileSync(file, '');
    expect(
      (await prove({ ...app, config: { headsFile: file } }, { full: true, at })).evidence
        .heads_from,
    ).toBe('database');

    // The true file is replaced by another complete file, which is longer.
    const other = join(file, '..', 'other.jsonl');
    let last = '';
    for (let no = 1; no <= text.trimEnd().split('\n').length + 1; no += 1)
      last = (
        await appendLine(other, {
          no,
          at: at.toISOString(),
          before: last,
          heads: [],
          state: stateHash([]),
        })
      ).hash;
    writeFileSync(file, readFileSync(other, 'utf8'));
    const against = await proveAgainst(app, file);
    expect([against.code, against.text]).toEqual([
      1,
      expect.stringMatching(/differs from the one recorded in the database/),
    ]);
    expect((await writeHeads(app.db, file, at)).state).toBe('other');
    // The lines that were written after the damage show where the true heads file ended.
    expect((await compareHeads(app.db, file)).broken).toEqual([lines().length]);

    // Rewrites the newest top-up, and removes its head from the heads file.
    writeFileSync(file, text);
    await asForger((work) =>
      sql`delete from ledger_head_lines
      where no > ${text.trimEnd().split('\n').length}`.execute(work.tx),
    );
    writeFileSync(file, before);
    await asForger((work) => rewriteTopUp(work, station, 50, 'last'));
    await asForger((work) => rehash(work, { checkpoints: false }));
    expect(
      subjects((await prove({ ...app, config: { headsFile: file } }, { full: true, at })).breaks),
    ).toContain(`I8 head 2 of ledger ${station}`);
    for (const state of ['short', 'ok', 'ok']) {
      const found = await writeHeads(app.db, file, at);
      expect(
        [found.state, found.astray.map(({ station_id, seq }) => [station_id, seq])],
        state,
      ).toEqual([state, [[station, 2]]]);
    }
    await asForger((work) => rewriteTopUp(work, station, -50, 'last'));
    await asForger((work) => rehash(work, { checkpoints: false }));
    writeFileSync(file, text);
    await asForger((work) =>
      sql`delete from ledger_head_lines
      where no > ${text.trimEnd().split('\n').length}`.execute(work.tx),
    );
    expect((await writeHeads(app.db, file, at)).astray).toEqual([]);
  });
});

describe('the heads file after a restore', () => {
  const answers =
    (...replies: string[]) =>
    async (): Promise<string> =>
      replies.shift() ?? '';

  it('after a restore, two administrators with passwords accept the gap of missing records, and the heads file then matches again', async () => {
    const station = await addStation(app.db);
    const { fill } = openMoney(app);
    await fill(station, 100);
    await writeHeads(app.db, file, at);
    const written = lines().length;
    await fill(station, 30);
    await writeHeads(app.db, file, at);
    await fill(station, 7);
    await writeHeads(app.db, file, at);
    // Removes the last two top-ups, as in a restored older database.
    await asForger(async (work) => {
      await dropTail(work, station);
      await dropTail(work, station);
      await sql`delete from ledger_head_lines where no > ${written}`.execute(work.tx);
      await rehash(work, { checkpoints: true });
    });
    await fill(station, 5_000);
    const lost = (await prove({ ...app, config: { headsFile: file } }, { full: true, at })).breaks;
    expect(subjects(lost)).toEqual([`I8 head 3 of ledger ${station}`]);
    expect((await acceptGapCommand(app, answers('first', 'wrong'))).text).toMatch(/^Not accepted/);
    const first = ['first', 'correct horse battery'];
    expect(
      (await acceptGapCommand(app, answers(...first, ...first, 'a reason long enough'))).text,
    ).toMatch(/two people are required/);
    expect(
      (await acceptGapCommand(app, answers(...first, 'second', 'correct horse battery', 'short')))
        .text,
    ).toMatch(/a reason/);
    // A person who has set the other approver's password could act as both.
    const tie = (what: string) =>
      owner.tx(scope, (work) =>
        sql`insert into account_setups (account_id, by_account_id, what, at)
          select s.id, f.id, ${what}, ${at} from accounts s, accounts f
          where s.username = 'second' and f.username = 'first'`.execute(work.tx),
      );
    await tie('password');
    await owner.tx(scope, (work) =>
      sql`insert into accounts (username, role, password_hash)
      values ('third', 'admin', '')`.execute(work.tx),
    );
    expect(
      (
        await acceptGapCommand(
          app,
          answers(...first, 'second', 'correct horse battery', 'backup of the night restored'),
        )
      ).text,
    ).toMatch(/one person set up both accounts/);
    await asForger((work) => sql`delete from account_setups`.execute(work.tx));
    // After the gap of one station is accepted, the checkpoint of another station is still valid.
    const bystander = await addStation(app.db);
    await openMoney(app).fill(bystander, 900);
    await prove({ ...app, config: { headsFile: file } }, { full: true, at });
    await asForger((work) => rewriteTopUp(work, bystander, 50));
    await asForger((work) => rehash(work, { checkpoints: false }));
    const accepted = await acceptGapCommand(
      app,
      answers(...first, 'second', 'correct horse battery', 'backup of the night restored'),
    );
    expect(accepted).toEqual({
      code: 0,
      text: expect.stringMatching(/^Gap 1 is accepted by first and second\./),
    });
    expect((await proveAgainst(app, file)).text).toMatch(
      /first and second accepted a gap of 1 chain: backup of the night restored[\s\S]*The chains match every head\.$/,
    );
    expect(
      subjects((await prove({ ...app, config: { headsFile: file } }, { full: true, at })).breaks),
    ).toEqual([`I8 checkpoint ${bystander}`]);
    await asForger((work) => rewriteTopUp(work, bystander, -50));
    await asForger((work) => rehash(work, { checkpoints: false }));
    expect((await prove({ ...app, config: { headsFile: file } }, { full: true, at })).ok).toBe(
      true,
    );
    const { rows } = await owner.tx(scope, (work) =>
      sql`select account_name, reason
      from audit_log where action = 'ledger.accept_gap' order by id`.execute(work.tx),
    );
    expect(rows).toEqual([
      { account_name: 'first', reason: 'backup of the night restored' },
      { account_name: 'second', reason: 'backup of the night restored' },
    ]);
    expect((await acceptGapCommand(app, answers())).text).toMatch(/there is no gap/);
    // A head before the accepted gap is still compared.
    await asForger((work) => rewriteTopUp(work, station, 1, 'first'));
    await asForger((work) => rehash(work, { checkpoints: true }));
    expect((await proveAgainst(app, file)).text).toContain(
      `I8 head 1 of ledger ${station}, line ${written}`,
    );
  });
});

describe('the heads file of a deleted data directory', () => {
  it('an existing heads file is renamed and its content is kept, so that a new heads file can begin', async () => {
    const old = join(mkdtempSync(join(tmpdir(), 'heads-')), 'heads.jsonl');
    expect(await setHeadsAside(old, at)).toBeNull();
    writeFileSync(old, 'evidence');
    const aside = await setHeadsAside(old, at);
    expect(aside).toMatch(/heads\.jsonl\.before-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d$/);
    expect(readFileSync(aside!, 'utf8')).toBe('evidence');
    expect(await setHeadsAside(old, at)).toBeNull();
  });
});
