import { office } from '@waystation/contract/base/roles.ts';
import { offersOf } from '#domain/offers/offers.ts';
import { readActor } from '#platform/auth/actor-of-account.ts';
import { jsonText, oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure, fail, failFields } from '#platform/fail.ts';
import { lockPriceable, orderable, orderableMarks, stationOf } from './pricing.ts';
import { countChanged, moveMarks, within } from './marks.ts';
import { letPersonsGoFirst } from './pacing.ts';
import { markOf, unwarnedRepeats } from './repeats.ts';
import { choosePickups, requirePickups } from './pickups.ts';
import type { ChosenPickup } from './pickups.ts';
import { createRowHours } from './row-offer.ts';
import { orderAtSlots, reasonOf, refusalOf, refusedRow } from './row-orders.ts';
import type { Ordered, Waiting } from './row-orders.ts';
import { askQuestions, openQuestions } from './row-windows.ts';
import type { WindowAnswers } from './row-windows.ts';
import { queueRunning } from './queues.ts';
import { expectVersion, lockImport, openStatuses, takeImport, writeImport } from './store.ts';
import type { ImportContext, StoredImport } from './store.ts';

const scope = systemScope('ordering of an import');
/**
 * `slice`: the number of parcels that one transaction orders. `slicesAtOnce`: the number of
 * transactions of one job before other jobs get their turn.
 */
const slice = 50;
const slicesAtOnce = 10;

/** SQL: the mark of waiting rows after their import was cancelled. */
const markOfProblems = sql`case when fields is null then 'error' else ${markOf(sql`problems`)}
  end`;
const release = (work: Work, id: number): Promise<unknown> =>
  countChanged(
    work,
    id,
    sql`update import_rows set mark = ${markOfProblems}, version = version + 1
      where import_id = ${id} and mark = 'waiting' returning no, 'waiting' as was, mark`,
  );

export interface Confirmation {
  version: number;
  expected_amount: number;
  rows: 'all' | 'covered';
  /**
   * The chosen pickup windows. If the quote contains a pickup without a chosen window, the courier
   * comes as soon as possible.
   */
  pickups: readonly ChosenPickup[];
  by: number;
  at: Date;
}

/**
 * Queues the orders of all priced rows, or of the first rows that the balance covers. Fails if
 * their total price is not the amount that the caller saw.
 */
export const confirm = async (
  context: ImportContext,
  work: Work,
  id: number,
  { version, expected_amount, rows, pickups, by, at }: Confirmation,
): Promise<StoredImport> => {
  const found = await lockPriceable(work, id);
  expectVersion(found, version);
  const quote = found.quote ?? fail('import_unpriced');
  const [count, amount] =
    rows === 'all' ? [quote.rows, quote.post_amount] : [quote.covered_rows, quote.covered_amount];
  if (count === 0) fail('import_nothing_to_order');
  if (amount !== expected_amount)
    failFields({
      expected_amount: { code: 'price_changed', params: { expected_amount, post_amount: amount } },
    });
  requirePickups(context, quote, pickups, at);
  return work.asSystem('confirmation of an import', async (system) => {
    const { rows: last } = await sql<{
      no: number;
    }>`select no from import_rows where import_id = ${id} and ${orderable}
      order by no offset ${count - 1} limit 1`.execute(system.tx);
    const confirmed = await moveMarks(
      system,
      id,
      { from: orderableMarks, to: 'waiting' },
      sql`fields is not null
      and no <= ${last[0]?.no ?? 0}`,
    );
    // Adds up the prices of the waiting rows, because the price of an earlier confirmation covers
    // other rows.
    const { sum } = await oneRow(
      system,
      sql<{
        sum: number;
      }>`select coalesce(sum(p.post_amount), 0)::bigint as sum from import_rows w
        join import_prices p on p.import_id = w.import_id and p.no = w.no
        where w.import_id = ${id} and w.mark = 'waiting'`,
    );
    if (confirmed !== count || sum !== amount) fail('import_unpriced');
    const offers =
      pickups.length === 0
        ? []
        : await offersOf(system, await stationOf(system, found.station_id), at);
    await choosePickups(system, id, { quote, offers, chosen: pickups });
    await writeImport(system, id, {
      status: 'ordering',
      reason: null,
      confirmed_by: by,
      confirmed_at: at,
      finished_at: null,
    });
    await queueRunning(system, id);
    return found;
  });
};

const writeOrdered = async (work: Work, id: number, rows: readonly Ordered[]): Promise<void> => {
  const change = sql`update import_rows w set mark = x.mark, express_id = x.express_id,
    reason = x.reason, version = w.version + 1
    from jsonb_to_recordset(${jsonText(rows)}::jsonb) as x (no int, mark text,
      express_id bigint, reason jsonb)
    where w.import_id = ${id} and w.no = x.no and ${within(
      'w',
      rows.map(({ no }) => no),
    )} returning w.no, 'waiting' as was, w.mark`;
  await countChanged(work, id, change);
};

/**
 * Throws `import_account_stopped` unless the account that confirmed or resumed the import may
 * still order for its station.
 */
const requireAccount = async (
  work: Work,
  { confirmed_by, station_id, user_id }: StoredImport,
): Promise<void> => {
  const actor = confirmed_by === null ? null : await readActor(work, confirmed_by);
  if (actor === null) return fail('import_account_stopped');
  if (office.includes(actor.role)) return;
  const isOwn = actor.role !== 'user' || actor.account_id === user_id;
  if (!isOwn || !actor.stations.includes(station_id)) fail('import_account_stopped');
};

