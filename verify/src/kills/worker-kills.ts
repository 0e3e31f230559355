import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { startWorkerProcess } from '@waystation/server/testing/worker-process.ts';
import { chanceOf } from '#chance.ts';
import type { Chance } from '#chance.ts';
import type { SimulatedName } from '#simulated-carrier.ts';
import { openLoad } from './load.ts';
import type { Load, LoadParcel } from './load.ts';
import { releasePoints, settlementPoints } from './points.ts';
import type { Held } from './points.ts';
import { plainPrice } from './plain-price.ts';
import { blame, count, emptyStretch } from './record.ts';
import type { Stretch } from './record.ts';
import { untilQuiet, whenQuiet } from './rest.ts';
import { hasTime, openKillSystem } from './system.ts';
import { isRight } from './verdict.ts';

export interface KillOptions {
  seed: number;
  part: number;
  kills: number;
  deadAfterMs: number;
  /**
   * The points at which the kills happen, one after another. If absent, the kills happen at random
   * times.
   */
  points?: readonly string[];
  /** Called once for each kill, with one line of text. */
  log?: (line: string) => void;
}

/**
 * The options of kills during settlement. Each parcel is ordered with one of the carriers, chosen
 * at random.
 */
export interface SettlementOptions extends KillOptions {
  carriers: readonly SimulatedName[];
}

const atRandom = 'at random';
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((later) => setTimeout(later, milliseconds));

/**
 * Returns the point of the next kill. On average every second kill is at a random time, and the
 * other kills are at the named points.
 */
const pointOf = (chance: Chance, point: string | undefined): string =>
  point ??
  (chance.below(2) === 0
    ? atRandom
    : chance.pick([...Object.keys(settlementPoints), ...Object.keys(releasePoints)]));

/** Causes a random event at the carrier for each of up to eight parcels. */
export const moveMany = async (load: Load, chance: Chance): Promise<void> => {
  const all = load.movable();
  const some = Array.from(
    { length: Math.min(all.length, 8) },
    () => all.splice(chance.below(all.length), 1)[0]!,
  );
  for (const parcel of some) await load.move(parcel);
};

/**
 * Tops up the station that has no money. The amount is a little more than the cost of the station's
 * parcels that are on hold.
 */
const topUpPoor = async (load: Load, waiting: readonly LoadParcel[]): Promise<void> => {
  const costs = waiting.reduce(
    (sum, parcel) =>
      sum + plainPrice(parcel, { weight: parcel.declared, volume: 0, surcharges: 0 }).pays,
    0,
  );
  await load.topUp('keji', costs + 500);
};

interface Ready {
  system: TestSystem;
  load: Load;
  chance: Chance;
}

/**
 * Lets the worker run until it reaches the point. The function `release` of the result lets the
 * other processes continue.
 */
const bringTo = async ({ system, load, chance }: Ready, point: string): Promise<Held> => {
  const onHold = load.parcels.filter(({ stage, waybill }) => stage === 'asked' && waybill === null);
  if (point in releasePoints) {
    const held = await releasePoints[point]!(system, onHold[0]!);
    await topUpPoor(load, onHold);
    await moveMany(load, chance);
    return held;
  }
  if (onHold.length > 0 && chance.below(3) === 0) void topUpPoor(load, onHold);
  if (point === atRandom) {
    await moveMany(load, chance);
    return { reached: pause(chance.below(500)), release: async () => {} };
  }
  const target = chance.pick(load.movable().filter(({ stage }) => stage === 'ordered'));
  const held = await settlementPoints[point]!(system, target);
  await load.pickUp(target);
  await moveMany(load, chance);
  return held;
};

/**
 * Orders enough parcels for the next kills: some for the named points, and one that stays on hold
 * because its station has no money.
 */
const replenish = async ({ system, load }: Ready): Promise<void> => {
  await Promise.all(Array.from({ length: 5 }, () => load.order()));
  await untilQuiet(system, load);
  while (!load.parcels.some(({ waybill }) => waybill === null)) {
    await load.orderWithoutMoney(2);
    await untilQuiet(system, load);
  }
};

/** Kills the worker repeatedly while it settles parcels. Checks everything after each kill. */
export const killWorkers = async ({
  seed,
  part,
  kills,
  deadAfterMs,
  carriers,
  points = [],
  log = () => {},
}: SettlementOptions): Promise<Stretch> => {
  const chance = chanceOf(`worker ${seed} ${part}`);
  const begun = performance.now();
  const system = await openKillSystem();
  const result = emptyStretch('worker', { seed, part, deadAfterMs, carriers });
  // The built-in worker is stopped, so that only processes that the test can kill do background
  // work.
  await system.worker.stop();
  const start = () =>
    startWorkerProcess(system, { WAYSTATION_WORKER_DEAD_AFTER_MS: String(deadAfterMs) });
  let worker = await start();
  try {
    const load = await openLoad(system, chance, carriers);
    const ready: Ready = { system, load, chance };
    for (let kill = 0; kill < kills && hasTime(begun); kill++) {
      await replenish(ready);
      const point = pointOf(chance, points[kill % Math.max(1, points.length)]);
      const held = await bringTo(ready, point);
      const reached = await held.reached.then(
        () => point,
        () => `${point} (not reached)`,
      );
      const since = performance.now();
      await worker.kill();
      await Promise.all([held.release(), system.carrier.control('DELETE', 'faults')]);
      worker = await start();
      const verdict = await whenQuiet(system, load);
      const took = Math.round(performance.now() - since);
      count(result, reached, {
        parcels: load.parcels.length,
        acknowledged: load.acknowledged(),
        took,
      });
      log(
        `kill ${kill + 1}: ${reached}, right again after ${took} ms${isRight(verdict) ? '' : `: ${JSON.stringify(verdict)}`}`,
      );
      if (isRight(verdict)) continue;
      blame(result, verdict);
      break;
    }
    return result;
  } finally {
    await worker.kill();
    await system.close();
  }
};
