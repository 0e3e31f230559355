import { isRefusal } from './attack.ts';
import type { Attack } from './attack.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';

interface StationTerms {
  id: number;
  version: number;
  profit: number;
  fixed_profit: number;
  enable_profit: 0 | 1;
}

const termsOf = async (system: TestSystem, token: string, id: number): Promise<StationTerms> =>
  (await system.call<StationTerms>(token, 'GET', `/api/arco/stations/${id}`)).data;

/**
 * Sends a change of a station's terms with the present version number. Returns true if the change
 * was refused and nothing changed.
 */
const tryTerms = async (
  system: TestSystem,
  key: string,
  change: Record<string, unknown>,
): Promise<boolean> => {
  const [partner, office] = [await system.login('partner'), await system.login('super')];
  const { id } = system.station(key);
  const before = await termsOf(system, office, id);
  const answer = await system.call(partner, 'PATCH', `/api/arco/stations/${id}`, {
    version: before.version,
    ...change,
  });
  const after = await termsOf(system, office, id);
  return isRefusal(answer.status) && JSON.stringify(before) === JSON.stringify(after);
};

export const shareAttacks: readonly Attack[] = [
  {
    name: 'a partner takes nearly the whole freight of a station below it as profit share',
    slice: true,
    run: async (system, judge) => {
      for (const change of [
        { profit: 9_700 },
        { profit: 501 },
        { fixed_profit: 100_000 },
        { fixed_profit: 1 },
        { profit: 9_700, enable_profit: 1 },
      ])
        judge(await tryTerms(system, 'nanshan', change), `a partner set ${JSON.stringify(change)}`);
    },
  },
  {
    name: 'a partner opens a station of its own with a profit share above its limit',
    run: async (system, judge) => {
      const partner = await system.login('partner');
      for (const change of [{ profit: 9_700, enable_profit: 1 }, { fixed_profit: 500 }]) {
        const answer = await system.call(partner, 'POST', '/api/arco/stations', {
          name: `攻击 ${JSON.stringify(change)}`,
          ...change,
        });
        judge(
          isRefusal(answer.status),
          `a partner created a station with ${JSON.stringify(change)}`,
        );
      }
    },
  },
  {
    name: 'a partner raises its own limits',
    slice: true,
    run: async (system, judge) => {
      for (const key of ['south', 'nanshan'])
        for (const change of [{ profit_limit: 10_000 }, { fixed_profit_limit: 100_000 }])
          judge(
            await tryTerms(system, key, change),
            `a partner set ${JSON.stringify(change)} of ${key}`,
          );
    },
  },
];
