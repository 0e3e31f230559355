import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSystem } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import type { Attack } from './attack.ts';
import { areas } from './areas.ts';
import { linesOf, playAttack, sumLine } from './play.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem({ config: { poolSize: 16 } });
});
afterAll(() => system.close());

const slice = areas.flatMap(({ area, attacks }) =>
  attacks.filter((attack) => attack.slice).map((attack) => ({ area, attack })),
);

// `npm run attack` plays more attacks than this test (docs/testing.md).
describe('an attack is held off', () => {
  it.each(slice.map(({ area, attack }) => [`${area}: ${attack.name}`, area, attack] as const))(
    'an attack is repelled: %s',
    async (_title, area, attack) => {
      const { fell, tried } = await playAttack(area, attack, system);
      expect(fell).toEqual([]);
      expect(tried).toBeGreaterThan(0);
    },
  );
});

describe('the attack runner', () => {
  const play = (run: Attack['run']) =>
    playAttack('test', { name: 'somebody tries', bound: 'one door', run }, system, 50);

  it('the attack runner counts an attack as repelled only if every attempt was repelled', async () => {
    const held = await play(async (_system, judge) => judge(true, 'a door opened'));
    const fell = await play(async (_system, judge) => {
      judge(true, 'a door opened');
      judge(false, 'a window opened');
    });
    expect([held, fell].map(linesOf)).toEqual([
      ['tried 1 · held 1 · test: somebody tries (bound: one door)'],
      [
        'tried 2 · held 1 · test: somebody tries (bound: one door)',
        '  DID NOT HOLD: a window opened',
      ],
    ]);
    expect(sumLine([held, fell])).toBe(
      '2 attacks on 1 area, 3 tries, 2 held, 1 attack got through',
    );
  });

  it('the attack runner counts an attack as successful if the attack throws, tries nothing or does not end', async () => {
    expect((await play(async () => {})).fell).toEqual(['nothing was tried']);
    expect((await play(() => Promise.reject(new Error('no answer')))).fell).toEqual(['no answer']);
    expect((await play(() => new Promise(() => {}))).fell).toEqual(['not over after 0.05 s']);
  });
});
