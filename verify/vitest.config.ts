import { defineConfig } from 'vitest/config';
import { limits } from '../launch/limits.mjs';

// For one file at a time (`npm run one`); `npm test` runs these with the server's suite
// (server/vitest.config.ts).
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['../server/src/testing/global-setup.ts'],
    ...limits,
    maxWorkers: 3,
  },
});
