import { defineConfig } from 'vitest/config';

// One product, one browser; two files at once, because a journey mostly waits.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/product.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Bringing the product up is part of the setup, and it makes its example network first.
    teardownTimeout: 60_000,
    maxWorkers: 2,
    // A machine that is busy elsewhere answers late, not wrongly; what it stumbles over once is tried again, once.
    expect: { poll: { timeout: 15_000 } },
    retry: 1,
  },
});
