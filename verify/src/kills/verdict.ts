import { sql } from '@waystation/server/testing/product.ts';
import { carrierOrders, inconsistencies } from '@waystation/server/testing/consistency.ts';
import { rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Load, LoadParcel } from './load.ts';
import { plainPrice } from './plain-price.ts';

export interface Verdict {
  lost: string[];
  doubled: string[];
  /** The inconsistencies that testing/consistency.ts finds. */
  broken: string[];
}

interface Found {
  id: number;
  order_id: string;
  thr_order_id: string;
  state_code: number;
  charges: number;
  paid: number;
  held: number;
  cost: number;
  earned: Record<string, number>;
  repeated: number;
}

const parcelsOf = (system: TestSystem): Promise<Found[]> =>
  rowsOf(
    system,
    sql<Found>`select e.id, e.order_id, e.thr_order_id, e.state_code,
      (select count(*) from ledger_transfers t where t.express_id = e.id
        and t.kind = 'charge') as charges,
      (select coalesce(-sum(s.amount), 0) from statements s where s.express_id = e.id
        and s.station_id = e.station_id and s.type in ('charge', 'reweigh',
        'surcharge'))::bigint as paid,
      (select coalesce(sum(h.amount), 0) from ledger_holds h where h.express_id = e.id
        and h.status = 'open')::bigint as held,
      (select coalesce(sum(x.amount), 0) from ledger_entries x
        join ledger_transfers t on t.id = x.transfer_id where t.express_id = e.id
        and x.account = 'carrier_payable')::bigint as cost,
      (select coalesce(jsonb_object_agg(station_id, amount), '{}')
        from (select station_id, sum(amount) as amount from statements where express_id = e.id
        and type = 'profit' group by 1) p) as earned,
      (select count(*) from (select facts, lag(facts) over (order by no) as before
        from express_facts f where f.express_id = e.id and f.source = 'poll') f
        where facts = before) as repeated
    from expresses e order by e.id`,
  );

/**
 * Compares an amount with the correct amount. A smaller amount counts as lost, and a larger amount
 * counts as doubled.
 */
const compare = (verdict: Verdict, what: string, found: number, right: number): void => {
  if (found < right) verdict.lost.push(`${what} is ${found}, not ${right}`);
  if (found > right) verdict.doubled.push(`${what} is ${found}, not ${right}`);
};

/**
 * Compares the test's record of a parcel with the parcel's row and with the fee that the carrier
 * calculated.
 */
const judgeParcel = (
  system: TestSystem,
  verdict: Verdict,
  parcel: LoadParcel,
  { found, fee }: { found: Found; fee: number },
): void => {
  const what = (of: string): string =>
    `${of} of parcel ${parcel.id} (${found.order_id}, ${parcel.stage}, ${found.state_code})`;
  const { pays, earns } = plainPrice(
    parcel,
    parcel.scale ?? { weight: parcel.declared, volume: 0, surcharges: 0 },
  );
  const settled = parcel.stage === 'moving' || parcel.stage === 'delivered';
  compare(verdict, what('the number of charges'), found.charges, settled ? 1 : 0);
  compare(verdict, what('the price'), found.paid, settled ? pays : 0);
  compare(verdict, what('the hold'), found.held, parcel.stage === 'ordered' ? pays : 0);
  compare(verdict, what('the carrier’s fee'), found.cost, settled ? fee : 0);
  for (const key of ['south', 'nanshan', 'keji', 'tianhe'] as const)
    compare(
      verdict,
      what(`what ${key} earns`),
      found.earned[system.station(key).id] ?? 0,
      settled ? (earns.get(key) ?? 0) : 0,
    );
  if (found.repeated > 0) verdict.doubled.push(what('a fact'));
};

const judgeWallets = async (
  system: TestSystem,
  load: Load,
  verdict: Verdict,
  parcels: readonly Found[],
): Promise<void> => {
  const rows = await rowsOf(
    system,
    sql<{ id: number; money: number }>`select id, money
    from stations`,
  );
  const lines = await rowsOf(
    system,
    sql<{ id: number; station_id: number; amount: number }>`select id, station_id, amount
      from statements where type = 'top_up'`,
  );
  const keptLines = new Map(lines.map((line) => [line.id, line]));
  for (const [key, amounts] of load.topUps) {
    const { id } = system.station(key);
    for (const [line, amount] of amounts)
      if (keptLines.get(line)?.station_id !== id || keptLines.get(line)?.amount !== amount)
        verdict.lost.push(`the top-up ${line} of ${key}`);
    const owned = parcels.filter((found) =>
      load.parcels.some((parcel) => parcel.id === found.id && parcel.payer === key),
    );
    const earned = parcels.reduce((sum, found) => sum + (found.earned[id] ?? 0), 0);
    const right =
      [...amounts.values()].reduce((sum, amount) => sum + amount, 0) -
      owned.reduce((sum, { paid }) => sum + paid, 0) +
      earned;
    compare(verdict, `the money of ${key}`, rows.find((row) => row.id === id)!.money, right);
  }
  compare(
    verdict,
    'the number of top-ups',
    lines.length,
    [...load.topUps.values()].reduce((sum, amounts) => sum + amounts.size, 0),
  );
};

/**
 * Compares the product's data with an independent calculation. The calculation uses the carrier's
 * figures and the acknowledged writes. Returns all differences and every other inconsistency.
 */
export const judge = async (system: TestSystem, load: Load): Promise<Verdict> => {
  const verdict: Verdict = { lost: [], doubled: [], broken: [] };
  const found = await parcelsOf(system);
  const orders = (await Promise.all(load.carriers.map((carrier) => carrier.orders()))).flat();
  const fees = new Map(orders.map(({ order_id, fee_amount }) => [order_id, fee_amount ?? 0]));
  const byId = new Map(found.map((row) => [row.id, row]));
  for (const parcel of load.parcels) {
    const row = byId.get(parcel.id);
    if (!row || row.thr_order_id !== parcel.key) verdict.lost.push(`parcel ${parcel.id}`);
    else judgeParcel(system, verdict, parcel, { found: row, fee: fees.get(row.order_id) ?? 0 });
  }
  compare(verdict, 'the number of parcels', found.length, load.parcels.length);
  compare(
    verdict,
    'the number of the carrier’s orders',
    (await carrierOrders(system)).length,
    load.parcels.filter(({ waybill }) => waybill !== null).length,
  );
  await judgeWallets(system, load, verdict, found);
  verdict.broken.push(...(await inconsistencies(system)));
  return verdict;
};

export const isRight = ({ lost, doubled, broken }: Verdict): boolean =>
  lost.length + doubled.length + broken.length === 0;
