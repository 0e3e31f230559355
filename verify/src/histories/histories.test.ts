import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prove } from '@waystation/server/testing/product.ts';
import { inconsistenciesInBooks } from '@waystation/server/testing/consistency.ts';
import { rounds } from '@waystation/server/testing/slices.ts';
import { createTestApp } from '@waystation/server/testing/test-app.ts';
import type { TestApp } from '@waystation/server/testing/test-app.ts';
import { history } from './chance.ts';
import { playHistory } from './play.ts';
import { all, openWorld } from '@waystation/server/testing/histories/world.ts';
import type { World } from '@waystation/server/testing/histories/world.ts';

/** The number of random histories in this test. `npm run money` plays ten thousand. */
const seeds = rounds(11, 16);

let app: TestApp;
let world: World;
beforeAll(async () => {
  app = await createTestApp();
  world = await openWorld(app);
});
afterAll(() => app.close());

describe('random histories of a network', () => {
  it('after a random history of a station network, every amount equals the amount of a reference ledger to the fen', async () => {
    const counts = new Map<string, number>();
    for (let seed = 1; seed <= seeds; seed++)
      await fc.assert(
        fc.asyncProperty(fc.noBias(history), (one) => playHistory(world, one, counts)),
        { seed, numRuns: 1, endOnFailure: true },
      );
    // A test run in which some kind of event never happens would prove nothing.
    for (const done of [
      'top_up',
      'order',
      'edit',
      'cancel',
      'tell',
      'measure',
      'refund',
      'reverse',
      'reweigh',
      'request',
      'reserve',
      'terms',
    ])
      expect(counts.get(done), done).toBeGreaterThan(0);
  });

  it('after random histories of a network, the ledger passes its check, and holds and charges match the states of the parcels', async () => {
    expect((await prove(app, { full: true, at: app.clock.now() })).breaks).toEqual([]);
    expect(await app.db.tx(all, inconsistenciesInBooks)).toEqual([]);
  });
});
