import { isOutcomeReason } from '@waystation/contract/parcels/express-outcome.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { ReadParcel } from '@waystation/server/testing/carrier-faults/people.ts';
import { places, plainPrice } from '#kills/plain-price.ts';
import type { PromiseId } from '#kills/plain-price.ts';
import type { KnownOrder, SimulatedCarrier } from '#simulated-carrier.ts';

/**
 * True if an administrator must decide about the order and can see the reason and the next step.
 */
export const isNamed = ({ state_code, reason }: ReadParcel): boolean =>
  state_code === stateCode.ordering && isOutcomeReason(reason ?? undefined);

const nameOf = ({ id, order_id, state_code }: ReadParcel): string =>
  `parcel ${id} (${order_id}, ${state_code})`;

/**
 * The states of a parcel whose requested cancellation has either ended or is waiting for the
 * outcome of the order.
 */
const endsCancel: readonly number[] = [stateCode.ordering, stateCode.cancelled, stateCode.failed];

/**
 * Describes everything about a parcel that is still unknown one minute after the carrier began to
 * answer again.
 */
export const judgeOpen = (parcel: ReadParcel): string[] => {
  const what = nameOf(parcel);
  return [
    ...(parcel.state_code === stateCode.ordering && !isNamed(parcel)
      ? [`the outcome of ${what} is unknown (${parcel.reason}, ${parcel.order_tries} calls)`]
      : []),
    ...(parcel.modifying ? [`a change of ${what} has no outcome`] : []),
    ...(parcel.cancelling && !parcel.intercepting && !endsCancel.includes(parcel.state_code)
      ? [`a cancel of ${what} has no outcome`]
      : []),
  ];
};

/** Lists the amounts and counts of a parcel that differ from the expected values. */
const differences = (
  parcel: ReadParcel,
  right: Partial<Record<keyof ReadParcel, unknown>>,
): string[] =>
  Object.entries(right).flatMap(([name, value]) => {
    const found = parcel[name as keyof ReadParcel];
    return found === value ? [] : [`${name} of ${nameOf(parcel)} is ${found}, not ${value}`];
  });

/**
 * The kinds of alerts about an edited order. They ask an administrator if the carrier made the
 * change.
 */
const openEdits = ['edit_unclear', 'edit_overtaken'];

/**
 * Checks the hold of a parcel that is waiting for its pickup and is neither weighed nor charged.
 * The hold must equal the price of the parcel's present fields, because refused changes raise no
 * hold.
 */
export const judgeHeld = (parcel: ReadParcel): string[] => {
  const isChanging = parcel.modifying || parcel.alerts.some((code) => openEdits.includes(code));
  const isMeasured = parcel.re_weight !== null || parcel.charges > 0;
  if (parcel.state_code !== stateCode.awaitingPickup || isMeasured || isChanging) return [];
  const place = places.find(({ province }) => province === parcel.receive_province)!;
  const { pays } = plainPrice(
    {
      payer: 'nanshan',
      place,
      promise: parcel.promise_id as PromiseId,
      insured: parcel.guarantee_value_amount,
    },
    { weight: parcel.weight, volume: 0, surcharges: 0 },
  );
  return differences(parcel, { held_amount: pays });
};

/** The states of our parcel in which the carrier must not continue with it. */
const ended: readonly number[] = [stateCode.cancelled, stateCode.failed];

/**
 * Describes the fault if an order is cancelled or failed here although the carrier continues with
 * it.
 */
export const judgeEnding = async (
  side: SimulatedCarrier,
  parcel: ReadParcel,
): Promise<string[]> => {
  if (!ended.includes(parcel.state_code)) return [];
  const orders = await side.orders(parcel.order_id);
  return orders.some(({ cancelled }) => !cancelled)
    ? [`the carrier goes on with ${nameOf(parcel)}, which has ended`]
    : [];
};

const unpaid = { charges: 0, paid_amount: 0, held_amount: 0, cost_amount: 0 };

/** Checks an order that the carrier has cancelled or does not have. */
const judgeEnded = (parcel: ReadParcel, known: KnownOrder | undefined): string[] => {
  const states = known ? [stateCode.cancelled] : ended;
  return [
    ...(states.includes(parcel.state_code)
      ? []
      : [`the carrier has ${known ? 'cancelled' : 'nothing of'} ${nameOf(parcel)}`]),
    ...differences(parcel, { ...unpaid, delivery_id: known?.waybill ?? null }),
  ];
};

const arrived: readonly number[] = [stateCode.signed, stateCode.returned];

/**
 * Checks an order whose parcel has arrived: it must have one waybill, one charge and the right
 * price.
 */
const judgeArrived = async (
  side: SimulatedCarrier,
  parcel: ReadParcel,
  known: KnownOrder,
): Promise<string[]> => {
  const what = nameOf(parcel);
  const { address, surcharge_amount } = await side.details(known.waybill);
  const place = places.find(({ province }) => province === parcel.receive_province)!;
  // If an administrator must still decide about an edit, the carrier may have accepted it or not.
  // After an accepted edit, the carrier may charge a service that was not ordered. An administrator
  // decides about that charge too.
  if (parcel.alerts.some((code) => openEdits.includes(code)))
    return differences(parcel, {
      delivery_id: known.waybill,
      charges: parcel.exception === 'charge' ? 0 : 1,
    });
  const { pays, earns } = plainPrice(
    {
      payer: 'nanshan',
      place,
      promise: parcel.promise_id as PromiseId,
      insured: parcel.guarantee_value_amount,
    },
    { ...known.weighed!, surcharges: surcharge_amount + known.return_fee_amount },
  );
  const earned = Object.values(parcel.earned).reduce((sum, amount) => sum + amount, 0);
  const shares = [...earns.values()].reduce((sum, amount) => sum + amount, 0);
  return [
    ...(arrived.includes(parcel.state_code) ? [] : [`${what} has not arrived`]),
    ...(parcel.exception === null ? [] : [`${what} has the exception ${parcel.exception}`]),
    ...(address.includes(place.province) ? [] : [`the carrier takes ${what} to ${address}`]),
    ...(known.insured === parcel.guarantee_value_amount
      ? []
      : [`the carrier insures ${known.insured} of ${what}, not ${parcel.guarantee_value_amount}`]),
    ...(earned === shares ? [] : [`${earned} is earned by ${what}, not ${shares}`]),
    ...differences(parcel, {
      delivery_id: known.waybill,
      charges: 1,
      paid_amount: pays,
      held_amount: 0,
      cost_amount: (known.fee_amount ?? 0) + known.return_fee_amount,
    }),
  ];
};

/** Compares a parcel's final state with the order that the carrier has for it. */
export const judgeEnd = async (side: SimulatedCarrier, parcel: ReadParcel): Promise<string[]> => {
  const [known, ...others] = await side.orders(parcel.order_id);
  if (others.length > 0) return [`the carrier has ${nameOf(parcel)} ${others.length + 1} times`];
  return known === undefined || known.cancelled
    ? judgeEnded(parcel, known)
    : judgeArrived(side, parcel, known);
};
