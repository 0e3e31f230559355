import { describe, expect, it } from 'vitest';
import { killDatabase } from './database-kills.ts';
import { killImports } from './import-kills.ts';
import { plainPrice } from './plain-price.ts';
import { killWorkers } from './worker-kills.ts';

const right = { kills: 3, lost: 0, doubled: 0, broken: [] };

// Three of what `npm run kills` does by the hundred (docs/testing.md).
describe('settlement', () => {
  it('comes to what an independent calculation gives, once, when the worker is killed in it', async () => {
    const points = [
      'everything is answered, nothing kept',
      'the station’s money is moved, the fee and the commit to come',
      'settled and committed, the job not yet ended',
    ];
    const came = await killWorkers({ seed: 1, part: 1, kills: 3, deadAfterMs: 1_000, points });
    expect(came, JSON.stringify(came)).toMatchObject({ ...right, points: Object.fromEntries(points.map((point) => [point, 1])) });
  }, 400_000);

  it('loses no acknowledged write when PostgreSQL is killed in it, and clients continue', async () => {
    const came = await killDatabase({ seed: 1, part: 1, kills: 3, deadAfterMs: 1_000 });
    expect(came, JSON.stringify(came)).toMatchObject(right);
    expect(came.acknowledged).toBeGreaterThan(20);
  }, 400_000);
});

describe('an import', () => {
  it('orders each row once, in the order of its file, when the worker is killed in it', async () => {
    const came = await killImports({ seed: 1, part: 1, kills: 3, deadAfterMs: 1_000 });
    expect(came, JSON.stringify(came)).toMatchObject(right);
    expect(came.parcels).toBeGreaterThan(20);
  }, 400_000);
});

describe('the independent calculation', () => {
  it('has the price and the shares of the example network', () => {
    const parcel = {
      payer: 'nanshan',
      place: { province: '上海市', city: '上海市', county: '浦东新区', factor: 12, northeast: false },
      promise: 'ed-m-0001',
      insured: 0,
    } as const;
    expect(plainPrice(parcel, { weight: 5_200, volume: 0, surcharges: 0 })).toEqual({ pays: 1_955, earns: new Map([['south', 78]]) });
  });
});
