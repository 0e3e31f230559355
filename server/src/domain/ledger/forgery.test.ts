import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { holdOf, next, openMoney, openOwner, meta, scope } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import {
  approve,
  carrierCost,
  carrierFee,
  hold,
  releaseHold,
  requestWithdrawal,
  reverse,
} from './ledger.ts';

let app: TestApp;
let owner: Db;
const undone = new Error('undone');

/** The rows that the forgeries change. */
const known = {
  station: 0,
  charged: 0,
  other: 0,
  open: 0,
  released: 0,
  postPaid: 0,
  withdrawal: 0,
  reversed: 0,
};

beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  const { tx, fill, charged } = openMoney(app);
  ({ station: known.station, express_id: known.charged } = await charged());
  ({ express_id: known.other } = await charged());
  ({ express_id: known.reversed } = await charged());
  await tx((work) => reverse(work, { express_id: known.reversed, reason: '', ...meta() }));
  await tx((work) =>
    carrierFee(work, {
      express_id: known.charged,
      station_id: known.station,
      amount_total: 1500,
      ...meta(),
    }),
  );
  known.open = next();
  known.released = next();
  known.postPaid = next();
  const trusted = await addStation(app.db, { has_amount: 0 });
  await tx(async (work) => {
    await hold(work, holdOf(known.station, known.open));
    await hold(work, holdOf(known.station, known.released));
    await releaseHold(work, { express_id: known.released, attempt: 1, ...meta() });
    await hold(work, holdOf(trusted, known.postPaid));
  });
  await fill(trusted, 50);
  const requested = await tx((work) =>
    requestWithdrawal(work, {
      station_id: known.station,
      amount: 300,
      description: '',
      ...meta(1),
    }),
  );
  known.withdrawal = requested.ok ? requested.statement_id! : 0;
  await tx((work) => approve(work, { statement_id: known.withdrawal, ...meta(2) }));
});
afterAll(async () => {
  await owner.close();
  await app.close();
});

/** Recalculates every hash and every link, as an expert attacker would. */
const rehash = sql.raw(`do $$
declare c ledger_chain; before bytea := ''; station bigint := -1; begin
  update statements s set hash = ledger_statement_hash(ledger_statement_text(s), s.status, s.updated_at);
  update ledger_transfers t set hash = ledger_transfer_hash(t, coalesce((select array_agg(e order by e.no) from ledger_entries e where e.transfer_id = t.id), '{}'),
    coalesce((select array_agg(s order by s.id) from statements s where s.transfer_id = t.id), '{}'));
  for c in select * from ledger_chain order by station_id, seq loop
    if c.station_id <> station then station := c.station_id; before := ''; end if;
    before := ledger_chain_hash(before, c.station_id, c.seq, (select hash from ledger_transfers where id = c.transfer_id));
    update ledger_chain set hash = before where station_id = c.station_id and seq = c.seq;
  end loop;
end $$`);

