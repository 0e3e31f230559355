import { defineConfig } from 'vitest/config';
import { limits } from './launch/limits.mjs';

// The tests of the root: repository rules and launchers. Each workspace has its own suite. Test
// files in a worker share their modules, because loading them for each file would take much
// processor time.
export default defineConfig({
  test: {
    include: ['tools/**/*.test.mjs', 'launch/**/*.test.mjs'],
    ...limits,
    isolate: false,
  },
});
