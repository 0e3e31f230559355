import { defineConfig } from 'vitest/config';

// The house's own tests: lint rules, launchers. Each workspace has a suite of its own.
export default defineConfig({ test: { include: ['*.test.mjs', 'launch/**/*.test.mjs'], testTimeout: 60_000, expect: { poll: { timeout: 15_000 } } } });
