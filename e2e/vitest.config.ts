import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** The longest file first, so that it does not run alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own
    const sorted = await super.sort(files);
    const longest = ({ moduleId }: TestSpecification): number => (moduleId.endsWith('look.test.ts') ? 0 : 1);
    return sorted.toSorted((a, b) => longest(a) - longest(b));
  }
}

// One product, one browser; two files at once, because a journey mostly waits.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/product.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Bringing the product up is part of the setup, and it makes its example network first.
    teardownTimeout: 60_000,
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A machine that is busy elsewhere answers late, not wrongly; what it stumbles over once is tried again, once.
    expect: { poll: { timeout: 15_000 } },
    retry: 1,
  },
});
