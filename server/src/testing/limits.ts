/**
 * The factor by which this machine is slower than the reference machine (launch/slowness.mjs). Time
 * limits are multiplied by it. It is 1 if vitest is run alone.
 */
const slowness = Math.max(1, Number(process.env['WAYSTATION_TEST_SLOWNESS']) || 1);

/**
 * Returns a time limit. `milliseconds` is the limit on the reference machine; it is proportionally
 * longer on a slower machine.
 */
export const limitMs = (milliseconds: number): number => Math.round(milliseconds * slowness);