/**
 * Orders the next waiting rows of an import and changes their marks in the same transaction, so
 * that no crash can order a row twice. Returns the time until which the carrier has enough orders,
 * or null if no rows are left. If the carrier was not yet asked about a row's pickup window, orders
 * nothing and returns the questions to ask. Locks the import, so that a pause or another worker
 * waits until the transaction ends.
 */
const orderSlice = (
  context: ImportContext,
  id: number,
  answers: WindowAnswers,
): Promise<Date | ReturnType<typeof openQuestions> | null> =>
  context.db.tx(scope, async (work) => {
    const found = await takeImport(work, id, ['ordering']);
    if (!found) return null;
    const now = context.clock.now();
    const { rows } =
      await sql<Waiting>`select w.no, w.fields, coalesce(p.promise_id, '') as promise_id,
        p.post_amount, p.choice, p.pickup_from, p.pickup_until from import_rows w left
        join import_prices p on p.import_id = w.import_id and p.no = w.no
      where w.import_id = ${id} and w.mark = 'waiting' order by w.no
        limit ${slice}`.execute(work.tx);
    if (rows.length === 0) {
      await writeImport(work, id, { status: 'done', quote: null, finished_at: now });
      return null;
    }
    const station = await stationOf(work, found.station_id);
    if (station.status !== 1) fail('station_disabled');
    await requireAccount(work, found);
    const offers = await offersOf(work, station, now);
    const questions = openQuestions(answers, rows, offers);
    if (questions.length > 0) return questions;
    const nos = rows.map(({ no }) => no);
    const repeats = await unwarnedRepeats(
      work,
      { import_id: id, station_id: found.station_id, now },
      nos,
    );
    const hoursOf = await createRowHours(work, offers, { station, at: now })(
      rows.map(({ fields }) => fields),
    );
    const terms = { station, offers, answers };
    const refused = rows.flatMap((row) => {
      const reason = repeats.get(row.no) ?? refusalOf(row, terms, hoursOf);
      return reason === null ? [] : [refusedRow(row.no, reason)];
    });
    const refusedNos = new Set(refused.map(({ no }) => no));
    const placed = await orderAtSlots(
      context,
      work,
      rows.filter(({ no }) => !refusedNos.has(no)),
      { ...terms, user_id: found.user_id, now },
    );
    const ordered = [...refused, ...placed.ordered];
    await letPersonsGoFirst(
      work,
      ordered.flatMap(({ express_id }) => express_id ?? []),
    );
    // The account may have been disabled while these rows were ordered; then this check undoes
    // their orders.
    await requireAccount(work, found);
    await writeOrdered(work, id, ordered);
    await writeImport(work, id, {});
    return placed.until;
  });

/**
 * The number of milliseconds for which orders are planned ahead. It is small, so that a pause or a
 * cancel still stops most orders.
 */
const ahead = 2_000;

/**
 * Task: orders the confirmed rows of an import, slice by slice, at the pace of the calls to the
 * carrier.
 */
export const runImport = async (
  context: ImportContext,
  { import_id: id }: { import_id: number },
): Promise<void> => {
  const answers: WindowAnswers = new Map();
  try {
    for (let done = 0; done < slicesAtOnce; done++) {
      const until = await orderSlice(context, id, answers);
      if (until === null) return;
      if (Array.isArray(until)) {
        await askQuestions(context, answers, until);
        continue;
      }
      if (until.getTime() - context.clock.now().getTime() <= ahead) continue;
      return void (await context.db.tx(scope, (work) =>
        queueRunning(work, id, new Date(until.getTime() - ahead)),
      ));
    }
    await context.db.tx(scope, (work) => queueRunning(work, id));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await context.db.tx(scope, async (work) => {
      if (await takeImport(work, id, ['ordering']))
        await writeImport(work, id, { status: 'paused', reason: reasonOf(error) });
    });
  }
};

/** Pauses an import whose job was abandoned, so that a user can resume it. */
export const pauseImport = async (
  work: Work,
  { import_id: id }: { import_id: number },
): Promise<void> => {
  if (await takeImport(work, id, ['ordering']))
    await writeImport(work, id, { status: 'paused', reason: { code: 'import_interrupted' } });
};

export const pause = async (work: Work, id: number): Promise<void> => {
  await lockImport(work, id, ['ordering']);
  await writeImport(work, id, { status: 'paused', reason: null });
};

/** Resumes an import; from now on it orders with the rights of the user `by`. */
export const resume = async (work: Work, id: number, by: number): Promise<void> => {
  await lockImport(work, id, ['paused']);
  await writeImport(work, id, { status: 'ordering', reason: null, confirmed_by: by });
  await work.asSystem('job of an import', (system) => queueRunning(system, id));
};

/** Cancels an import; its parcels stay. Returns the import as it was before. */
export const cancel = async (work: Work, id: number, at: Date): Promise<StoredImport> => {
  const found = await lockImport(work, id, openStatuses);
  await work.asSystem('cancel of an import', async (system) => {
    await release(system, id);
    await writeImport(system, id, { status: 'cancelled', reason: null, finished_at: at });
  });
  return found;
};
