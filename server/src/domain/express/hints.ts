import { raiseAlert } from '#domain/alerts/alerts.ts';
import type { CarrierMessage } from '#domain/carriers/carriers.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { readSetting } from '#platform/settings.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { announce } from './moves.ts';
import { queueTrace } from './queues.ts';
import { lockExpress, updateExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import type { Effect } from './state.ts';

/** Seconds between trace calls that confirm nothing; the last value repeats. */
const waits = [0, 60, 300, 900, 1_800, 3_600];
/** Hours after which an unconfirmed push raises an alert. */
const alertAfterHours = 24;
const minute = 60_000;

const pickups: ReadonlySet<Effect> = new Set([
  'picked_up',
  'in_transit',
  'delivering',
  'undelivered',
]);
const decisive: ReadonlySet<Effect> = new Set([
  'signed',
  'stopped',
  'rejected',
  'returning',
  'cancelled',
]);

/**
 * The effect of a push that a trace must confirm first; null if the push may change the parcel
 * immediately.
 */
const impliedBy = ({ effect }: CarrierMessage, express: ExpressRow): Effect | null => {
  if (decisive.has(effect)) return effect;
  return pickups.has(effect) && express.picked_up_at === null ? 'picked_up' : null;
};

/**
 * True if a message with the same effect and about the same time was already applied to the parcel,
 * for example the answer to our own cancel.
 */
const isKnown = async (
  work: Work,
  express_id: number,
  { hash, effect, operation_time }: CarrierMessage,
): Promise<boolean> =>
  (
    await sql`select 1 from express_messages where express_id = ${express_id} and refused = ''
      and (hash = ${Buffer.from(hash, 'hex')}
        or (effect = ${effect}
        and operation_time >= ${new Date(operation_time.getTime() - 10 * minute)}))
        limit 1`.execute(work.tx)
  ).rows.length > 0;

/**
 * Returns the messages of a push that may change the parcel's state immediately. The other messages
 * are stored as hints, and the carrier's trace is requested to confirm them.
 */
export const withoutHints = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  messages: readonly CarrierMessage[],
): Promise<CarrierMessage[]> => {
  const folded: CarrierMessage[] = [];
  for (const message of messages) {
    const implied = impliedBy(message, express);
    if (implied === null || (await isKnown(work, express.id, message))) folded.push(message);
    else await storeHint(context, work, express, { effect: implied, message });
  }
  return folded;
};

const storeHint = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  { effect, message }: { effect: Effect; message: CarrierMessage },
): Promise<void> => {
  const now = context.clock.now();
  const our_state = effect === 'picked_up' ? 200 : (message.our_state ?? express.state_code);
  const { rows } = await sql`insert into carrier_hints (express_id, effect, our_state, hash,
    operation_time, received_at)
    values (${express.id}, ${effect}, ${our_state}, ${Buffer.from(message.hash, 'hex')},
      ${message.operation_time}, ${now}) on conflict do nothing returning 1`.execute(work.tx);
  // Another hint of this effect already waits for a trace, which will confirm this hint too.
  if (rows.length === 0) return;
  await showConfirming(work, express);
  await queueTrace(work, express.id, await nextTraceAt(work, express, now));
};

/**
 * The earliest time for the next trace of a parcel: after the pause that follows trace calls
 * without new messages, and within the account's rate.
 */
const nextTraceAt = async (
  work: Work,
  express: Pick<ExpressRow, 'merchant_id' | 'confirm_tries' | 'confirm_asked_at'>,
  now: Date,
): Promise<Date> => {
  const wait = waits[Math.min(express.confirm_tries, waits.length - 1)]! * 1_000;
  const earliest = Math.max(now.getTime(), (express.confirm_asked_at?.getTime() ?? 0) + wait);
  if (express.merchant_id === null) return new Date(earliest);
  const row = await oneRow(
    work,
    sql<RowOf<'carrier_pace', 'next_at'>>`insert into carrier_pace (merchant_id, next_at)
      values (${express.merchant_id}, ${now})
    on conflict (merchant_id) do update set next_at = greatest(carrier_pace.next_at,
      ${now}::timestamptz) + interval '1 second' / ${await readSetting(work, 'trace_rate')}::int
    returning next_at`,
  );
  return new Date(Math.max(earliest, row.next_at.getTime()));
};

/**
 * Stores on the parcel the state that is shown as unconfirmed. If there are several hints, the hint
 * with the latest time counts.
 */
const showConfirming = async (work: Work, express: ExpressRow): Promise<ExpressRow> => {
  const row = await work.tx
    .selectFrom('carrier_hints')
    .select('our_state')
    .where('express_id', '=', express.id)
    .orderBy('operation_time', 'desc')
    .orderBy('our_state', 'desc')
    .limit(1)
    .executeTakeFirst();
  const confirming = row?.our_state ?? null;
  if (confirming === express.confirming) return express;
  await announce(work, express.id);
  return updateExpress(work, express.id, { confirming });
};

/**
 * Is called after a trace of a locked parcel. Deletes the hints that the trace confirms, and queues
 * another trace for the remaining hints.
 */
export const settleHints = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  answered: boolean,
): Promise<void> => {
  const now = context.clock.now();
  const { rows: confirmed } = await sql`delete from carrier_hints h
    where h.express_id = ${express.id} and (
      (h.effect = 'picked_up' and ${express.picked_up_at !== null})
        or exists (select 1 from express_messages m where m.express_id = h.express_id
        and m.refused = ''
        and (m.hash = h.hash or (m.effect = h.effect
          and m.operation_time >= h.operation_time - interval '10 minutes'))))
    returning 1`.execute(work.tx);
  const { rows: open } = await sql`select 1 from carrier_hints
    where express_id = ${express.id}`.execute(work.tx);
  if (confirmed.length === 0 && open.length === 0) return;
  const confirm_tries = confirmed.length > 0 ? 0 : express.confirm_tries + (answered ? 1 : 0);
  const updated = await updateExpress(work, express.id, { confirm_tries, confirm_asked_at: now });
  await showConfirming(work, updated);
  if (open.length > 0)
    await queueTrace(
      work,
      express.id,
      await nextTraceAt(work, { ...updated, confirm_tries: Math.max(1, confirm_tries) }, now),
    );
};

/** Ends the hints that no trace confirmed within a day, and raises an alert for each. */
export const alertUnconfirmed = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
): Promise<void> => {
  const before = new Date(context.clock.now().getTime() - alertAfterHours * 60 * minute);
  const { rows } = await sql<
    RowOf<'carrier_hints', 'express_id' | 'effect' | 'received_at'> & { our_state: StateCode }
  >`
    delete from carrier_hints where (express_id, effect) in (select express_id, effect
      from carrier_hints where received_at < ${before} order by received_at limit 200)
    returning express_id, effect, our_state, received_at`.execute(work.tx);
  for (const { express_id, effect, our_state, received_at } of rows) {
    const express = await showConfirming(work, await lockExpress(work, express_id));
    await raiseAlert(work, {
      code: 'push_unconfirmed',
      params: { delivery_id: express.delivery_id ?? express.order_id, state_code: our_state },
      express_id,
      station_id: express.station_id,
      key: `push_unconfirmed:${express_id}:${effect}:${received_at.toISOString()}`,
    });
  }
};
