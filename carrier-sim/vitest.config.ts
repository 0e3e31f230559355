import { defineConfig } from 'vitest/config';
import { limits } from '../launch/limits.mjs';

// The files of a worker share their modules, so each test restores them.
export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    ...limits,
    maxWorkers: 2,
    isolate: false,
  },
});
