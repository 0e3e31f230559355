/**
 * The time limits of every test suite, in milliseconds. Each limit is multiplied by
 * `WAYSTATION_TEST_SLOWNESS` (slowness.mjs), so that a test does not fail because the machine is
 * slow. If vitest is run alone, the factor is 1. No test asserts a limit: a limit only ends a wait
 * for something that never happens.
 */
export const slowness = Math.max(1, Number(process.env.WAYSTATION_TEST_SLOWNESS) || 1);

/** Options for vitest. Single tests must not set other time limits. */
export const limits = {
  testTimeout: 300_000 * slowness,
  hookTimeout: 300_000 * slowness,
  teardownTimeout: 60_000 * slowness,
  expect: { poll: { timeout: 60_000 * slowness } },
};
