import { isArrived, isOver, stateCode } from '@waystation/contract/parcels/express-states.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';
import { present } from '@waystation/contract/base/present.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import type { CarrierMessage } from '#domain/carriers/carriers.ts';
import { releaseHold } from '#domain/ledger/ledger.ts';
import { businessTime } from '#platform/clock.ts';
import type { Work } from '#platform/db/db.ts';
import { isRecalled, noteFailedCancel } from './cancel-notices.ts';
import { acceptOrder, waybillTaken } from './accept.ts';
import { claimsWith } from './claims.ts';
import { withoutErased } from './erased-messages.ts';
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
import type { Folded } from './state.ts';
import type { Source, Refusal, StoredMessage } from './stored-messages.ts';
import { storeMessages, storedMessages } from './stored-messages.ts';

/**
 * The limits of a message's own time, in milliseconds. `before`: how long it may be before our
 * first call about the parcel. `after`: how long it may be after the message's arrival.
 */
const bounds = { before: 10 * 60_000, after: 60 * 60_000 };
/** The largest number of alerts about messages that arrive together. */
const mostAlerts = 5;

/**
 * The reason why a message is refused: its time is too early or too late, or its waybill is not the
 * parcel's. The simulator's clock may run ahead, so a simulated message may have a later time.
 */
const refusalOf = (
  express: ExpressRow,
  message: CarrierMessage,
  waybills: ReadonlySet<string | null>,
  now: Date,
): Refusal => {
  const at = message.operation_time.getTime();
  if (at < (express.first_sent_at ?? express.created_at).getTime() - bounds.before) return 'early';
  if (express.simulated === 0 && at > now.getTime() + bounds.after) return 'future';
  return express.delivery_id === null ||
    message.delivery_id === '' ||
    waybills.has(message.delivery_id)
    ? ''
    : 'waybill';
};

interface Sorted {
  folded: CarrierMessage[];
  refused: { message: CarrierMessage; refused: Exclude<Refusal, ''> }[];
}

/**
 * Separates the messages to apply from the messages to refuse. A return waybill is accepted from
 * the message that reports it onwards, unless another parcel has it.
 */
const sortOut = async (
  work: Work,
  express: ExpressRow,
  messages: readonly CarrierMessage[],
  now: Date,
): Promise<Sorted> => {
  const sorted: Sorted = { folded: [], refused: [] };
  const waybills = new Set([
    express.delivery_id,
    express.return_delivery_id,
    ...express.package_ids,
  ]);
  const foreign = await returnsOfOthers(work, express, messages);
  for (const message of messages) {
    const refused = foreign.has(message.return_delivery_id ?? '')
      ? 'waybill'
      : refusalOf(express, message, waybills, now);
    if (refused !== '') sorted.refused.push({ message, refused });
    else {
      sorted.folded.push(message);
      if (message.return_delivery_id) waybills.add(message.return_delivery_id);
    }
  }
  return sorted;
};

const storeRefused = async (
  work: Work,
  express: ExpressRow,
  source: Source,
  refused: Sorted['refused'],
): Promise<void> => {
  for (const why of ['early', 'future', 'waybill'] as const) {
    const messages = refused.filter((one) => one.refused === why).map(({ message }) => message);
    const [message] = (await storeMessages(work, express, { source, messages, refused: why }))
      .fresh;
    // An alert was already raised for a return waybill that belongs to another parcel.
    if (!message || message.return_delivery_id) continue;
    await raiseAlert(work, {
      code: `message_${why}`,
      params: {
        order_id: express.order_id,
        delivery_id: message.delivery_id,
        time: businessTime(message.operation_time),
      },
      express_id: express.id,
      station_id: express.station_id,
      key: `message_${why}:${express.id}`,
    });
  }
};

/** Messages of a carrier and their source. */
interface Received {
  source: Source;
  messages: readonly CarrierMessage[];
}

/**
 * Applies the carrier's messages about one parcel: stores the new messages, calculates the state
 * again, and posts the result. A repeated, late or unordered message takes effect once. A push is
 * only a hint: a trace must confirm a pickup, arrival, return or cancel. For a parcel in state 20,
 * a push only requests the outcome. A trace about the parcel settles its order as accepted.
 */
export const applyMessages = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express_id: number,
  { source, messages: received }: Received,
): Promise<ExpressRow> => {
  let express = await lockExpress(work, express_id);
  const messages = withoutErased(express, received);
  const waybill = messages.find((message) => message.delivery_id !== '')?.delivery_id;
  if (express.state_code === stateCode.ordering && source === 'push')
    return seekOutcome(context, work, express, messages);
  if (
    express.state_code === stateCode.ordering &&
    waybill !== undefined &&
    (await waybillTaken(work, express, waybill))
  )
    return express;
  if (express.state_code === stateCode.ordering && waybill !== undefined)
    express = await acceptOrder(context, work, express, {
      delivery_id: waybill,
      certainty: 'trace',
    });
  if (express.state_code < stateCode.awaitingPickup || express.delivery_id === null) {
    await raiseUnordered(work, express, waybill ?? '');
    return express;
  }
  const sorted =
    source === 'cancel'
      ? { folded: await withoutReturnsOfOthers(work, express, messages), refused: [] }
      : await sortOut(work, express, messages, context.clock.now());
  await storeRefused(work, express, source, sorted.refused);
  const admitted =
    source === 'push' ? await withoutHints(context, work, express, sorted.folded) : sorted.folded;
  const { fresh, known } = await storeMessages(work, express, { source, messages: admitted });
  // Only a trace sets the return waybill, even if a push reported it before, because weight, fee
  // and signing depend on it.
  const returned =
    source === 'push'
      ? null
      : admitted.find((message) => message.return_delivery_id)?.return_delivery_id;
  if (returned && !express.return_delivery_id)
    express = await updateExpress(work, express_id, { return_delivery_id: returned });
  if (fresh.length === 0) return express;
  for (const { alert, category, state } of fresh
    .filter((message) => message.alert)
    .slice(0, mostAlerts))
    await raiseAlert(work, {
      ...alert!,
      express_id,
      station_id: express.station_id,
      key: `message:${express_id}:${present(alert).code}:${category}:${state}`,
    });
  express = await refold(context, work, express, { fresh, known });
  // Weight and fee are requested at most once a minute, however many pushes repeat the same
  // message.
  if (fresh.some((message) => message.needs_facts))
    await queueFacts(
      work,
      express_id,
      ...(source === 'push' ? [new Date(context.clock.now().getTime() + 60_000)] : []),
    );
  return express;
};

