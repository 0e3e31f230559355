/**
 * `npm run verify -- carrier-faults planted [--seeds 120] [--seed 1] [--only words]`: plants each
 * defect of `defects.ts` in a separate product and plays histories with it. For each defect it
 * prints the number of histories that broke a promise. Exit 1 if a defect was not found.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { SimulatedName } from '#simulated-carrier.ts';
import { defects } from './defects.ts';
import type { Defect } from './defects.ts';

/**
 * The number of histories that are played with each defect, and the seed of the first of these
 * histories.
 */
interface Asked {
  seeds: number;
  seed: number;
}

const found = /(\d+) of \d+ histories, (\d+) broken/g;

/**
 * Plays histories with a planted defect. Returns the number of histories that broke a promise, or
 * null if the run did not end.
 */
const brokenWith = (
  { name }: Defect,
  carrier: SimulatedName,
  { seeds, seed }: Asked,
): number | null => {
  const folder = import.meta.dirname;
  const words = ['--import', join(folder, 'plant.ts'), join(folder, 'run.ts'), carrier];
  const { stdout } = spawnSync(
    process.execPath,
    [...words, '--seeds', String(seeds), '--seed', String(seed), '--at-once', '1'],
    { env: { ...process.env, WAYSTATION_DEFECT: name }, encoding: 'utf8' },
  );
  const last = [...stdout.matchAll(found)].at(-1);
  return last === undefined ? null : Number(last[2]);
};

/** Returns true if every planted defect whose name contains `only` was found. */
export const findPlanted = (asked: Asked, only = ''): boolean => {
  let isFound = true;
  for (const defect of defects.filter(({ name }) => name.includes(only)))
    for (const carrier of defect.carriers) {
      const broken = brokenWith(defect, carrier, asked);
      if (!broken) isFound = false;
      const times = broken === null ? 'the run did not end' : `${broken} of ${asked.seeds} broken`;
      console.log(`${broken ? 'found' : 'NOT FOUND'}: ${defect.name}, ${carrier}: ${times}`);
    }
  return isFound;
};
