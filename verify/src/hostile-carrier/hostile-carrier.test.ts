import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGround } from './ground.ts';
import type { Ground } from './ground.ts';
import { hostileCases, playCase, playEnd } from './play.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
});
afterAll(() => ground.close());

// `npm run verify -- hostile-carrier` runs more cases than this test (docs/testing.md).
describe('a hostile carrier takes no money and moves no parcel wrongly', () => {
  it.each(hostileCases.filter(({ slice }) => slice).map((one) => [one.name, one] as const))(
    'a carrier that %s causes no wrong charge and no wrong change of a parcel’s state',
    async (_name, one) => {
      const { fell, tried } = await playCase(ground, one);
      expect(fell).toEqual([]);
      expect(tried).toBeGreaterThan(0);
    },
  );

  it('after all cases of the hostile carrier, the ledger passes its check and no job has failed', async () => {
    expect((await playEnd(ground)).fell).toEqual([]);
  });

  it('a case of the hostile carrier counts as failed if it checks nothing, throws an error or has an unexpected result', async () => {
    const play = (run: () => Promise<void>) => playCase(ground, { name: 'test', run });
    expect((await play(async () => {})).fell).toEqual(['nothing was expected']);
    expect((await play(() => Promise.reject(new Error('no answer')))).fell).toEqual(['no answer']);
    expect(
      (await playCase(ground, { name: 'test', run: async (_, judge) => judge(false, 'taken') }))
        .fell,
    ).toEqual(['taken']);
  });

  it('the hostile carrier test has at least fifty cases, and each case has a unique name', () => {
    expect(hostileCases.length).toBeGreaterThanOrEqual(50);
    expect(new Set(hostileCases.map(({ name }) => name)).size).toBe(hostileCases.length);
  });
});
