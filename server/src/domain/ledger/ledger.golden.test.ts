import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { billBuckets } from '@waystation/contract/money/reconciliation.ts';
import { sql } from '#platform/db/db.ts';
import { Failure } from '#platform/fail.ts';
import { systemScope } from '#platform/db/scope.ts';
import { joinedTables } from '#testing/markdown-tables.ts';
import type { Row } from '#testing/markdown-tables.ts';
import { addStation } from '#testing/stations.ts';
import { createTestApp } from '#testing/test-app.ts';
import type { TestApp } from '#testing/test-app.ts';
import { post, prove } from './ledger.ts';
import type { LedgerPrice, Movement, Outcome, Share } from './ledger.ts';

const page = joinedTables(
  readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'ledger.md'), 'utf8'),
  readFileSync(join(import.meta.dirname, 'golden-cases.md'), 'utf8'),
);
const read = new Set<string>();
const rowsOf = (name: string): Row[] => {
  read.add(name);
  return page.get(name)!;
};
const whole = (cell: string): number => Number(cell.replace('−', '-'));

const prices = new Map(
  rowsOf('prices').map((row): [number, LedgerPrice] => [
    whole(row['`post_amount`']!),
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name.replaceAll('`', ''), whole(cell!)]),
    ) as unknown as LedgerPrice,
  ]),
);
const priceFor = (amount: number): LedgerPrice => {
  const price = prices.get(amount);
  if (!price) throw new Error(`docs/ledger.md has no price of ${amount}`);
  return price;
};

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const scope = systemScope('golden');
let parcels = 0;
let causes = 0;

/** The data of one row: a station below a parent, and one parcel. */
interface World {
  station: number;
  parent: number;
  parcel: number;
  request: number | null;
  topUp: number | null;
  charged: { price: LedgerPrice; shares: Share[] };
}

const newWorld = async (): Promise<World> => {
  const parent = await addStation(app.db);
  return {
    station: await addStation(app.db, { parent_id: parent }),
    parent,
    parcel: ++parcels,
    request: null,
    topUp: null,
    charged: { price: priceFor(0), shares: [] },
  };
};

const movementOf = (world: World, step: string): Movement | null => {
  const [, word, first, share, most] =
    /^([a-z-]+(?: carrier)?)(?: ([−\d]+))?(?: share (\d+))?(?: of (\d+))?$/.exec(step) ?? [];
  const amount = first === undefined ? 0 : whole(first);
  const shares: Share[] =
    share === undefined ? [] : [{ station_id: world.parent, amount: whole(share) }];
  const meta = {
    cause: `${step} ${++causes}`,
    at: new Date('2026-03-02T10:00:00+08:00'),
    by: word === 'withdraw' || word === 'request' ? 1 : 2,
  };
  const parcel = { express_id: world.parcel, attempt: 1 };
  const station = { station_id: world.station, amount, description: '' };
  switch (word) {
    case 'top-up':
      return { movement: 'top_up', ...station, ...meta };
    case 'hold':
      return {
        movement: 'hold',
        ...parcel,
        station_id: world.station,
        delivery_id: null,
        order_id: 'WS1',
        price: priceFor(amount),
        ...meta,
      };
    case 'change':
      return { movement: 'change_hold', ...parcel, price: priceFor(amount), ...meta };
    case 'release':
      return { movement: 'release', ...parcel, ...meta };
    case 'charge':
      return {
        movement: 'charge',
        ...parcel,
        delivery_id: 'JD1',
        price: priceFor(amount),
        shares,
        ...meta,
      };
    case 'reweigh':
    case 'surcharge':
      return {
        movement: 'difference',
        type: word,
        express_id: world.parcel,
        price_before: world.charged.price,
        shares_before: world.charged.shares,
        price_after: priceFor(amount),
        shares_after: shares,
        ...meta,
      };
    case 'withdraw':
      return { movement: 'request', type: 'withdrawal', ...station, ...meta };
    case 'request':
      return { movement: 'request', type: 'adjustment', ...station, ...meta };
    case 'approve':
      return { movement: 'approve', statement_id: world.request!, ...meta };
    case 'decline':
      return { movement: 'decline', statement_id: world.request!, reason: 'no', ...meta };
    case 'adjust':
      return { movement: 'adjustment', ...station, ...meta };
    case 'payout':
      return {
        movement: 'payout',
        express_id: world.parcel,
        amount,
        limit_amount: most === undefined ? 10_000_000_000 : whole(most),
        description: '',
        ...meta,
      };
    case 'take-back':
    case 'take-back-part':
      return {
        part: word === 'take-back-part' ? 1 : 0,
        movement: 'reversal',
        station_id: world.station,
        statement_id: world.topUp!,
        reason: 'wrong station',
        ...meta,
      };
    case 'refund':
      return { movement: 'refund', express_id: world.parcel, amount, description: '', ...meta };
    case 'reverse':
      return { movement: 'reversal', express_id: world.parcel, reason: '', ...meta };
    case 'fee':
      return {
        movement: 'carrier_fee',
        express_id: world.parcel,
        station_id: world.station,
        amount_total: amount,
        ...meta,
      };
    case 'cost':
      return { movement: 'carrier_fee', amount_total: amount, ...meta };
    case 'pay carrier':
      return { movement: 'carrier_paid', amount, ...meta };
    default:
      throw new Error(`docs/ledger.md says "${step}", which is no step`);
  }
};

