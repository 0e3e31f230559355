import { defineConfig } from 'vitest/config';
import { limits } from '../launch/limits.mjs';

// Used if one file is tested (`npm run one`). `npm test` runs these tests together with the tests
// of the server (server/vitest.config.ts).
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['../server/src/testing/global-setup.ts'],
    ...limits,
    maxWorkers: 3,
  },
});
