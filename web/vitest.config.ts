import { defineConfig } from 'vitest/config';

// Node's own web storage would shadow the code's way of doing without one, and warns at each use.
export default defineConfig({ test: { include: ['src/**/*.test.ts'], environment: 'node', execArgv: ['--no-experimental-webstorage'] } });
