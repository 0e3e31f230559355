import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prove, sql, writeHeads } from '@waystation/server/testing/product.ts';
import type { Db } from '@waystation/server/testing/product.ts';
import { openOwner, scope } from '@waystation/server/testing/money.ts';
import { rounds, seedOr } from '@waystation/server/testing/slices.ts';
import { createTestApp } from '@waystation/server/testing/test-app.ts';
import type { TestApp } from '@waystation/server/testing/test-app.ts';
import { chanceOf, proofAfter, tamperOnce, targets } from './change.ts';
import type { Tampered } from './change.ts';
import { layGround } from './ground.ts';
import { isAccounted, namedLine, playNamed } from './named.ts';
import { rehash } from '@waystation/server/testing/rewrite.ts';
import { stories } from './stories.ts';

let app: TestApp;
let owner: Db;
let heads: string;
let folder: string;
beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  await layGround(app, 3, 1);
  folder = mkdtempSync(join(tmpdir(), 'tamper-'));
  const { line } = await writeHeads(app.db, join(folder, 'heads.jsonl'), app.clock.now());
  await writeHeads(app.db, join(folder, 'heads.jsonl'), app.clock.now());
  heads = JSON.stringify(line.heads);
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

const rowsOf = async <Row extends object>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  owner.tx(scope, async (work) => (await query.execute(work.tx)).rows);
const breaks = async (full = true): Promise<string[]> =>
  (await prove(app, { full, at: app.clock.now() })).breaks.map(
    ({ invariant, subject, detail }) => `${invariant} ${subject} ${detail}`,
  );

