import { describe, expect, it } from 'vitest';
import { measureSlowness, slownessOf } from './slowness.mjs';

describe('slowness of a machine', () => {
  it('the slowness is 1 for the reference machine and for every faster machine, and is never above 10', () => {
    expect([0, 250, 500, 1_240, 90_000].map(slownessOf)).toEqual([1, 1, 1, 2.5, 10]);
  });

  it('the measured slowness of a machine is between 1 and 10; if the environment sets a slowness, nothing is measured', () => {
    const measured = Number(measureSlowness(process.execPath, `${import.meta.dirname}/..`, {}));
    expect(measured).toBeGreaterThanOrEqual(1);
    expect(measured).toBeLessThanOrEqual(10);
    const env = { WAYSTATION_TEST_SLOWNESS: '7.5' };
    expect(measureSlowness('/no/node', '/no/root', env)).toBe('7.5');
  });
});
