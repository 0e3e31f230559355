import { rowsOf } from '@waystation/server/testing/test-system.ts';
import { prove, sql } from '@waystation/server/testing/product.ts';
import type { HostileCase } from './case.ts';
import { chargeCases } from './charges.ts';
import type { Ground } from './ground.ts';
import { movementCases } from './movements.ts';
import { orderCases } from './orders.ts';

export const hostileCases: readonly HostileCase[] = [
  ...orderCases,
  ...movementCases,
  ...chargeCases,
];

export interface Played {
  name: string;
  tried: number;
  /** The checks that failed, each as one sentence. */
  fell: string[];
}

/** The time limit of one case in milliseconds. */
const limitMs = 120_000;

export const playCase = async (ground: Ground, { name, run }: HostileCase): Promise<Played> => {
  const fell: string[] = [];
  let tried = 0;
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(
    () => timer.reject(new Error(`not over after ${limitMs / 1_000} s`)),
    limitMs,
  );
  try {
    await Promise.race([
      run(ground, (held, what) => {
        tried++;
        if (!held) fell.push(what);
      }),
      timer.promise,
    ]);
    if (tried === 0) fell.push('nothing was expected');
  } catch (error) {
    fell.push(error instanceof Error ? error.message : String(error));
  } finally {
    clearTimeout(timeout);
  }
  return { name, tried, fell };
};

/**
 * Checks the final state after all cases: the ledger check must pass, and no job may have failed.
 */
export const playEnd = async ({ system }: Ground): Promise<Played> => {
  const { breaks } = await prove(system.app, { full: true, at: new Date() });
  const jobs = await rowsOf(
    system,
    sql<{ words: string }>`select format('job %s: %s', key, last_error) as words
      from graphile_worker._private_jobs where last_error is not null`,
  );
  const fell = [
    ...breaks.map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`),
    ...jobs.map(({ words }) => words),
  ];
  return { name: 'the ledger’s proof holds, and no job has failed', tried: 2, fell };
};

export const linesOf = ({ name, tried, fell }: Played): string[] => [
  `${fell.length === 0 ? 'held' : 'DID NOT HOLD'} · ${tried} · ${name}`,
  ...fell.map((what) => `  ${what}`),
];
