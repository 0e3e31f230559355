import { defineConfig } from 'vitest/config';
import { limits } from '../launch/limits.mjs';

// Test files in one worker share the loaded modules, so each test restores what it changes in them.
export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    ...limits,
    maxWorkers: 2,
    isolate: false,
  },
});
