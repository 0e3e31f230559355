import { draw, drawWhole } from '#draw.ts';
import { Unreadable } from '#reading.ts';
import { orderOf } from './call.ts';
import { relabelLegs, returnLegs, stepsFrom } from './journey.ts';
import { says } from './keywords.ts';
import { isClosed, isDelivered, isPickedUp, isReturning } from './order.ts';
import type { Call, Reply } from './call.ts';
import type { CancelResult, Order } from './order.ts';
import type { World } from './world.ts';

const minute = 60_000;
const toSecond = (at: number): number => Math.floor(at / 1000) * 1000;

/** Cancels an order before its pickup. Its order number cannot be used again. */
export const cancelBeforePickup = (world: World, order: Order): void => {
  const at = toSecond(world.clock.now());
  order.steps = [...order.steps.slice(0, order.done), { code: 'cancelled', at }];
  order.cancel = { result: 0, asked_at: at };
  world.save(order);
};

/**
 * Starts an interception of a parcel that was picked up. One to three hours later, the parcel is
 * intercepted and returns, or the interception fails and the parcel continues.
 */
const intercept = (world: World, order: Order): void => {
  const now = world.clock.now();
  const key = [world.seed, order.customer_code, order.order_id, 'intercept'] as const;
  const at = toSecond(now + drawWhole(60, 180, ...key, 'wait') * minute);
  const fails =
    says(order, 'intercept_fails') || draw(...key) < world.settings().rates.intercept_fails;
  const before = order.steps.filter((step, index) => index < order.done || step.at <= at);
  const arrives = before.some((step) => step.code === 'delivered');
  order.cancel = { result: 4, asked_at: now };
  if (arrives) order.steps = before;
  else if (fails)
    order.steps = [...before, { code: 'intercept_lost', at }, ...order.steps.slice(before.length)];
  else {
    const legs = says(order, 'relabelled') ? relabelLegs : returnLegs(order);
    order.steps = [
      ...before,
      { code: 'intercept_won', at },
      ...stepsFrom(world.seed, order, legs, at),
    ];
  }
  world.save(order);
};

const resultFor = (world: World, order: Order): CancelResult => {
  // The interception failed if the parcel was delivered to the recipient nevertheless.
  if (order.cancel?.result === 1 && isDelivered(order) && !isReturning(order)) return 3;
  if (order.cancel !== undefined) return order.cancel.result;
  if (isClosed(order)) return 0;
  if (isDelivered(order)) return 2;
  if (isReturning(order)) return 3;
  if (!isPickedUp(order)) {
    cancelBeforePickup(world, order);
    return 0;
  }
  if (order.origin === 0) return 2;
  intercept(world, order);
  return 4;
};

/**
 * Answers a cancel: 0 cancelled, 1 intercepted, 2 cancel failed, 3 interception failed, 4 being
 * intercepted. A repeated call returns the present result.
 */
export const cancel = (call: Call): Reply => {
  const { body } = call;
  const order = orderOf(call, 'customerOrderId');
  body.text('cancelReason', 1, 30);
  body.choice('cancelReasonCode', ['1', '2']);
  const type = body.choice('cancelType', [0, 1]);
  if ((order.origin === 0) !== (type === 0))
    throw new Unreadable('cancelType', 'must be 0 for orderOrigin 0 and 1 otherwise');
  return { data: { resultType: resultFor(call.world, order) } };
};
