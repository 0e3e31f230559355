import { defineConfig } from 'vitest/config';

// Database tests share one PostgreSQL and two cores: more files at once only wait for each other.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Workers are killed and carriers made silent here: what a busy machine stumbles over once is tried again, once, and said.
    retry: 1,
  },
});
