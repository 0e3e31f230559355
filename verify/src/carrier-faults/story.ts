/**
 * Generates a random history of parcels and the faults of its calls. Everything depends only on a
 * seed.
 */
import { fates } from '@waystation/server/testing/carrier-faults/line.ts';
import type { Fate } from '@waystation/server/testing/carrier-faults/line.ts';
import { chanceOf } from '#chance.ts';
import type { Chance } from '#chance.ts';
import { places } from '#kills/plain-price.ts';
import type { Place } from '#kills/plain-price.ts';

const minute = 60_000;
const hour = 60 * minute;

export type Act =
  | { act: 'wait'; ms: number }
  | { act: 'change_receiver'; place: Place }
  | { act: 'change_value'; amount: number }
  | { act: 'weigh'; grams: number }
  | { act: 'cancel' }
  | { act: 'order_again' }
  | { act: 'pick_up' }
  | { act: 'deliver' }
  | { act: 'show'; weight: number; surcharges: number }
  /** The carrier's pushes arrive in any order, and some arrive repeatedly. */
  | { act: 'push' }
  | { act: 'resume' };

/** A parcel that will be ordered. Its weight is in grams and its insured value in fen. */
export interface Ordered {
  place: Place;
  weight: number;
  insured: number;
  returns: boolean;
}

export interface Story {
  seed: number;
  parcels: Ordered[];
  /**
   * The acts of the history. `parcel` is an index in `parcels` and selects the parcel of the act.
   */
  acts: (Act & { parcel: number })[];
  /**
   * The percentage of calls that meet a fault. `deaths` is the percentage of jobs in which the
   * process dies.
   */
  faults: number;
  deaths: number;
  /**
   * The period in which the carrier cannot be reached: it begins with the act number `from` and
   * lasts for `count` acts.
   */
  outage: { from: number; count: number };
  repeats: 'first' | 'refused';
  contradictsFees: boolean;
  chance: Chance;
}

const values = [0, 0, 50_000, 60_000, 150_000];

const waits: readonly (readonly [number, number])[] = [
  [1_000, 8_000],
  [10_000, 90_000],
  [2 * minute, 20 * minute],
  [hour, 4 * hour],
];

const actOf = (chance: Chance): Act => {
  switch (chance.below(14)) {
    case 0:
    case 1:
    case 2:
      return { act: 'wait', ms: chance.between(...chance.pick(waits)) };
    case 3:
    case 4:
      return { act: 'change_receiver', place: chance.pick(places) };
    case 5:
      return { act: 'change_value', amount: chance.pick(values) };
    case 6:
      return { act: 'weigh', grams: chance.between(200, 12_000) };
    case 7:
    case 8:
      return { act: 'cancel' };
    case 9:
      return { act: 'pick_up' };
    case 10:
      return { act: 'deliver' };
    case 11:
      return {
        act: 'show',
        weight: chance.between(10, 1_400) * 10,
        surcharges: chance.pick([0, 0, 300, 1_200]),
      };
    case 12:
      return { act: 'push' };
    default:
      return chance.below(2) === 0 ? { act: 'order_again' } : { act: 'resume' };
  }
};

export const storyOf = (provider: string, seed: number): Story => {
  const chance = chanceOf(`carrier faults ${provider} ${seed}`);
  const count = chance.below(5) === 0 ? 2 : 1;
  const parcels = Array.from({ length: count }, (): Ordered => ({
    place: chance.pick(places),
    weight: chance.between(200, 12_000),
    insured: chance.pick(values),
    returns: chance.below(10) === 0,
  }));
  const acts = Array.from({ length: chance.between(1, 6) * count }, () => ({
    ...actOf(chance),
    parcel: chance.below(count),
  }));
  return {
    seed,
    parcels,
    acts,
    faults: chance.pick([0, 10, 30, 60]),
    deaths: chance.pick([0, 10, 30]),
    outage: {
      from: chance.below(acts.length),
      count: chance.below(4) === 0 ? chance.between(1, 3) : 0,
    },
    repeats: chance.below(4) === 0 ? 'refused' : 'first',
    contradictsFees: chance.below(3) === 0,
    chance,
  };
};

/**
 * Chooses the fate of a call at random. Only orders are refused with a text. A refusal of the
 * account's credentials is rare.
 */
export const fateOf = (
  { faults, chance }: Story,
  isOutage: boolean,
  isCreate: boolean,
): Fate | null => {
  if (isOutage) return chance.pick(['unsent', 'lost_before', 'throttled'] as const);
  if (chance.below(100) >= faults) return null;
  const fate = chance.pick(fates);
  if (fate === 'refused' && !isCreate) return 'lost_after';
  return fate === 'key_refused' && chance.below(3) > 0 ? 'throttled' : fate;
};
