import { Unreadable } from '#reading.ts';
import { cancelBeforePickup } from './cancel.ts';
import { correctionAfter, legsOf, stepsFrom } from './journey.ts';
import { isPickedUp, stepCodes } from './order.ts';
import type { Fields } from '#reading.ts';
import type { Outcome } from './journey.ts';
import type { Order, Step, StepCode, ToldNode } from './order.ts';
import type { World } from './world.ts';

const second = 1000;

/** The steps that the control API can move a parcel to. */
export const jumpTargets: readonly StepCode[] = stepCodes.filter(
  (code) => code !== 'told' && code !== 'placed',
);

const outcomeFor = (target: StepCode): Outcome => {
  if (target === 'pickup_ended' || target === 'relabelled') return target;
  if (target === 'attempted') return 'redelivered';
  return target === 'refused' || target.startsWith('return') ? 'refused' : 'delivered';
};

/**
 * Returns steps that happen now, one second after the other, so that each has a different time. The
 * clock moves forward if there is not enough time before now.
 */
const forcedSteps = (world: World, order: Order, codes: readonly StepCode[]): Step[] => {
  const last = order.steps[order.done - 1]?.at ?? 0;
  const now = Math.floor(world.clock.now() / second) * second;
  const from = Math.max(last, now - codes.length * second);
  const steps = codes.map((code, i) => ({ code, at: from + (i + 1) * second }));
  const end = steps.at(-1)?.at ?? now;
  if (end > world.clock.now()) world.clock.moveTo(end);
  return steps;
};

/**
 * Makes all steps up to the target step happen now, and plans the later steps from now on. Throws
 * Unreadable if the parcel is already past that step.
 */
export const jump = (world: World, order: Order, target: StepCode): void => {
  world.agenda.catchUp();
  if (target === 'cancelled') {
    if (isPickedUp(order))
      throw new Unreadable('to', 'cannot be cancelled: the parcel is picked up');
    const last = order.steps[order.done - 1]?.at ?? 0;
    if (world.clock.now() < last + second) world.clock.moveTo(last + second);
    cancelBeforePickup(world, order);
    return;
  }
  const legs = legsOf(order, outcomeFor(target));
  const position = legs.findLastIndex(({ code }) => code === target);
  const doneCodes = order.steps.slice(0, order.done).map(({ code }) => code);
  const reached = legs.findLastIndex(({ code }) => doneCodes.includes(code));
  if (position === -1 || position <= reached)
    throw new Unreadable('to', `the parcel cannot come to "${target}" from where it is`);
  const forced = forcedSteps(
    world,
    order,
    legs.slice(reached + 1, position + 1).map(({ code }) => code),
  );
  const way = [
    ...forced,
    ...stepsFrom(
      world.seed,
      order,
      legs.slice(position + 1),
      forced.at(-1)?.at ?? world.clock.now(),
    ),
  ];
  order.presorted = true;
  if (order.cancel?.result === 4 && outcomeFor(target) === 'refused')
    order.cancel = { ...order.cancel, result: 1 };
  order.steps = [
    ...order.steps.slice(0, order.done),
    ...way,
    ...correctionAfter(world.seed, order, way.at(-1), world.settings().rates),
  ];
  world.save(order);
};

/**
 * The facts of a parcel that can be set by hand: `weight` in grams, `volume` in cm³, fees and
 * surcharges in fen per code; null removes one.
 */
export type Facts = {
  weight?: number | undefined;
  volume?: number | undefined;
  fees?: Record<string, number | null> | undefined;
  surcharges?: Record<string, number | null> | undefined;
};

const readAmounts = (fields: Fields | undefined): Record<string, number | null> | undefined => {
  if (fields === undefined) return undefined;
  return Object.fromEntries(
    fields
      .names()
      .map((code) => [code, fields.raw(code) === null ? null : fields.whole(code, 0, 1e12)]),
  );
};

export const readFacts = (fields: Fields): Facts => ({
  weight: fields.maybeWhole('weight', 10, 10_000_000),
  volume: fields.maybeWhole('volume', 1, 1e12),
  fees: readAmounts(fields.maybeInside('fees')),
  surcharges: readAmounts(fields.maybeInside('surcharges')),
});

/**
 * Sets the measured weight and the fees of a parcel. If the parcel is not picked up yet, they apply
 * from the pickup on.
 */
export const setFacts = (world: World, order: Order, facts: Facts): void => {
  const figures = {
    ...(facts.weight === undefined ? {} : { weight: facts.weight }),
    ...(facts.volume === undefined ? {} : { volume: facts.volume }),
  };
  if (order.weighed === undefined) order.weigh_as = { ...order.weigh_as, ...figures };
  else order.weighed = { ...order.weighed, ...figures };
  if (facts.fees !== undefined) order.fees = { ...order.fees, ...facts.fees };
  if (facts.surcharges !== undefined) {
    const all = Object.entries({ ...order.surcharges, ...facts.surcharges });
    order.surcharges = Object.fromEntries(
      all.filter((entry): entry is [string, number] => entry[1] !== null),
    );
  }
  world.save(order);
};

/**
 * Reads a trace node to send and its time. The time is now by default, and must not be in the
 * future.
 */
export const readTold = (fields: Fields): { node: ToldNode; at: number | undefined } => {
  const category = fields.maybeWhole('category', 0, 1_000_000);
  const text = (name: string): Record<string, string> => {
    const found = fields.maybeText(name, 200);
    return found === undefined ? {} : { [name]: found };
  };
  const words = {
    ...text('category_name'),
    ...text('state'),
    ...text('title'),
    ...text('remark'),
    ...text('cancel_reason'),
  };
  return {
    node: { ...(category === undefined ? {} : { category }), ...words },
    at: fields.maybeInstant('at'),
  };
};

/**
 * Adds a custom node to a parcel's trace and pushes it to the merchant, whatever the parcel's state
 * is.
 */
export const tell = (world: World, order: Order, node: ToldNode, at?: number): void => {
  world.agenda.catchUp();
  const when = Math.floor((at ?? world.clock.now()) / second) * second;
  if (when > world.clock.now()) throw new Unreadable('at', 'must not be in the future');
  order.steps = [
    ...order.steps.slice(0, order.done),
    { code: 'told', at: when, node },
    ...order.steps.slice(order.done),
  ];
  world.save(order);
};
