import { inconsistenciesInBooks } from '@waystation/server/testing/consistency.ts';
import { openFaultGround } from '@waystation/server/testing/carrier-faults/ground.ts';
import type { FaultGround } from '@waystation/server/testing/carrier-faults/ground.ts';
import { prove, sql, systemScope } from '@waystation/server/testing/product.ts';
import { sfSurcharge, simulatedCarriers } from '#simulated-carrier.ts';
import type { SimulatedName } from '#simulated-carrier.ts';
import { playStory } from './play.ts';
import { storyOf } from './story.ts';

export interface PlayedSeeds {
  failed: { seed: number; problems: string[]; log: string[] }[];
  /** The inconsistencies that the whole database has at the end. */
  books: string[];
  /** The number of occurrences of each fault and each point of death, by name. */
  met: Map<string, number>;
}

const booksOf = async ({ api, now }: FaultGround): Promise<string[]> => {
  const { breaks } = await prove(api.app, { full: true, at: now() });
  const astray = await api.app.db.tx(systemScope('carrier faults'), async (work) => {
    await sql`set local statement_timeout = 0`.execute(work.tx);
    return inconsistenciesInBooks(work);
  });
  return [
    ...breaks.map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`),
    ...astray,
  ];
};

export const openGround = (): Promise<FaultGround> => openFaultGround(sfSurcharge);

/** Plays the histories of consecutive seeds, one after another. */
export const playSeeds = async (
  ground: FaultGround,
  name: SimulatedName,
  { from, count }: { from: number; count: number },
): Promise<PlayedSeeds> => {
  const played: PlayedSeeds = { failed: [], books: [], met: new Map() };
  const note = (what: string): void => {
    played.met.set(what, (played.met.get(what) ?? 0) + 1);
  };
  const side = simulatedCarriers[name](ground.carrier);
  for (let seed = from; seed < from + count; seed += 1) {
    const { problems, named, met, log } = await playStory(ground, side, storyOf(name, seed));
    for (const what of met) note(what);
    for (const reason of named) note(`left to the office: ${reason}`);
    if (problems.length > 0) played.failed.push({ seed, problems, log });
  }
  played.books = await booksOf(ground);
  return played;
};