/**
 * Raises an alert if the carrier reports an order that it refused before, or that was never sent.
 * It makes no difference whether the order was cancelled: the carrier may have an order whose hold
 * was released.
 */
export const raiseUnordered = (
  work: Work,
  express: ExpressRow,
  delivery_id: string,
): Promise<void> =>
  raiseAlert(work, {
    code: 'carrier_knows_unordered',
    params: { order_id: express.order_id, delivery_id },
    express_id: express.id,
    station_id: express.station_id,
    key: `unordered:${express.id}:${express.attempt}`,
  });

/**
 * Handles a push about an order whose outcome is unknown. The push's waybill is stored as a claim,
 * and the carrier is called; only the carrier's answer settles the order. The first claim causes a
 * call immediately. Later claims wait for the next planned call, so that many pushes cause one
 * call.
 */
const seekOutcome = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  messages: readonly CarrierMessage[],
): Promise<ExpressRow> => {
  const sorted = await sortOut(work, express, messages, context.clock.now());
  await storeRefused(work, express, 'push', sorted.refused);
  const waybill = sorted.folded.find((message) => message.delivery_id !== '')?.delivery_id;
  if (
    waybill === undefined ||
    express.order_tries === 0 ||
    express.waybill_claims.some(({ source }) => source === 'push')
  )
    return express;
  await queueSend(work, { express_id: express.id, attempt: express.attempt }, context.clock.now());
  return updateExpress(work, express.id, { waybill_claims: claimsWith(express, waybill, 'push') });
};

/**
 * The reason why a parcel is an exception or cancelled: the reason of the user who cancelled it,
 * else the carrier's text in the message that decided the state.
 */
const whyOf = (
  express: ExpressRow,
  { state_code, decided_by }: Folded<StoredMessage>,
): Why | undefined => {
  if (state_code !== stateCode.cancelled && state_code !== stateCode.exception) return undefined;
  const words =
    (state_code === stateCode.cancelled && express.cancel_uid !== null && express.cancel_reason) ||
    decided_by?.cancel_reason ||
    decided_by?.remark;
  return words ? { words } : undefined;
};

/**
 * Calculates the state from all stored messages and stores it; `fresh` are the new messages. A
 * change of state is checked in the order of the messages' times, not in the order of arrival.
 */
export const refold = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  express: ExpressRow,
  {
    fresh,
    known,
  }: { fresh: readonly CarrierMessage[]; known?: readonly StoredMessage[] | undefined },
): Promise<ExpressRow> => {
  const messages = known ?? (await storedMessages(work, express.id));
  const folded = foldMessages(messages);
  if (
    folded.moved_after_cancel &&
    !foldMessages(messages.filter(({ hash }) => !fresh.some((message) => message.hash === hash)))
      .moved_after_cancel
  )
    await raiseAlert(work, {
      code: 'moved_after_cancel',
      params: {
        delivery_id: express.delivery_id ?? '',
        state: expressStates[folded.state_code].zh,
      },
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
    // An interception ends when the parcel returns or arrives. From then on, its label is not needed
    // any more.
    ...((isOver(folded.state_code) || folded.state_code === stateCode.returning) && {
      intercepting: 0 as const,
      cancel_requested_at: null,
      need_retry: 0 as const,
    }),
  };
  // The parcel was delivered in spite of the interception.
  if (isRecalled(express) && folded.state_code === stateCode.signed)
    await noteFailedCancel(work, express, context.clock.now());
  if (folded.state_code === express.state_code) {
    // A late message may contain the reason for the present state.
    const explained = why && fresh.some(({ hash }) => hash === folded.decided_by?.hash);
    return writeExpress(work, express, { ...times, ...(explained && whyFields(why)) });
  }
  const moved = await moveExpress(work, express, {
    to: folded.state_code,
    cause: 'carrier',
    account_id: null,
    at: context.clock.now(),
    changes: times,
    ...(why && { why }),
  });
  await afterMove(context, work, { before: express, after: moved, folded });
  return moved;
};

/**
 * Posts the effect of a change of state by the carrier. A cancel of a parcel that is not charged
 * releases its hold. A pickup or an arrival requests weight and fee; after an arrival, a parcel
 * that was never weighed is charged.
 */
const afterMove = async (
  context: Pick<CarrierContext, 'clock'>,
  work: Work,
  { before, after, folded }: { before: ExpressRow; after: ExpressRow; folded: Folded },
): Promise<void> => {
  const at = context.clock.now();
  if (after.state_code === stateCode.cancelled && after.charged_at === null)
    await releaseHold(work, {
      express_id: after.id,
      attempt: after.attempt,
      cause: `cancelled:${after.id}:${after.attempt}`,
      at,
      by: after.cancel_uid,
    });
  if (before.picked_up_at === null && folded.picked_up_at !== null)
    await queueFacts(work, after.id);
  if (isArrived(after.state_code)) await queueFacts(work, after.id);
};
