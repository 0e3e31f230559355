import { defineConfig } from 'vitest/config';

// The files of a worker share their modules, so a test leaves none changed.
export default defineConfig({
  test: { include: ['src/**/*.test.{ts,tsx}'], testTimeout: 30_000, maxWorkers: 2, isolate: false, expect: { poll: { timeout: 15_000 } } },
});
