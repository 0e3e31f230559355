import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/db/db.ts';
import type { Db, Tx } from '#platform/db/db.ts';
import { holdOf, next, openMoney, openOwner, meta, scope } from '#testing/money.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { approve, carrierCost, carrierFee, hold, releaseHold, requestWithdrawal, reverse } from './ledger.ts';

let app: TestApp;
let owner: Db;
const undone = new Error('undone');

/** Rows the forgeries are about. */
const known = { station: 0, charged: 0, other: 0, open: 0, released: 0, postPaid: 0, withdrawal: 0, reversed: 0 };

beforeAll(async () => {
  app = await createTestApp();
  owner = openOwner(app);
  const { tx, fill, charged } = openMoney(app);
  ({ station: known.station, express_id: known.charged } = await charged());
  ({ express_id: known.other } = await charged());
  ({ express_id: known.reversed } = await charged());
  await tx((t) => reverse(t, { express_id: known.reversed, reason: '', ...meta() }));
  await tx((t) => carrierFee(t, { express_id: known.charged, station_id: known.station, amount_total: 1500, ...meta() }));
  known.open = next();
  known.released = next();
  known.postPaid = next();
  const trusted = await addStation(app.db, { has_amount: 0 });
  await tx(async (t) => {
    await hold(t, holdOf(known.station, known.open));
    await hold(t, holdOf(known.station, known.released));
    await releaseHold(t, { express_id: known.released, attempt: 1, ...meta() });
    await hold(t, holdOf(trusted, known.postPaid));
  });
  await fill(trusted, 50);
  const requested = await tx((t) => requestWithdrawal(t, { station_id: known.station, amount: 300, description: '', ...meta(1) }));
  known.withdrawal = requested.ok ? requested.statement_id! : 0;
  await tx((t) => approve(t, { statement_id: known.withdrawal, ...meta(2) }));
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

/** The invariants that break after a forgery, each once. */
const brokenBy = async (change: (tx: Tx) => Promise<unknown>): Promise<string[]> => {
  let broken: string[] = [];
  await owner
    .tx(scope, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await change(tx);
      await rehash.execute(tx);
      const { rows } = await sql<{
        invariant: string;
        subject: string;
      }>`select distinct invariant, regexp_replace(subject, '[0-9]+', 'n', 'g') as subject from ledger_findings(true, null, 7) where invariant is not null order by 1, 2`.execute(
        tx,
      );
      broken = rows.map(({ invariant, subject }) => `${invariant} ${subject}`);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return broken;
};

const cases: [string, string[], (tx: Tx) => Promise<unknown>][] = [
  ['recalculates all hashes and changes nothing else', [], async () => {}],
  ['makes money', ['I1 ledger', 'I1 transfer n'], (tx) => sql`update ledger_entries set amount = amount + 1 where account = 'carrier_payable'`.execute(tx)],
  [
    'moves money from one transfer to another',
    ['I1 transfer n'],
    (tx) =>
      sql`update ledger_entries e set amount = amount + case t.express_id when ${known.charged} then 1 else -1 end from ledger_transfers t where t.id = e.transfer_id and e.account = 'revenue' and t.kind = 'charge' and t.express_id in (${known.charged}, ${known.other})`.execute(
        tx,
      ),
  ],
  [
    'leaves a transfer one entry',
    ['I1 transfer n'],
    async (tx) => {
      await sql`update ledger_entries set amount = 0 where account in ('carrier_cost', 'carrier_payable')`.execute(tx);
      await sql`delete from ledger_entries where account = 'carrier_cost'`.execute(tx);
    },
  ],
  [
    'writes another amount on a line',
    ['I2 statement n', 'I2 transfer n'],
    (tx) => sql`update statements set amount = amount + 1 where id = ${known.withdrawal}`.execute(tx),
  ],
  [
    'writes another amount on a line and in its entries',
    ['I2 statement n', 'I2 station n'],
    async (tx) => {
      await sql`update statements set amount = amount + 1 where id = ${known.withdrawal}`.execute(tx);
      await sql`update ledger_entries e set amount = e.amount + case account when 'cash' then -1 else 1 end from statements s where s.id = ${known.withdrawal} and e.transfer_id = s.transfer_id`.execute(
        tx,
      );
    },
  ],
  [
    'writes another balance in an entry',
    ['I2 transfer n'],
    (tx) =>
      sql`update ledger_entries e set balance = e.balance + 1 from statements s where s.id = ${known.withdrawal} and e.transfer_id = s.transfer_id and e.account = 'wallet'`.execute(
        tx,
      ),
  ],
  [
    'writes another sequence in an entry',
    ['I2 transfer n'],
    (tx) =>
      sql`update ledger_entries e set seq = e.seq + 1 from statements s where s.id = ${known.withdrawal} and e.transfer_id = s.transfer_id and e.account = 'wallet'`.execute(
        tx,
      ),
  ],
  ['moves a line to another month', ['I2 transfer n'], (tx) => sql`update statements set period = '2026-01' where id = ${known.withdrawal}`.execute(tx)],
  [
    'leaves a gap in a station’s lines',
    ['I2 statement n'],
    async (tx) => {
      await sql`update statements set seq = seq + 1 where id = ${known.withdrawal}`.execute(tx);
      await sql`update ledger_entries e set seq = e.seq + 1 from statements s where s.id = ${known.withdrawal} and e.transfer_id = s.transfer_id and e.account = 'wallet'`.execute(
        tx,
      );
    },
  ],
  [
    'says a charge was reversed',
    ['I2 statement n'],
    (tx) => sql`update statements set status = 'reversed' where type = 'charge' and express_id = ${known.charged}`.execute(tx),
  ],
  [
    'says a reversed charge was not',
    ['I2 statement n'],
    (tx) => sql`update statements set status = 'posted' where type = 'charge' and express_id = ${known.reversed}`.execute(tx),
  ],
  [
    'dates a reversal back on the line',
    ['I2 statement n'],
    (tx) => sql`update statements set updated_at = posted_at - interval '1 day' where type = 'charge' and express_id = ${known.reversed}`.execute(tx),
  ],
  [
    'ends a hold without a movement',
    ['I3 hold n, attempt n', 'I3 station n'],
    (tx) => sql`update ledger_holds set status = 'released' where express_id = ${known.open}`.execute(tx),
  ],
  [
    'opens a hold again',
    ['I3 hold n, attempt n', 'I3 station n'],
    (tx) => sql`update ledger_holds set status = 'open' where express_id = ${known.released}`.execute(tx),
  ],
  [
    'holds less',
    ['I3 hold n, attempt n', 'I3 station n'],
    (tx) => sql`update ledger_holds set amount = amount - 1 where express_id = ${known.open}`.execute(tx),
  ],
  [
    'lets a charge give back more than was held',
    ['I2 statement n', 'I2 transfer n', 'I3 hold n, attempt n'],
    (tx) => sql`update statements set freeze_amount = freeze_amount - 1 where type = 'charge' and express_id = ${known.charged}`.execute(tx),
  ],
  [
    'lets a release give back more than was held',
    ['I2 statement n', 'I2 transfer n', 'I3 hold n, attempt n'],
    (tx) => sql`update statements set freeze_amount = freeze_amount - 1 where type = 'release' and express_id = ${known.released}`.execute(tx),
  ],
  ['takes a hold away', ['I3 hold n, attempt n'], (tx) => sql`delete from ledger_holds where express_id = ${known.released}`.execute(tx)],
  [
    'pretends a balance was checked',
    ['I4 statement n'],
    async (tx) => {
      await sql`update statements set has_amount = 1 where express_id = ${known.postPaid}`.execute(tx);
      await sql`update ledger_holds set has_amount = 1 where express_id = ${known.postPaid}`.execute(tx);
    },
  ],
  [
    'had a larger reserve when a withdrawal was approved',
    ['I4 statement n'],
    (tx) => sql`update statements set fixed_freeze = fixed_freeze + 100000, available = available - 100000 where id = ${known.withdrawal}`.execute(tx),
  ],
  [
    'charges a parcel twice',
    ['I3 hold n, attempt n', 'I5 parcel n'],
    async (tx) => {
      await sql`drop index ledger_transfers_first_charge`.execute(tx);
      await sql`update ledger_transfers set express_id = ${known.charged} where kind = 'charge' and express_id = ${known.other}`.execute(tx);
      await sql`update statements set express_id = ${known.charged} where type in ('charge', 'profit') and express_id = ${known.other}`.execute(tx);
    },
  ],
  [
    'takes the last transfer off a chain',
    ['I2 station n', 'I8 transfer n'],
    (tx) => sql`delete from ledger_chain c using statements s where s.id = ${known.withdrawal} and c.transfer_id = s.transfer_id`.execute(tx),
  ],
  [
    'takes an earlier transfer off a chain',
    ['I2 station n', 'I8 chain n link n', 'I8 transfer n'],
    (tx) =>
      sql`delete from ledger_chain c using statements s where s.type = 'charge' and s.express_id = ${known.charged} and c.transfer_id = s.transfer_id and c.station_id = s.station_id`.execute(
        tx,
      ),
  ],
  [
    'puts a transfer on a chain it does not touch',
    ['I8 transfer n'],
    (tx) =>
      sql`insert into ledger_chain select (select max(id) from stations), 100, min(transfer_id), '' from ledger_chain`
        .execute(tx)
        .then(() =>
          sql`update ledger_chain set seq = (select count(*) from ledger_chain o where o.station_id = ledger_chain.station_id) where seq = 100`.execute(tx),
        ),
  ],
];

it('the proof of what is new looks at a cost of no station that is on no chain yet', async () => {
  let found: unknown[] = [];
  const { transfer_id } = await openMoney(app).tx((t) => carrierCost(t, { amount_total: 700, ...meta() }));
  await owner
    .tx(scope, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql`update ledger_entries set amount = amount + 1 where transfer_id = ${transfer_id} and account = 'carrier_payable'`.execute(tx);
      found = (await sql`select invariant from ledger_findings(false, null, 7) where subject = ${`transfer ${transfer_id}`} order by 1`.execute(tx)).rows;
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  expect(found).toEqual([{ invariant: 'I1' }, { invariant: 'I8' }]);
});

it('a frozen amount without a hold is reported with both figures', async () => {
  const details: string[] = [];
  await owner
    .tx(scope, async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      const bare = await addStation(app.db);
      await sql`update stations set "freeze" = 5 where id = ${bare}`.execute(tx);
      const { rows } = await sql<{
        detail: string;
      }>`select detail from ledger_findings(true, null, 7) where invariant = 'I3' and subject = ${`station ${bare}`}`.execute(tx);
      details.push(...rows.map(({ detail }) => detail));
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  expect(details).toEqual(['frozen 5, open holds 0']);
});

describe('a forger who', () => {
  it.each(cases)('%s breaks %j', async (_, expected, change) => {
    expect(await brokenBy(change)).toEqual(expected);
  });
});
