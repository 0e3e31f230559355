import { isArrived, isOver, stateCode } from '@waystation/contract/express-states.ts';
import { expressStates } from '@waystation/contract/express.ts';
import { raiseAlert, raiseAlertOnce } from '#domain/alerts/alerts.ts';
import type { CarrierMessage } from '#domain/carriers/carriers.ts';
import { releaseHold } from '#domain/ledger/ledger.ts';
import { businessTime } from '#platform/clock.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { isRecalled, noteFailedCancel } from './cancel-notices.ts';
import { acceptOrder, waybillTaken } from './accept.ts';
import { claimsWith } from './claims.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import { exceptionFields } from './exceptions.ts';
import { withoutHints } from './hints.ts';
import { moveExpress, whyFields } from './moves.ts';
import type { Why } from './moves.ts';
import { queueFacts, queueSend } from './queues.ts';
import { returnsOfOthers, withoutReturnsOfOthers } from './return-waybills.ts';
import { lockExpress, updateExpress, writeExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import { foldMessages } from './state.ts';
import type { Effect, Folded, Message } from './state.ts';

export type Source = 'order' | 'push' | 'trace' | 'cancel';

const all = systemScope('carrier messages');

/** Milliseconds that a message's own time may lie before our first call about the parcel, and after the message's arrival. */
const bounds = { before: 10 * 60_000, after: 60 * 60_000 };
/** Messages stored of one parcel, the oldest first; of those that are not folded as many. A parcel has a few dozen. */
const mostMessages = 1_000;
/** Alerts about messages taken together. */
const mostAlerts = 5;

/** Why a message is stored without being folded; empty: it is folded. */
type Refusal = '' | 'early' | 'future' | 'waybill';

/** Compares the times and waybills of a message with ours. The simulator's clock may run ahead, so its messages may have later times. */
const refusalOf = (express: ExpressRow, message: CarrierMessage, waybills: ReadonlySet<string | null>, now: Date): Refusal => {
  const at = message.operation_time.getTime();
  if (at < (express.first_sent_at ?? express.created_at).getTime() - bounds.before) return 'early';
  if (express.simulated === 0 && at > now.getTime() + bounds.after) return 'future';
  return express.delivery_id === null || message.delivery_id === '' || waybills.has(message.delivery_id) ? '' : 'waybill';
};

interface Sorted {
  folded: CarrierMessage[];
  refused: { message: CarrierMessage; refused: Exclude<Refusal, ''> }[];
}

/** The waybill of a way back is accepted from the message on that names it, unless it is another parcel's. */
const sortOut = async (tx: Tx, express: ExpressRow, messages: readonly CarrierMessage[], now: Date): Promise<Sorted> => {
  const sorted: Sorted = { folded: [], refused: [] };
  const waybills = new Set([express.delivery_id, express.return_delivery_id]);
  const foreign = await returnsOfOthers(tx, express, messages);
  for (const message of messages) {
    const refused = foreign.has(message.return_delivery_id ?? '') ? 'waybill' : refusalOf(express, message, waybills, now);
    if (refused !== '') sorted.refused.push({ message, refused });
    else {
      sorted.folded.push(message);
      if (message.return_delivery_id) waybills.add(message.return_delivery_id);
    }
  }
  return sorted;
};

const storeRefused = async (tx: Tx, express: ExpressRow, source: Source, refused: Sorted['refused']): Promise<void> => {
  for (const why of ['early', 'future', 'waybill'] as const) {
    const messages = refused.filter((one) => one.refused === why).map(({ message }) => message);
    const [message] = (await storeMessages(tx, express, source, messages, why)).fresh;
    // A return that names another parcel's waybill has an alert of its own.
    if (!message || message.return_delivery_id) continue;
    await raiseAlert(tx, {
      code: `message_${why}`,
      params: { order_id: express.order_id, delivery_id: message.delivery_id, time: businessTime(message.operation_time) },
      express_id: express.id,
      station_id: express.station_id,
      key: `message_${why}:${express.id}`,
    });
  }
};

/**
 * Takes the carrier's messages about one parcel: stores the new ones, folds the state again, and posts what follows. A message that is repeated, late or
 * out of order has its effect once. A push is a hint: a trace confirms first what it implies of pickup, arrival, return or cancel, and for a parcel in 20
 * it only starts the seeking of the outcome. A trace that names a parcel in 20 settles its order as accepted.
 */
export const applyMessages = async (
  context: Pick<CarrierContext, 'clock'>,
  tx: Tx,
  express_id: number,
  source: Source,
  messages: readonly CarrierMessage[],
): Promise<ExpressRow> => {
  let express = await lockExpress(tx, all, express_id);
  const waybill = messages.find((message) => message.delivery_id !== '')?.delivery_id;
  if (express.state_code === stateCode.ordering && source === 'push') return seekOutcome(context, tx, express, messages);
  if (express.state_code === stateCode.ordering && waybill !== undefined && (await waybillTaken(tx, express, waybill))) return express;
  if (express.state_code === stateCode.ordering && waybill !== undefined) express = await acceptOrder(context, tx, express, { delivery_id: waybill });
  if (express.state_code < stateCode.awaitingPickup || express.delivery_id === null) {
    await raiseUnordered(tx, express, waybill ?? '');
    return express;
  }
  const sorted =
    source === 'cancel'
      ? { folded: await withoutReturnsOfOthers(tx, express, messages), refused: [] }
      : await sortOut(tx, express, messages, context.clock.now());
  await storeRefused(tx, express, source, sorted.refused);
  const admitted = source === 'push' ? await withoutHints(context, tx, express, sorted.folded) : sorted.folded;
  const { fresh, known } = await storeMessages(tx, express, source, admitted);
  // Only a trace sets the waybill of the way back, even if a push named it before: weight, fee and signing depend on it.
  const returned = source === 'push' ? null : admitted.find((message) => message.return_delivery_id)?.return_delivery_id;
  if (returned && !express.return_delivery_id) express = await updateExpress(tx, express_id, { return_delivery_id: returned });
  if (fresh.length === 0) return express;
  for (const { alert, category, state } of fresh.filter((message) => message.alert).slice(0, mostAlerts))
    await raiseAlert(tx, { ...alert!, express_id, station_id: express.station_id, key: `message:${express_id}:${alert!.code}:${category}:${state}` });
  express = await refold(context, tx, express, fresh, known);
  // However many pushes repeat the same, weight and fee are requested at most once a minute.
  if (fresh.some((message) => message.needs_facts))
    await queueFacts(tx, express_id, ...(source === 'push' ? [new Date(context.clock.now().getTime() + 60_000)] : []));
  return express;
};

/** The carrier reports a parcel that it refused or that was never sent, cancelled since or not: it may have an order whose hold was released. */
export const raiseUnordered = (tx: Tx, express: ExpressRow, delivery_id: string): Promise<void> =>
  raiseAlert(tx, {
    code: 'carrier_knows_unordered',
    params: { order_id: express.order_id, delivery_id },
    express_id: express.id,
    station_id: express.station_id,
    key: `unordered:${express.id}:${express.attempt}`,
  });

/**
 * A push names an order whose outcome is unknown: its waybill is stored as a claim, and the carrier is called at once; only that answer settles. Only the
 * first claim calls at once, later ones wait for the back-off, so that many pushes cause one call.
 */
const seekOutcome = async (context: Pick<CarrierContext, 'clock'>, tx: Tx, express: ExpressRow, messages: readonly CarrierMessage[]): Promise<ExpressRow> => {
  const sorted = await sortOut(tx, express, messages, context.clock.now());
  await storeRefused(tx, express, 'push', sorted.refused);
  const waybill = sorted.folded.find((message) => message.delivery_id !== '')?.delivery_id;
  if (waybill === undefined || express.order_tries === 0 || express.waybill_claims.some(({ source }) => source === 'push')) return express;
  await queueSend(tx, { express_id: express.id, attempt: express.attempt }, context.clock.now());
  return updateExpress(tx, express.id, { waybill_claims: claimsWith(express, waybill, 'push') });
};

/** A trace or pushes without end would fill the database: what exceeds the limit is not stored, and the office looks at it once. */
const raiseCut = (tx: Tx, express: ExpressRow, count: number): Promise<void> =>
  raiseAlertOnce(tx, {
    code: 'messages_cut',
    params: { order_id: express.order_id, count, max: mostMessages },
    express_id: express.id,
    station_id: express.station_id,
    key: `messages_cut:${express.id}`,
  });

type StoredMessage = Message & RowOf<'express_messages', 'remark' | 'cancel_reason'>;

interface Stored {
  /** Those that were not stored before. */
  fresh: CarrierMessage[];
  /** All that the state is folded from, with these; empty where there are none. */
  known: StoredMessage[];
}

const storeMessages = async (tx: Tx, express: ExpressRow, source: Source, messages: readonly CarrierMessage[], refused: Refusal = ''): Promise<Stored> => {
  if (messages.length === 0) return { fresh: [], known: [] };
  const rows = messages.map((message) => ({
    express_id: express.id,
    station_id: express.station_id,
    tree_id: express.tree_id,
    source,
    operation_time: message.operation_time,
    rank: message.rank,
    hash: `\\x${message.hash}`,
    category: message.category,
    state: message.state,
    our_state: message.our_state,
    effect: message.effect,
    title: message.title,
    remark: message.remark,
    operator_name: message.operator_name,
    place: message.place,
    cancel_reason: message.cancel_reason,
    raw: message.raw ?? null,
    refused,
  }));
  // The parcel is locked, so that what the statement sees of its messages and what it adds are all of them.
  const { rows: answer } = await sql<(KnownRow & { added: boolean; cut: number }) | { hash: null; cut: number }>`with heard as materialized (
      select distinct on (operation_time, rank, hash) express_id, station_id, tree_id, source, operation_time, rank, hash, category, state, our_state, effect,
        title, remark, operator_name, place, cancel_reason, raw, refused from jsonb_to_recordset(${jsonText(rows)}::jsonb) as r(express_id bigint, station_id bigint, tree_id bigint, source text,
        operation_time timestamptz, rank int, hash bytea, category text, state text, our_state smallint, effect text, title text, remark text, operator_name text, place text,
        cancel_reason text, raw jsonb, refused text)
      where not exists (select from express_messages m where m.express_id = ${express.id} and m.hash = r.hash and m.refused = r.refused)
      order by operation_time, rank, hash),
    added as (
      insert into express_messages (express_id, station_id, tree_id, source, operation_time, rank, hash, category, state, our_state, effect, title, remark, operator_name, place, cancel_reason, raw, refused)
      select express_id, station_id, tree_id, source, operation_time, rank, hash, category, state, our_state, effect, title, remark, operator_name, place, cancel_reason, raw, refused
      from heard order by operation_time, rank, hash
      limit (select greatest(0, ${mostMessages} - count(*)) from express_messages m where m.express_id = ${express.id} and (m.refused = '') = (${refused} = ''))
      on conflict (express_id, hash, refused) do nothing returning operation_time, rank, hash, effect, remark, cancel_reason)
    select k.added, k.operation_time, k.rank, k.hash, k.effect, k.remark, k.cancel_reason, (select count(*) from heard)::int - (select count(*) from added)::int as cut from (values (1)) one left join (
      select true as added, operation_time, rank, hash, effect, remark, cancel_reason from added
      union all select false, operation_time, rank, hash, effect, remark, cancel_reason from express_messages
        where express_id = ${express.id} and refused = '' and ${refused} = '' and exists (select from added)) k on true`.execute(tx);
  if (answer[0]!.cut > 0) await raiseCut(tx, express, answer[0]!.cut);
  const found = answer.filter((row) => row.hash !== null);
  const fresh = new Set(found.filter(({ added }) => added).map((row) => row.hash.toString('hex')));
  return { fresh: messages.filter((message) => fresh.delete(message.hash)), known: found.map(messageOf) };
};

type KnownRow = Pick<RowOf<'express_messages'>, 'operation_time' | 'rank' | 'hash' | 'remark' | 'cancel_reason'> & { effect: Effect };

const messageOf = (row: KnownRow): StoredMessage => ({ ...row, hash: row.hash.toString('hex') });

const storedMessages = async (tx: Tx, express_id: number): Promise<StoredMessage[]> =>
  (
    await tx
      .selectFrom('express_messages')
      .select(['operation_time', 'rank', 'hash', 'effect', 'remark', 'cancel_reason'])
      .where('express_id', '=', express_id)
      .where('refused', '=', '')
      .$narrowType<{ effect: Effect }>()
      .execute()
  ).map(messageOf);

/** Why a parcel is an exception or cancelled: the reason of the user who cancelled it, else the carrier's words in the deciding message. */
const whyOf = (express: ExpressRow, { state_code, decided_by }: Folded<StoredMessage>): Why | undefined => {
  if (state_code !== stateCode.cancelled && state_code !== stateCode.exception) return undefined;
  const words = (state_code === stateCode.cancelled && express.cancel_uid !== null && express.cancel_reason) || decided_by?.cancel_reason || decided_by?.remark;
  return words ? { words } : undefined;
};

/** Folds the state from all stored messages, of which `fresh` are new; the legality of a move is judged in the folded history, not in the order of arrival. */
export const refold = async (
  context: Pick<CarrierContext, 'clock'>,
  tx: Tx,
  express: ExpressRow,
  fresh: readonly CarrierMessage[],
  known?: readonly StoredMessage[],
): Promise<ExpressRow> => {
  const messages = known ?? (await storedMessages(tx, express.id));
  const folded = foldMessages(messages);
  if (folded.moved_after_cancel && !foldMessages(messages.filter(({ hash }) => !fresh.some((message) => message.hash === hash))).moved_after_cancel)
    await raiseAlert(tx, {
      code: 'moved_after_cancel',
      params: { delivery_id: express.delivery_id ?? '', state: expressStates[folded.state_code].zh },
      express_id: express.id,
      station_id: express.station_id,
      key: `moved_after_cancel:${express.id}`,
    });
  const why = whyOf(express, folded);
  const times = {
    picked_up_at: folded.picked_up_at,
    signed_at: folded.signed_at,
    last_event_at: folded.last_event_at,
    ...exceptionFields(express, folded),
    ...(folded.cancelled_at && { canceled_at: express.canceled_at ?? folded.cancelled_at }),
    // An intercept ends once the parcel returns or arrives; its label is not needed any more.
    ...((isOver(folded.state_code) || folded.state_code === stateCode.returning) && {
      intercepting: 0 as const,
      cancel_requested_at: null,
      need_retry: 0 as const,
    }),
  };
  // Delivered in spite of it.
  if (isRecalled(express) && folded.state_code === stateCode.signed) await noteFailedCancel(tx, express, context.clock.now());
  if (folded.state_code === express.state_code) {
    // A late message may be the one that explains the current state.
    const explained = why && fresh.some(({ hash }) => hash === folded.decided_by?.hash);
    return writeExpress(tx, express, { ...times, ...(explained && whyFields(why)) });
  }
  const moved = await moveExpress(tx, express, {
    to: folded.state_code,
    cause: 'carrier',
    account_id: null,
    at: context.clock.now(),
    changes: times,
    ...(why && { why }),
  });
  await afterMove(context, tx, express, moved, folded);
  return moved;
};

/** Posts what a move by the carrier means: a cancel before pickup releases the hold, an arrival charges a parcel that was never weighed. */
const afterMove = async (context: Pick<CarrierContext, 'clock'>, tx: Tx, before: ExpressRow, after: ExpressRow, folded: Folded): Promise<void> => {
  const at = context.clock.now();
  if (after.state_code === stateCode.cancelled && after.charged_at === null)
    await releaseHold(tx, { express_id: after.id, attempt: after.attempt, cause: `cancelled:${after.id}:${after.attempt}`, at, by: after.cancel_uid });
  if (before.picked_up_at === null && folded.picked_up_at !== null) await queueFacts(tx, after.id);
  if (isArrived(after.state_code)) await queueFacts(tx, after.id);
};
