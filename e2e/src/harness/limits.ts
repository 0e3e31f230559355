/**
 * How many times slower this machine is than the reference machine (launch/slowness.mjs). All time
 * limits are multiplied by it. It is 1 if vitest is run directly.
 */
const slowness = Math.max(1, Number(process.env['WAYSTATION_TEST_SLOWNESS']) || 1);

/**
 * Converts a time limit of the reference machine to this machine. On a slower machine the limit is
 * proportionally longer.
 */
export const limitMs = (milliseconds: number): number => Math.round(milliseconds * slowness);
