import type { Reason } from '@waystation/contract/envelope.ts';
import { office } from '@waystation/contract/roles.ts';
import { placeOrder } from '#domain/express/express.ts';
import type { ParcelFields } from '#domain/express/express-reads.ts';
import { offersOf } from '#domain/offers/offers.ts';
import type { Offer } from '#domain/offers/offers.ts';
import { readActor } from '#platform/auth/actor-of-account.ts';
import { asSystem, jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { Failure, fail, failFields } from '#platform/fail.ts';
import { lockPriceable, orderable, orderableMarks, stationOf } from './pricing.ts';
import { countChanged, moveMarks, within } from './marks.ts';
import { letPersonsGoFirst } from './pacing.ts';
import { markOf, unwarnedRepeats } from './repeats.ts';
import { reserveSlots } from './slots.ts';
import { queueRunning } from './queues.ts';
import { expectVersion, lockImport, openStatuses, takeImport, writeImport } from './store.ts';
import type { ImportContext, StoredImport } from './store.ts';

const scope = systemScope('ordering of an import');
/** Parcels that one transaction orders, and transactions of one job: then others get their turn. */
const slice = 50;
const slicesAtOnce = 10;

/** Refusals of the station, not of a row: the import is paused with the reason. */
const ofStation: readonly string[] = ['station_blocked', 'ledger_stopped', 'station_disabled'];

/** Rows that an import no longer orders are again what they were. */
const markOfProblems = sql`case when fields is null then 'error' else ${markOf(sql`problems`)} end`;
const release = (tx: Tx, id: number): Promise<unknown> =>
  countChanged(
    tx,
    id,
    sql`update import_rows set mark = ${markOfProblems}, version = version + 1 where import_id = ${id} and mark = 'waiting' returning no, 'waiting' as was, mark`,
  );

export interface Confirmation {
  version: number;
  expected_amount: number;
  rows: 'all' | 'covered';
  by: number;
  at: Date;
}

/** Queues the orders of all priced rows, or of the first ones that the balance covers, at the amount that the caller saw. */
export const confirm = async (tx: Tx, caller: Scope, id: number, { version, expected_amount, rows, by, at }: Confirmation): Promise<StoredImport> => {
  const found = await lockPriceable(tx, caller, id);
  expectVersion(found, version);
  const quote = found.quote ?? fail('import_unpriced');
  const [count, amount] = rows === 'all' ? [quote.rows, quote.post_amount] : [quote.covered_rows, quote.covered_amount];
  if (count === 0) fail('import_nothing_to_order');
  if (amount !== expected_amount) failFields({ expected_amount: { code: 'price_changed', params: { expected_amount, post_amount: amount } } });
  return asSystem(tx, caller, async () => {
    const { rows: last } = await sql<{
      no: number;
    }>`select no from import_rows where import_id = ${id} and ${orderable} order by no offset ${count - 1} limit 1`.execute(tx);
    const confirmed = await moveMarks(tx, id, orderableMarks, 'waiting', sql`fields is not null and no <= ${last[0]?.no ?? 0}`);
    // A price of rows that were confirmed before is not the price of the others.
    const { sum } = await oneRow(
      tx,
      sql<{
        sum: number;
      }>`select coalesce(sum(p.post_amount), 0)::bigint as sum from import_rows w join import_prices p on p.import_id = w.import_id and p.no = w.no
        where w.import_id = ${id} and w.mark = 'waiting'`,
    );
    if (confirmed !== count || sum !== amount) fail('import_unpriced');
    await writeImport(tx, id, {
      status: 'ordering',
      reason: null,
      confirmed_by: by,
      confirmed_at: at,
      finished_at: null,
    });
    await queueRunning(tx, id);
    return found;
  });
};

type Waiting = RowOf<'import_prices', 'no' | 'promise_id'> & { post_amount: number | null; fields: ParcelFields };

/** The reason of a refusal, by its field where it has one. */
const reasonOf = ({ code, params, details }: Failure): Reason => Object.values(details.fields ?? {})[0] ?? { code, params };

interface Ordered {
  no: number;
  mark: 'ordered' | 'refused';
  express_id: number | null;
  reason: Reason | null;
}

/** Orders one row at the price that was confirmed. A refusal comes before anything is written. */
const orderRow = async (
  context: ImportContext,
  tx: Tx,
  found: StoredImport,
  row: Waiting,
  terms: Pick<Parameters<typeof placeOrder>[3], 'station' | 'offers' | 'send_at'>,
): Promise<Ordered> => {
  try {
    const fields = { ...row.fields, promise_id: row.promise_id };
    const express = await placeOrder(context, tx, scope, { ...terms, user_id: found.user_id, fields, expected_amount: row.post_amount ?? undefined });
    return { no: row.no, mark: 'ordered', express_id: express.id, reason: null };
  } catch (error) {
    if (!(error instanceof Failure) || ofStation.includes(error.code)) throw error;
    return { no: row.no, mark: 'refused', express_id: null, reason: reasonOf(error) };
  }
};

const writeOrdered = async (tx: Tx, id: number, rows: readonly Ordered[]): Promise<void> => {
  const change = sql`update import_rows w set mark = x.mark, express_id = x.express_id, reason = x.reason, version = w.version + 1
    from jsonb_to_recordset(${jsonText(rows)}::jsonb) as x (no int, mark text, express_id bigint, reason jsonb)
    where w.import_id = ${id} and w.no = x.no and ${within(
      'w',
      rows.map(({ no }) => no),
    )} returning w.no, 'waiting' as was, w.mark`;
  await countChanged(tx, id, change);
};

/** When each row's order is sent, by its carrier account, and the last of these moments. */
const sendTimes = async (tx: Tx, rows: readonly Waiting[], offers: readonly Offer[], now: Date): Promise<(Date | undefined)[]> => {
  const merchants = rows.map(({ promise_id }) => offers.find((offer) => offer.promise_id === promise_id)?.merchant?.id);
  const times = new Map<number, Date[]>();
  for (const id of [...new Set(merchants)].filter((merchant) => merchant !== undefined).toSorted((a, b) => a - b))
    times.set(id, await reserveSlots(tx, id, merchants.filter((merchant) => merchant === id).length, now));
  return merchants.map((id) => (id === undefined ? undefined : times.get(id)?.shift()));
};

/** Throws `import_account_stopped` unless the account that confirmed or resumed the import may still order for its station. */
const requireAccount = async (tx: Tx, { confirmed_by, station_id, user_id }: StoredImport): Promise<void> => {
  const actor = confirmed_by === null ? null : await readActor(tx, confirmed_by);
  if (actor === null) return fail('import_account_stopped');
  if (office.includes(actor.role)) return;
  const isOwn = actor.role !== 'user' || actor.account_id === user_id;
  if (!isOwn || !actor.stations.includes(station_id)) fail('import_account_stopped');
};

/**
 * Orders the next rows in one transaction with their marks, so that a row has a parcel or waits, whatever ends the process. Returns until when the carrier has
 * enough to do; null: there are no more rows. The import's row is locked: a pause or another worker waits for the slice, and a slice for them.
 */
const orderSlice = (context: ImportContext, id: number): Promise<Date | null> =>
  context.db.tx(scope, async (tx) => {
    const found = await takeImport(tx, id, ['ordering']);
    if (!found) return null;
    const now = context.clock.now();
    const { rows } =
      await sql<Waiting>`select w.no, w.fields, coalesce(p.promise_id, '') as promise_id, p.post_amount from import_rows w left join import_prices p on p.import_id = w.import_id and p.no = w.no
      where w.import_id = ${id} and w.mark = 'waiting' order by w.no limit ${slice}`.execute(tx);
    if (rows.length === 0) {
      await writeImport(tx, id, { status: 'done', quote: null, finished_at: now });
      return null;
    }
    const station = await stationOf(tx, found.station_id);
    if (station.status !== 1) fail('station_disabled');
    await requireAccount(tx, found);
    const offers = await offersOf(tx, station, now);
    const times = await sendTimes(tx, rows, offers, now);
    const nos = rows.map(({ no }) => no);
    const repeats = await unwarnedRepeats(tx, { import_id: id, station_id: found.station_id, now }, nos);
    const ordered: Ordered[] = [];
    for (const [at, row] of rows.entries()) {
      const reason = repeats.get(row.no);
      if (reason !== undefined) {
        ordered.push({ no: row.no, mark: 'refused', express_id: null, reason });
        continue;
      }
      const send_at = times[at];
      ordered.push(await orderRow(context, tx, found, row, { station, offers, ...(send_at && { send_at }) }));
    }
    await letPersonsGoFirst(
      tx,
      ordered.flatMap(({ express_id }) => express_id ?? []),
    );
    // Again, because the account may have been disabled while these rows were ordered: then none of them is.
    await requireAccount(tx, found);
    await writeOrdered(tx, id, ordered);
    await writeImport(tx, id, {});
    return new Date(Math.max(now.getTime(), ...times.map((time) => time?.getTime() ?? 0)));
  });

/** Milliseconds of orders that the carrier may have ahead: few, so that a pause or a cancel holds back the rest. */
const ahead = 2_000;

/** Task: orders the confirmed rows of an import, slice by slice, no faster than the carrier is sent them. */
export const runImport = async (context: ImportContext, { import_id: id }: { import_id: number }): Promise<void> => {
  try {
    for (let done = 0; done < slicesAtOnce; done++) {
      const until = await orderSlice(context, id);
      if (until === null) return;
      if (until.getTime() - context.clock.now().getTime() <= ahead) continue;
      return void (await context.db.tx(scope, (tx) => queueRunning(tx, id, new Date(until.getTime() - ahead))));
    }
    await context.db.tx(scope, (tx) => queueRunning(tx, id));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await context.db.tx(scope, async (tx) => {
      if (await takeImport(tx, id, ['ordering'])) await writeImport(tx, id, { status: 'paused', reason: reasonOf(error) });
    });
  }
};

/** Pauses an import whose job was given up, so that a person can go on with it. */
export const pauseImport = async (tx: Tx, { import_id: id }: { import_id: number }): Promise<void> => {
  if (await takeImport(tx, id, ['ordering'])) await writeImport(tx, id, { status: 'paused', reason: { code: 'import_interrupted' } });
};

export const pause = async (tx: Tx, caller: Scope, id: number): Promise<void> => {
  await lockImport(tx, caller, id, ['ordering']);
  await writeImport(tx, id, { status: 'paused', reason: null });
};

/** Goes on in the name of `by`, whose rights count from now on. */
export const resume = async (tx: Tx, caller: Scope, id: number, by: number): Promise<void> => {
  await lockImport(tx, caller, id, ['paused']);
  await writeImport(tx, id, { status: 'ordering', reason: null, confirmed_by: by });
  await asSystem(tx, caller, () => queueRunning(tx, id));
};

/** Ends an import; its parcels stay. Returns it as it was. */
export const cancel = async (tx: Tx, caller: Scope, id: number, at: Date): Promise<StoredImport> => {
  const found = await lockImport(tx, caller, id, openStatuses);
  await asSystem(tx, caller, async () => {
    await release(tx, id);
    await writeImport(tx, id, { status: 'cancelled', reason: null, finished_at: at });
  });
  return found;
};
