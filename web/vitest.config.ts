import { defineConfig } from 'vitest/config';
import { limits } from '../launch/limits.mjs';

// Node's own web storage would hide that the code works without any, and warns at each use.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    execArgv: ['--no-experimental-webstorage'],
    ...limits,
  },
});