describe('what feeds the ledger', () => {
  it('the unchanged ledger sources pass the check, and every kind of source has at least one record', async () => {
    expect(await proofAfter(owner, heads, async () => true)).toEqual([]);
    const kinds = await rowsOf(sql<{ kind: string }>`select distinct kind from source_hashes
      order by 1`);
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'approval',
      'bill_line',
      'closing',
      'confirmation',
      'fact',
      'handover',
      'message',
      'payment',
      'price_version',
      'setting',
      'version',
    ]);
    for (const { table, where = 'true' } of targets)
      expect(
        await rowsOf(sql.raw(`select 1 from ${table} where ${where} limit 1`) as never),
        table,
      ).toHaveLength(1);
  });

  it('the hashes of the ledger sources stay equal if they are calculated again from unchanged rows', async () => {
    expect(
      await proofAfter(owner, heads, async (work) => {
        await rehash(work, { checkpoints: true });
        return true;
      }),
    ).toEqual([]);
  });

  it('a changed byte or a deleted row of a ledger source is found', async () => {
    const chance = chanceOf(seedOr(2));
    const tried: Tampered[] = [];
    while (tried.length < rounds(10, 300))
      tried.push(...[await tamperOnce(owner, chance, heads)].filter((one) => one !== null));
    expect(tried.filter((one) => one.breaks.length === 0)).toEqual([]);
  });

  it('each change in the list of named changes is found by a check or is marked as a change that no check finds', async () => {
    const outcomes = await playNamed({
      app,
      owner,
      heads,
      file: join(folder, 'heads.jsonl'),
      folder,
    });
    expect(outcomes.filter((one) => !isAccounted(one)).map(namedLine)).toEqual([]);
    // A change may have a listed blind spot only if no check finds the change.
    expect(
      outcomes.filter(({ says, listed }) => says.length > 0 && listed !== null).map(namedLine),
    ).toEqual([]);
    expect(new Set(outcomes.filter(({ says }) => says.length > 0).map(({ by }) => by))).toEqual(
      new Set(['prove --full', 'prove --against', 'prove --head']),
    );
  });

  it.each(stories)(
    'a rewritten history of a %s is found even if all hashes are recalculated to match it',
    async (_, tell) => {
      const found = await proofAfter(owner, heads, async (work) => {
        if (!(await tell(work, 1))) return false;
        await rehash(work, { checkpoints: true });
        return true;
      });
      expect(found).not.toBeNull();
      expect(found!.filter((line) => line.startsWith('I8 head'))).not.toEqual([]);
    },
  );

  it('every ledger transfer of a parcel contains the hash of the parcel version that caused the transfer', async () => {
    const [one] = await rowsOf(sql<{
      named: number;
      unnamed: number;
    }>`select count(*) filter (where v.hash is not null) as named,
      count(*) filter (where v.hash is null) as unnamed
      from ledger_transfers t left join express_versions v on v.express_id = t.express_id
        and v.hash = t.version_hash where t.express_id is not null`);
    expect(one!.unnamed).toBe(0);
    expect(one!.named).toBeGreaterThan(20);
  });

  it('a change of an undecided bill line is not reported, because undecided lines are not hashed', async () => {
    expect(
      await proofAfter(
        owner,
        heads,
        async (work) =>
          (
            await sql`update reconciliation_rows set their_amount = 1
          where decision = 'open' returning 1`.execute(work.tx)
          ).rows.length > 0,
      ),
    ).toEqual([]);
  });

  it('if a new source of the ledger is changed, the incremental check and the full check both find the change', async () => {
    await app.db.tx(scope, (work) =>
      sql`update expresses set weight = weight + 1
        where id = (select min(id) from expresses where terms is not null)`.execute(work.tx),
    );
    const [newest] = await rowsOf(sql<{ k1: number; k2: number }>`select k1, k2
      from source_hashes where kind = 'version' order by id desc limit 1`);
    const forge = (weight: number) =>
      owner.tx(scope, async (work) => {
        await sql`set local session_replication_role = replica`.execute(work.tx);
        await sql`update expresses set weight = weight + ${weight}
          where id = ${newest!.k1}`.execute(work.tx);
      });
    await forge(1);
    const expected = [`I11 parcel ${newest!.k1} is not what its newest version says`];
    expect([await breaks(false), await breaks(false), await breaks(true)]).toEqual([
      expected,
      expected,
      expected,
    ]);
    await forge(-1);
    expect(await breaks(true)).toEqual([]);
  });

  it('a parcel keeps its hashes if its personal data is erased; it fails the check if the data is blanked otherwise or the erasure is hidden', async () => {
    const [parcel] = await rowsOf(sql<{ id: number; receive_phone: string }>`select e.id,
        e.receive_phone from expresses e
      where e.terms is not null and e.state_code in (90, 300, 420, 500) and e.receive_phone <> ''
        and not exists (select 1 from express_versions v where v.express_id = e.id and v.no > 3)
      order by e.id limit 1`);
    const { id } = parcel!;
    const blank = sql`receive_name = '[erased]', receive_phone = '', receive_address = '',
      receive_id = null, erased = 2`;
    expect(
      await proofAfter(owner, heads, async (work) => {
        await sql`set local session_replication_role = replica`.execute(work.tx);
        await sql`update expresses set ${blank} where id = ${id}`.execute(work.tx);
        return true;
      }),
    ).toEqual([`I11 parcel ${id}`]);
    const marked = await proofAfter(owner, heads, async (work) => {
      await sql`set local session_replication_role = origin`.execute(work.tx);
      await sql`update expresses set ${blank} where id = ${id}`.execute(work.tx);
      return true;
    });
    expect(marked!.filter((line) => line.startsWith(`I11 parcel ${id} version`))).not.toEqual([]);
    await owner.tx(scope, async (work) => {
      const [made] = (
        await sql<{
          id: number;
        }>`insert into erasures (account_id, at, reason, phone, names,
            receivers, salt, fingerprints)
          select a.id, now(), 'x', e.receive_phone, array[e.receive_name],
            array[e.id], 's', '{}'
          from expresses e, accounts a where e.id = ${id} and a.username = 'super'
          returning id`.execute(work.tx)
      ).rows;
      await sql`select erasure_approve(${made!.id}, id) from accounts
        where username = 'admin'`.execute(work.tx);
      // A parcel must have a minimum age before it can be erased, so its times are moved into the
      // past.
      await sql`update expresses set created_at = created_at - interval '30 years',
        ordered_at = ordered_at - interval '30 years',
        signed_at = signed_at - interval '30 years',
        canceled_at = canceled_at - interval '30 years',
        last_event_at = last_event_at - interval '30 years',
        charged_at = charged_at - interval '30 years',
        handled_at = handled_at - interval '30 years'
        where id = ${id}`.execute(work.tx);
      const { rows } = await sql<{ erased: boolean }>`select erase_parcel(${made!.id}, ${id})
        as erased`.execute(work.tx);
      expect(rows).toEqual([{ erased: true }]);
    });
    expect(await breaks()).toEqual([]);
    expect(
      await rowsOf(
        sql<object>`select receive_name, receive_phone, erased from expresses where id = ${id}`,
      ),
    ).toEqual([{ receive_name: '[erased]', receive_phone: '', erased: 2 }]);
    // Hides the salt of another parcel's version, or the flag of the erased parcel. Returns the
    // breaks that the check then finds.
    const hidden = async (change: ReturnType<typeof sql>): Promise<string[] | null> =>
      proofAfter(owner, heads, async (work) => {
        await sql`set local session_replication_role = replica`.execute(work.tx);
        await change.execute(work.tx);
        return true;
      });
    expect(await hidden(sql`update expresses set erased = 0 where id = ${id}`)).toEqual([
      `I11 parcel ${id}`,
    ]);
    // Falsifies the time at which the erasure was requested, and then hides that the erasure was
    // approved.
    expect(await hidden(sql`update erasures set at = at - interval '1 hour'`)).toEqual([
      expect.stringMatching(/^I11 erasure_approval \d+/),
    ]);
    const unapproved = await hidden(sql`delete from source_hashes
      where kind = 'erasure_approval'`);
    expect(unapproved!.filter((line) => line.startsWith('I11 erasure'))).not.toEqual([]);
    expect(unapproved!.filter((line) => line.startsWith(`I11 parcel ${id} version`))).not.toEqual(
      [],
    );
    // A missing salt must still be found if the record of its erasure is forged and nobody approved
    // it.
    const forged = await hidden(sql`with v as (update express_versions set salt = null
        where (express_id, no) = (select express_id, 1 from express_versions where no = 2
          and express_id <> ${id} order by express_id limit 1) returning express_id, no)
      insert into source_hashes (station_id, kind, k1, digest)
        select h.station_id, 'erasure', h.id, source_record_digest('erasure', h.id, 0, null, '')
        from v join source_hashes h on h.kind = 'version' and (h.k1, h.k2) = (v.express_id, v.no)`);
    expect(forged!.filter((line) => /^I11 parcel \d+ version 1/.test(line))).toHaveLength(1);
    const lost = await hidden(sql`update express_versions set salt = null
      where (express_id, no) = (select express_id, 1 from express_versions where no = 2
        and express_id <> ${id} order by express_id limit 1)`);
    expect(lost).toHaveLength(1);
    expect(lost![0]).toMatch(/^I11 parcel \d+ version 1/);
  });

  it('if source_erase erases the personal text of a ledger source, its hash stays valid; any other change of the text fails the check', async () => {
    const [message] = await rowsOf(
      sql<{
        id: number;
        k1: number;
      }>`select h.id, h.k1 from source_hashes h join express_messages m on m.id = h.k1
        where h.kind = 'message' and h.salt is not null order by h.id limit 1`,
    );
    const [line] = await rowsOf(sql<{ id: number }>`select max(id) as id from source_hashes
      where kind = 'bill_line' and salt is not null`);
    const [month] = await rowsOf(sql<{ id: number }>`select max(id) as id from source_hashes
      where kind = 'confirmation'`);
    const blanked = await proofAfter(owner, heads, async (work) => {
      await sql`update express_messages set title = '', remark = '', operator_name = '',
        place = '', cancel_reason = '', raw = 'null' where id = ${message!.k1}`.execute(work.tx);
      await sql`update source_hashes set salt = null where id = ${message!.id}`.execute(work.tx);
      return true;
    });
    expect(blanked).toEqual([`I11 message ${message!.k1}`]);
    for (const { id } of [message!, line!, month!])
      await owner.tx(scope, (work) => sql`select source_erase(${id})`.execute(work.tx));
    expect(await breaks()).toEqual([]);
    const [left] = await rowsOf(
      sql<{
        raw: unknown;
        salt: unknown;
      }>`select m.raw, h.salt from express_messages m
        join source_hashes h on h.kind = 'message' and h.k1 = m.id
        where m.id = ${message!.k1}`,
    );
    expect(left).toEqual({ raw: null, salt: null });
    await expect(
      app.db.tx(scope, (work) =>
        sql`update express_messages
      set remark = 'x'`.execute(work.tx),
      ),
    ).rejects.toMatchObject({ code: '42501' });
    await expect(
      owner.tx(scope, (work) =>
        sql`update express_messages
      set remark = 'x'`.execute(work.tx),
      ),
    ).rejects.toMatchObject({ constraint: 'append_only' });
  });
});
