import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** The longest files first, so that none runs alone at the end. */
const long = ['look', 'drawers', 'lists', 'components', 'global', 'order-queue', 'founding', 'month-end'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const at = long.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? long.length : at;
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}

// One product, one browser; three files at once, because a journey waits half of the time.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/product.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Bringing the product up is part of the setup, and it makes its example network first.
    teardownTimeout: 60_000,
    maxWorkers: 3,
    // The files of a worker share their modules and its connection to the browser: a worker for each of 51 files takes a tenth of the whole run.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A machine that is busy elsewhere answers late, not wrongly; what it stumbles over once is tried again, once.
    expect: { poll: { timeout: 15_000 } },
    retry: 1,
  },
});
