/**
 * Limits of waiting of every test suite, in milliseconds. A machine that is slow or busy is
 * late, not wrong, so each limit is multiplied by `WAYSTATION_TEST_SLOWNESS`: how many times
 * as long as the reference machine this one takes (slowness.mjs; 1 where vitest is run alone).
 * A limit only ends what will never happen: none is part of what a test asserts.
 */
export const slowness = Math.max(1, Number(process.env.WAYSTATION_TEST_SLOWNESS) || 1);

/** Options for vitest. Single tests must not set other time limits. */
export const limits = {
  testTimeout: 300_000 * slowness,
  hookTimeout: 300_000 * slowness,
  teardownTimeout: 60_000 * slowness,
  expect: { poll: { timeout: 60_000 * slowness } },
};
