import { describe, expect, it } from 'vitest';
import { measureSlowness, slownessOf } from './slowness.mjs';

describe('slowness of a machine', () => {
  it('the slowness of a machine is 1 on the reference machine and on faster ones, and 10 at most', () => {
    expect([0, 250, 500, 1_240, 90_000].map(slownessOf)).toEqual([1, 1, 1, 2.5, 10]);
  });

  it('the measured slowness of a machine is between 1 and 10; a slowness in the environment is used without measuring', () => {
    const measured = Number(measureSlowness(process.execPath, `${import.meta.dirname}/..`, {}));
    expect(measured).toBeGreaterThanOrEqual(1);
    expect(measured).toBeLessThanOrEqual(10);
    const env = { WAYSTATION_TEST_SLOWNESS: '7.5' };
    expect(measureSlowness('/no/node', '/no/root', env)).toBe('7.5');
  });
});
