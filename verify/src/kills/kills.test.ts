import { describe, expect, it } from 'vitest';
import { isDaily, rounds, sampled } from '@waystation/server/testing/slices.ts';
import { killDatabase } from './database-kills.ts';
import { killImports } from './import-kills.ts';
import { plainPrice } from './plain-price.ts';
import { killWebhooks } from './webhook-kills.ts';
import { killWorkers } from './worker-kills.ts';

const right = { lost: 0, doubled: 0, broken: [] };
/** The number of kills in this test. `npm run kills` makes hundreds of them (docs/testing.md). */
const kills = rounds(1, 3);
/** The minimum number of acknowledged writes. With fewer writes the kills would prove little. */
const least = (20 / 3) * kills;
/**
 * `npm test` uses only the first carrier, because the second carrier needs an additional account.
 */
const carriers = sampled(['jdl', 'sf'] as const, 2);
describe('settlement', () => {
  it('if the worker is killed during a settlement, nothing is settled twice, and all amounts equal an independent calculation', async () => {
    // Every run kills the worker at the first point. The daily run kills it at each point.
    const points = sampled(
      [
        'the station’s money is moved, the fee and the commit to come',
        'everything is answered, nothing kept',
        'settled and committed, the job not yet ended',
      ],
      3,
    );
    const { length } = points;
    const came = await killWorkers({
      seed: 1,
      part: 1,
      kills: length,
      deadAfterMs: 1_000,
      carriers,
      points,
    });
    expect(came, JSON.stringify(came)).toMatchObject({
      ...right,
      kills: length,
      points: Object.fromEntries(points.map((point) => [point, 1])),
    });
  });

  // This test and the import test after it run only in a daily run. `npm test` kills the database
  // in platform/embedded and workers in domain/express/crash.test.ts.
  if (isDaily)
    it('if PostgreSQL is killed during a settlement, no acknowledged write is lost, and the clients continue afterwards', async () => {
      const came = await killDatabase({ seed: 1, part: 1, kills, deadAfterMs: 1_000, carriers });
      expect(came, JSON.stringify(came)).toMatchObject({ ...right, kills });
      expect(came.acknowledged).toBeGreaterThan(least);
    });

  if (isDaily)
    it('if the worker is killed during an import, each row is still ordered exactly once, in the order of the file', async () => {
      const came = await killImports({ seed: 1, part: 1, kills, deadAfterMs: 1_000 });
      expect(came, JSON.stringify(came)).toMatchObject({ ...right, kills });
      expect(came.parcels).toBeGreaterThan(least);
    });
});

if (isDaily)
  describe('webhooks', () => {
    // `npm test` checks two workers, one of which is dead, in domain/webhooks/deliveries.test.ts.
    it('if the API, the worker and the receiver are killed, every webhook still gets every event, in the right order for each parcel', async () => {
      const points = ['receiver', 'worker', 'API'];
      const came = await killWebhooks({
        seed: 1,
        part: 1,
        kills: 3,
        deadAfterMs: 1_000,
        points,
        events: 200,
        gapMs: 500,
        refuses: 10,
        hurried: true,
      });
      expect(came, JSON.stringify(came)).toMatchObject({ ...right, kills: 3 });
      expect(came.deliveries).toBeGreaterThanOrEqual(200);
    });
  });

describe('the independent calculation', () => {
  it('the independent calculation gives the expected price and profit share for a parcel of the example network', () => {
    const parcel = {
      payer: 'nanshan',
      place: {
        province: '上海市',
        city: '上海市',
        county: '浦东新区',
        factor: 12,
        northeast: false,
      },
      promise: 'ed-m-0001',
      insured: 0,
    } as const;
    expect(plainPrice(parcel, { weight: 5_200, volume: 0, surcharges: 0 })).toEqual({
      pays: 1_955,
      earns: new Map([['south', 78]]),
    });
  });
});
