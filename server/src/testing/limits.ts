/**
 * The factor by which this machine is slower than the reference machine (launch/slowness.mjs). Time
 * limits are multiplied by it. It is 1 if vitest is run alone.
 */
const slowness = Math.max(1, Number(process.env['WAYSTATION_TEST_SLOWNESS']) || 1);

/** A time limit: milliseconds on the reference machine, proportionally more on a slower one. */
export const limitMs = (milliseconds: number): number => Math.round(milliseconds * slowness);
