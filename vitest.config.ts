import { defineConfig } from 'vitest/config';
import { limits } from './launch/limits.mjs';

// The house's own tests: lint rules, launchers. Each workspace has a suite of its own.
export default defineConfig({
  test: {
    include: ['tools/**/*.test.mjs', 'launch/**/*.test.mjs'],
    ...limits,
  },
});
