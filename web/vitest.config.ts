import { defineConfig } from 'vitest/config';

// Node's own web storage would shadow the code's way of doing without one, and warns at each use.
export default defineConfig({
  // A machine that runs other suites meanwhile is late, not wrong.
  test: { include: ['src/**/*.test.ts'], environment: 'node', execArgv: ['--no-experimental-webstorage'], testTimeout: 30_000 },
});
