import { defineConfig } from 'vitest/config';

// For one file at a time (`npm run one`); `npm test` runs these with the server's suite (server/vitest.config.ts).
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['../server/src/testing/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 15_000 } },
    maxWorkers: 3,
  },
});
