import { defineConfig } from 'vitest/config';
import { limits } from '../launch/limits.mjs';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    ...limits,
    maxWorkers: 2,
    isolate: false,
  },
});