const take = async (world: World, step: string): Promise<Outcome | null> => {
  const terms = /^(reserve (\d+)|post-paid)$/.exec(step);
  if (terms) {
    await app.db.tx(scope, (work) =>
      sql`update stations set fixed_freeze = coalesce(${terms[2] ?? null}, fixed_freeze),
        has_amount = ${terms[2] ? 1 : 0} where id = ${world.station}`.execute(work.tx),
    );
    return null;
  }
  const movement = movementOf(world, step)!;
  const [outcome] = await app.db.tx(scope, (work) => post(work, [movement]));
  if (movement.movement === 'request' && outcome!.ok) world.request = outcome!.statement_id;
  if (movement.movement === 'top_up' && outcome!.ok) world.topUp = outcome!.statement_id;
  if (movement.movement === 'charge')
    world.charged = { price: movement.price, shares: [...movement.shares] };
  if (movement.movement === 'difference')
    world.charged = { price: movement.price_after, shares: [...movement.shares_after] };
  return outcome!;
};

const start = async (before: string | null): Promise<World> => {
  const world = await newWorld();
  for (const step of before?.split(', ') ?? []) {
    const outcome = await take(world, step);
    if (outcome && !outcome.ok) throw new Error(`${step} is refused on the way`);
  }
  return world;
};

const answerWords = (outcome: Outcome): string =>
  !outcome.ok
    ? `lacks ${outcome.missing_amount}`
    : outcome.transfer_id === null
      ? 'no-op'
      : 'posted';

const tried = async (
  world: World,
  step: string,
): Promise<{ words: string; transfer_id: number | null }> => {
  try {
    const outcome = (await take(world, step))!;
    return { words: answerWords(outcome), transfer_id: outcome.ok ? outcome.transfer_id : null };
  } catch (error) {
    if (error instanceof Failure) return { words: error.code, transfer_id: null };
    throw error;
  }
};

const signed = (amount: number): string =>
  amount === 0 ? '0' : amount > 0 ? `+${amount}` : `−${-amount}`;

const entriesOf = async (world: World, transfer_id: number | null): Promise<string[]> => {
  const { rows } = await app.db.tx(scope, (work) =>
    sql<{
      account: string;
      station_id: number | null;
      amount: number;
    }>`select account, station_id, amount from ledger_entries
      where transfer_id = ${transfer_id} order by no`.execute(work.tx),
  );
  return rows.map(
    ({ account, station_id, amount }) =>
      `${station_id === world.parent ? 'parent ' : ''}${account} ${signed(amount)}`,
  );
};

const shown = async (world: World): Promise<Record<string, number>> => {
  const { rows } = await app.db.tx(scope, (work) =>
    sql<Record<string, number>>`select money, "freeze", available from stations
      where id = ${world.station}`.execute(work.tx),
  );
  return rows[0]!;
};

describe('the documented ledger movements', () => {
  it.each(
    rowsOf('movements').map((row) => [`${row['Before'] ?? 'nothing'} → ${row['Movement']}`, row]),
  )('the ledger posts the entries and balances of its documentation: %s', async (_, row) => {
    const world = await start(row['Before']!);
    const { words, transfer_id } = await tried(world, row['Movement']!);
    expect(words).toBe(row['Answer']);
    expect((await entriesOf(world, transfer_id)).toSorted()).toEqual(
      (row['Entries']?.split(', ') ?? []).toSorted(),
    );
    expect(await shown(world)).toEqual({
      money: whole(row['Money']!),
      freeze: whole(row['Frozen']!),
      available: whole(row['Available']!),
    });
  });
});

const columns = [
  'amount',
  'freeze_amount',
  'pre_amount',
  'discount',
  'discount_amount',
  'guarantee_amount',
  'post_amount',
  'profit',
  'balance',
  'available',
];

describe('the documented transactions', () => {
  it.each(
    rowsOf('statements').map((row) => [
      `${row['Before'] ?? 'nothing'} → ${row['Movement']}: ${row['Owner']}`,
      row,
    ]),
  )('the ledger writes the transactions of its documentation: %s', async (_, row) => {
    const world = await start(row['Before']!);
    const { transfer_id } = await tried(world, row['Movement']!);
    const owner = row['Owner'] === 'parent' ? world.parent : world.station;
    const { rows } = await app.db.tx(scope, (work) =>
      sql<Record<string, unknown>>`select * from statements where transfer_id = ${transfer_id}
        and station_id = ${owner}`.execute(work.tx),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]!['type']).toBe(row['Type']);
    expect(Object.fromEntries(columns.map((name) => [name, rows[0]![name]]))).toEqual(
      Object.fromEntries(
        columns.map((name) => [
          name,
          row[`\`${name}\``] === null ? null : whole(row[`\`${name}\``]!),
        ]),
      ),
    );
  });
});

describe('the ledger’s documentation page', () => {
  it('the ledger is valid after all examples of its documentation were posted, and the documentation lists the invariants I1 to I13', async () => {
    expect(rowsOf('invariants').map((row) => row['Invariant'])).toEqual([
      'I1',
      'I2',
      'I3',
      'I4',
      'I5',
      'I8',
      'I9',
      'I10',
      'I11',
      'I12',
      'I13',
    ]);
    expect(await prove(app, { full: true, at: app.clock.now() })).toMatchObject({
      ok: true,
      breaks: [],
    });
  });

  it('the ledger’s documentation describes every result that comparing a line of a carrier bill can have', () => {
    expect(
      rowsOf('buckets')
        .map((row) => row['bucket']!.replaceAll('`', ''))
        .toSorted(),
    ).toEqual(Object.keys(billBuckets).toSorted());
  });

  it('every table of the ledger’s documentation is read by a test', () => {
    expect([...page.keys()].toSorted()).toEqual([...read].toSorted());
  });
});
