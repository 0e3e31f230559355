import { defineConfig } from 'vitest/config';
import { limits } from './launch/limits.mjs';

// The house's own tests: lint rules, launchers. Each workspace has a suite of its own. The files of a
// worker share their modules: a worker for each file takes a fifth of the processor time.
export default defineConfig({
  test: {
    include: ['tools/**/*.test.mjs', 'launch/**/*.test.mjs'],
    ...limits,
    isolate: false,
  },
});
