import { defineConfig } from 'vitest/config';

// npm run pictures: takes the pictures for README.md from the present product.
export default defineConfig({
  test: {
    include: ['src/readme.pictures.ts'],
    globalSetup: ['src/product.ts'],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    maxWorkers: 1,
    expect: { poll: { timeout: 15_000 } },
  },
});
