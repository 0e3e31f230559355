import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['src/**/*.test.{ts,tsx}'], testTimeout: 30_000, maxWorkers: 2, expect: { poll: { timeout: 15_000 } } } });
