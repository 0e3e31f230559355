import { limitMs } from '@waystation/server/testing/limits.ts';
import { sql } from '@waystation/server/testing/product.ts';
import { rowsOf } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { chanceOf } from '#chance.ts';
import type { Chance } from '#chance.ts';
import type { SimulatedName } from '#simulated-carrier.ts';
import { blame, count, emptyStretch } from './record.ts';
import type { Stretch } from './record.ts';
import { openJobs } from './rest.ts';
import { hookCount, liveParcel, openGround } from './webhook-ground.ts';
import type { Ground, Victim } from './webhook-ground.ts';
import { happened, judgeReceipts } from './webhook-verdict.ts';
import { pause } from './worker-kills.ts';
import type { KillOptions } from './worker-kills.ts';

export interface WebhookKillOptions extends KillOptions {
  /**
   * The carriers of the parcels. Each parcel is ordered with one of them, chosen at random. By
   * default all parcels are ordered with JDL.
   */
  carriers?: readonly SimulatedName[];
  /** The minimum number of deliveries. One delivery is one event for one webhook. */
  events: number;
  /** The maximum time between two kills in milliseconds. On average the time is half of it. */
  gapMs: number;
  /** On average, one of this number of deliveries is first refused; 500 by default. */
  refuses?: number;
  /** True if the leases of a killed worker end immediately, as if they had expired. */
  hurried?: boolean;
}

const clients = 6;
/**
 * The maximum wait. It is long, because the deliveries of a killed worker are repeated only after
 * their leases have expired.
 */
const patienceMs = 15 * 60_000;

/**
 * Counts the work that is left: deliveries, jobs and events. Before that, it ends the pauses after
 * refused deliveries, because these pauses would grow to hours.
 */
const openWork = async (system: TestSystem): Promise<number> => {
  await rowsOf(
    system,
    sql`update webhook_deliveries set next_at = now() where status = 'pending' and next_at > now()`,
  );
  await rowsOf(system, sql`update webhooks set resume_at = now() where resume_at > now()`);
  const jobs = await openJobs(system);
  const [row] = await rowsOf(
    system,
    sql<{ n: number }>`select ((select count(*) from webhook_events)
      + (select count(*) from webhook_deliveries where status = 'pending'))::int as n`,
  );
  return jobs + row!.n;
};

/**
 * Returns the number of deliveries so far, including deliveries that have not been attempted yet.
 */
const deliveriesSoFar = async (system: TestSystem): Promise<number> => {
  const [row] = await rowsOf(
    system,
    sql<{ n: number }>`select ((select count(*) from webhook_deliveries)
      + ${hookCount} * (select count(*) from webhook_events))::int as n`,
  );
  return row!.n;
};

/** Describes the deliveries that ended without an answer from the receiver. */
const unanswered = async (system: TestSystem): Promise<string[]> =>
  (
    await rowsOf(
      system,
      sql<{ what: string }>`select format('%s deliveries are %s', count(*), status) as what
        from webhook_deliveries where status <> 'delivered' group by status
        union all select format('%s missed %s events', name, dropped) from webhooks where dropped > 0`,
    )
  ).map(({ what }) => what);

interface Work {
  parcels: number;
  acknowledged: number;
  /** Texts that describe each call that was never acknowledged. */
  failures: string[];
  /** Resolves when there are enough events and every client has finished its last parcel. */
  done: Promise<void>;
}

/**
 * Lets clients order, weigh and cancel parcels until there are enough events. The work is spread
 * over the time of the kills, so that each kill happens during work.
 */
const beginWork = (
  { system, client }: Ground,
  chance: Chance,
  { events, overMs }: { events: number; overMs: number },
): Work => {
  let [share, enough] = [0, false];
  const begun = performance.now();
  const live = async (): Promise<void> => {
    while (!enough) {
      const calls = await liveParcel(client, chance, `webhook-${++work.parcels}`);
      work.acknowledged += calls;
      while (!enough && share * overMs > performance.now() - begun) await pause(50);
    }
  };
  const watch = async (): Promise<void> => {
    for (; !enough; await pause(250)) {
      share = (await deliveriesSoFar(system)) / events;
      enough = share >= 1;
    }
  };
  const noted = (error: unknown): void => {
    enough = true;
    work.failures.push(String(error));
  };
  const work: Work = { parcels: 0, acknowledged: 0, failures: [], done: Promise.resolve() };
  const all = [watch(), ...Array.from({ length: clients }, live)];
  work.done = Promise.all(all.map((one) => one.catch(noted))).then(() => {});
  return work;
};

const choose = (victims: readonly Victim[], chance: Chance): Victim =>
  chance.pick(victims.flatMap((victim) => Array.from({ length: victim.weight }, () => victim)));

/** Kills one process and starts it again. */
const killOnce = async (
  { system, victims }: Ground,
  chance: Chance,
  { point, hurried }: { point: string | undefined; hurried: boolean },
): Promise<string> => {
  const victim = victims.find(({ name }) => name === point) ?? choose(victims, chance);
  await victim.kill();
  if (hurried && victim.name === 'worker')
    await rowsOf(system, sql`update webhook_deliveries set leased_until = null`);
  await pause(chance.below(hurried ? 100 : 1_000));
  await victim.start();
  return victim.name;
};

/**
 * Kills the API, the worker and the receiver at random times while clients order, weigh and cancel
 * parcels. When all deliveries have ended, it compares the received deliveries with the events.
 */
export const killWebhooks = async (options: WebhookKillOptions): Promise<Stretch> => {
  const { seed, part, kills, deadAfterMs, events, gapMs, points = [] } = options;
  const { refuses = 500, hurried = false, carriers = ['jdl'] } = options;
  const chance = chanceOf(`webhook ${seed} ${part}`);
  const result = emptyStretch('webhook', { seed, part, deadAfterMs, carriers });
  const ground = await openGround({ deadAfterMs, refuses, carriers });
  const { system, hooks } = ground;
  try {
    const begun = performance.now();
    const work = beginWork(ground, chance, { events, overMs: (kills * gapMs) / 2 });
    for (let kill = 0; kill < kills; kill++) {
      await pause(chance.below(gapMs));
      const point = points[kill % Math.max(1, points.length)];
      const killed = await killOnce(ground, chance, { point, hurried });
      count(result, killed, { ...work, took: 0 });
      options.log?.(`kill ${kill + 1}: ${killed}, ${work.parcels} parcels`);
    }
    await work.done;
    const last = performance.now();
    const patience = last + limitMs(patienceMs);
    while ((await openWork(system)) > 0 && performance.now() < patience) await pause(100);
    const verdict = judgeReceipts(ground.receipts(), hooks, await happened(system));
    const { deliveries, repeats } = verdict;
    const { parcels, acknowledged, failures } = work;
    const secondsSince = (since: number): number => Math.round((performance.now() - since) / 1_000);
    Object.assign(result, {
      parcels,
      acknowledged,
      deliveries,
      repeats,
      seconds: secondsSince(begun),
      longest_ms: secondsSince(last) * 1_000,
    });
    const broken = [...verdict.broken, ...failures, ...(await unanswered(system))];
    blame(result, { ...verdict, broken });
    return result;
  } finally {
    await ground.close();
  }
};