/** The invariants that are broken after a forgery, without duplicates. */
const brokenBy = async (change: (work: Work) => Promise<unknown>): Promise<string[]> => {
  let broken: string[] = [];
  await owner
    .tx(scope, async (work) => {
      await sql`set local session_replication_role = replica`.execute(work.tx);
      await change(work);
      await rehash.execute(work.tx);
      const { rows } = await sql<{
        invariant: string;
        subject: string;
      }>`select distinct invariant, regexp_replace(subject, '[0-9]+', 'n', 'g') as subject
        from ledger_findings(true, null, 7) where invariant is not null
        order by 1, 2`.execute(work.tx);
      broken = rows.map(({ invariant, subject }) => `${invariant} ${subject}`);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return broken;
};

const cases: [string, string[], (work: Work) => Promise<unknown>][] = [
  ['recalculates all hashes and changes nothing else', [], async () => {}],
  [
    'makes money',
    ['I1 ledger', 'I1 transfer n'],
    (work) =>
      sql`update ledger_entries
    set amount = amount + 1 where account = 'carrier_payable'`.execute(work.tx),
  ],
  [
    'moves money from one transfer to another',
    ['I1 transfer n'],
    (work) =>
      sql`update ledger_entries e set amount = amount + case t.express_id
        when ${known.charged} then 1 else -1 end from ledger_transfers t
        where t.id = e.transfer_id and e.account = 'revenue' and t.kind = 'charge'
        and t.express_id in (${known.charged}, ${known.other})`.execute(work.tx),
  ],
  [
    'leaves a transfer one entry',
    ['I1 transfer n'],
    async (work) => {
      await sql`update ledger_entries set amount = 0
        where account in ('carrier_cost', 'carrier_payable')`.execute(work.tx);
      await sql`delete from ledger_entries where account = 'carrier_cost'`.execute(work.tx);
    },
  ],
  [
    'writes another amount on a line',
    ['I2 statement n', 'I2 transfer n'],
    (work) =>
      sql`update statements set amount = amount + 1
      where id = ${known.withdrawal}`.execute(work.tx),
  ],
  [
    'writes another amount on a line and in its entries',
    ['I2 statement n', 'I2 station n'],
    async (work) => {
      await sql`update statements set amount = amount + 1
        where id = ${known.withdrawal}`.execute(work.tx);
      await sql`update ledger_entries e set amount = e.amount + case account
        when 'cash' then -1 else 1 end from statements s where s.id = ${known.withdrawal}
        and e.transfer_id = s.transfer_id`.execute(work.tx);
    },
  ],
  [
    'writes another balance in an entry',
    ['I2 transfer n'],
    (work) =>
      sql`update ledger_entries e set balance = e.balance + 1 from statements s
        where s.id = ${known.withdrawal} and e.transfer_id = s.transfer_id
        and e.account = 'wallet'`.execute(work.tx),
  ],
  [
    'writes another sequence in an entry',
    ['I2 transfer n'],
    (work) =>
      sql`update ledger_entries e set seq = e.seq + 1 from statements s
        where s.id = ${known.withdrawal} and e.transfer_id = s.transfer_id
        and e.account = 'wallet'`.execute(work.tx),
  ],
  [
    'moves a line to another month',
    ['I2 transfer n'],
    (work) =>
      sql`update statements
    set period = '2026-01' where id = ${known.withdrawal}`.execute(work.tx),
  ],
  [
    'leaves a gap in a station’s lines',
    ['I2 statement n'],
    async (work) => {
      await sql`update statements set seq = seq + 1
        where id = ${known.withdrawal}`.execute(work.tx);
      await sql`update ledger_entries e set seq = e.seq + 1 from statements s
        where s.id = ${known.withdrawal} and e.transfer_id = s.transfer_id
        and e.account = 'wallet'`.execute(work.tx);
    },
  ],
  [
    'says a charge was reversed',
    ['I2 statement n'],
    (work) =>
      sql`update statements set status = 'reversed' where type = 'charge'
      and express_id = ${known.charged}`.execute(work.tx),
  ],
  [
    'says a reversed charge was not',
    ['I2 statement n'],
    (work) =>
      sql`update statements set status = 'posted' where type = 'charge'
      and express_id = ${known.reversed}`.execute(work.tx),
  ],
  [
    'dates a reversal back on the line',
    ['I2 statement n'],
    (work) =>
      sql`update statements set updated_at = posted_at - interval '1 day'
      where type = 'charge' and express_id = ${known.reversed}`.execute(work.tx),
  ],
  [
    'ends a hold without a movement',
    ['I3 hold n, attempt n', 'I3 station n'],
    (work) =>
      sql`update ledger_holds set status = 'released'
      where express_id = ${known.open}`.execute(work.tx),
  ],
  [
    'opens a hold again',
    ['I3 hold n, attempt n', 'I3 station n'],
    (work) =>
      sql`update ledger_holds set status = 'open'
      where express_id = ${known.released}`.execute(work.tx),
  ],
  [
    'holds less',
    ['I3 hold n, attempt n', 'I3 station n'],
    (work) =>
      sql`update ledger_holds set amount = amount - 1
      where express_id = ${known.open}`.execute(work.tx),
  ],
  [
    'lets a charge give back more than was held',
    ['I2 statement n', 'I2 transfer n', 'I3 hold n, attempt n'],
    (work) =>
      sql`update statements set freeze_amount = freeze_amount - 1 where type = 'charge'
      and express_id = ${known.charged}`.execute(work.tx),
  ],
  [
    'lets a release give back more than was held',
    ['I2 statement n', 'I2 transfer n', 'I3 hold n, attempt n'],
    (work) =>
      sql`update statements set freeze_amount = freeze_amount - 1 where type = 'release'
      and express_id = ${known.released}`.execute(work.tx),
  ],
  [
    'takes a hold away',
    ['I3 hold n, attempt n'],
    (work) =>
      sql`delete from ledger_holds
    where express_id = ${known.released}`.execute(work.tx),
  ],
  [
    'pretends a balance was checked',
    ['I4 statement n'],
    async (work) => {
      await sql`update statements set has_amount = 1
        where express_id = ${known.postPaid}`.execute(work.tx);
      await sql`update ledger_holds set has_amount = 1
        where express_id = ${known.postPaid}`.execute(work.tx);
    },
  ],
  [
    'had a larger reserve when a withdrawal was approved',
    ['I4 statement n'],
    (work) =>
      sql`update statements set fixed_freeze = fixed_freeze + 100000,
      available = available - 100000 where id = ${known.withdrawal}`.execute(work.tx),
  ],
  [
    'charges a parcel twice',
    ['I3 hold n, attempt n', 'I5 parcel n'],
    async (work) => {
      await sql`drop index ledger_transfers_first_charge`.execute(work.tx);
      await sql`update ledger_transfers set express_id = ${known.charged}
        where kind = 'charge' and express_id = ${known.other}`.execute(work.tx);
      await sql`update statements set express_id = ${known.charged}
        where type in ('charge', 'profit') and express_id = ${known.other}`.execute(work.tx);
    },
  ],
  [
    'takes the last transfer off a chain',
    ['I2 station n', 'I8 transfer n'],
    (work) =>
      sql`delete from ledger_chain c using statements s where s.id = ${known.withdrawal}
      and c.transfer_id = s.transfer_id`.execute(work.tx),
  ],
  [
    'takes an earlier transfer off a chain',
    ['I2 station n', 'I8 chain n link n', 'I8 transfer n'],
    (work) =>
      sql`delete from ledger_chain c using statements s where s.type = 'charge'
        and s.express_id = ${known.charged} and c.transfer_id = s.transfer_id
        and c.station_id = s.station_id`.execute(work.tx),
  ],
  [
    'puts a transfer on a chain it does not touch',
    ['I8 transfer n'],
    (work) =>
      sql`insert into ledger_chain select (select max(id) from stations), 100,
        min(transfer_id), '' from ledger_chain`
        .execute(work.tx)
        .then(() =>
          sql`update ledger_chain set seq = (select count(*) from ledger_chain o
            where o.station_id = ledger_chain.station_id) where seq = 100`.execute(work.tx),
        ),
  ],
];

it('the incremental ledger check finds an altered carrier cost that is not yet linked to a hash chain', async () => {
  let found: unknown[] = [];
  const { transfer_id } = await openMoney(app).tx((work) =>
    carrierCost(work, { amount_total: 700, ...meta() }),
  );
  await owner
    .tx(scope, async (work) => {
      await sql`set local session_replication_role = replica`.execute(work.tx);
      await sql`update ledger_entries set amount = amount + 1
        where transfer_id = ${transfer_id} and account = 'carrier_payable'`.execute(work.tx);
      found = (
        await sql`select invariant from ledger_findings(false, null, 7)
        where subject = ${`transfer ${transfer_id}`} order by 1`.execute(work.tx)
      ).rows;
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  expect(found).toEqual([{ invariant: 'I1' }, { invariant: 'I8' }]);
});

it('if a station’s held amount differs from the sum of its open holds, the ledger check reports both amounts', async () => {
  const details: string[] = [];
  await owner
    .tx(scope, async (work) => {
      await sql`set local session_replication_role = replica`.execute(work.tx);
      const bare = await addStation(app.db);
      await sql`update stations set "freeze" = 5 where id = ${bare}`.execute(work.tx);
      const { rows } = await sql<{
        detail: string;
      }>`select detail from ledger_findings(true, null, 7) where invariant = 'I3'
        and subject = ${`station ${bare}`}`.execute(work.tx);
      details.push(...rows.map(({ detail }) => detail));
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  expect(details).toEqual(['frozen 5, open holds 0']);
});

describe('forged ledgers', () => {
  it.each(cases)(
    'after a forger %s, the ledger check reports exactly %j',
    async (_, expected, change) => {
      expect(await brokenBy(change)).toEqual(expected);
    },
  );
});
