import { defineConfig } from 'vitest/config';
import { limits } from '../launch/limits.mjs';

// The files of a worker share their modules, so that a test must restore the state that it changes.
export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    ...limits,
    maxWorkers: 2,
    isolate: false,
  },
});
