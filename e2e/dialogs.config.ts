import { defineConfig } from 'vitest/config';

// npm run dialogs: opens every dialog of every page in a browser, in both languages.
export default defineConfig({
  test: {
    include: ['src/every-dialog.crawl.ts'],
    globalSetup: ['src/product.ts'],
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    maxWorkers: 1,
    expect: { poll: { timeout: 15_000 } },
  },
});
