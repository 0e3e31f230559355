import { defineConfig } from 'vitest/config';
import { limits } from '../launch/limits.mjs';

/**
 * Test files that need a separate environment. They replace a global or a module, or read its
 * initial state.
 */
const alone = [
  'src/base/{call,href,idle,language,preload,progress,settings-store,sounds,spread-resets,theme,translate}.test.ts',
  'src/login/**/*.test.ts',
  'src/pages/store/{batch,edit-drafts,habits}.test.ts',
  'src/pages/record-facts.test.ts',
  'src/pages/state-cell.test.ts',
  'src/parcels/orders/work.test.ts',
  'src/resource/list/exact-count.test.ts',
  'src/shell/palette/commands.test.ts',
  'src/shell/session/**/*.test.ts',
  'src/start/**/*.test.ts',
];

// Node's own web storage is switched off, because it prints warnings. Without it, the tests also
// show that the code works without storage.
export default defineConfig({
  test: {
    environment: 'node',
    execArgv: ['--no-experimental-webstorage'],
    ...limits,
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['src/**/*.test.ts'],
          exclude: alone,
          // The modules are not loaded again for each of 60 files, because that would take half of
          // the processor time.
          isolate: false,
        },
      },
    ],
  },
});
