import { defineConfig } from 'vitest/config';
import { limits } from '../launch/limits.mjs';

// Test files in the same worker share their modules, so a test must restore any state that it
// changes.
export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    ...limits,
    maxWorkers: 2,
    isolate: false,
  },
});
