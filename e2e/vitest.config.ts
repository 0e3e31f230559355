import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { limits } from '../launch/limits.mjs';

/**
 * The test files that run longest. They start first, so that none of them is still running alone at
 * the end.
 */
const long = [
  'look',
  'month-end',
  'ordering',
  'order-queue',
  'drawers',
  'founding',
  'imports',
  'lists',
];

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

// The files share one product and one browser. Three files run simultaneously, because a journey
// spends half of its time waiting.
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/product.ts'],
    // Without this, a file or group whose journeys belong only to the daily run would fail.
    passWithNoTests: true,
    ...limits,
    maxWorkers: 3,
    // The files of a worker share their modules and the connection to the browser. Starting a
    // separate worker for each of the 51 files would take a tenth of the whole run.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A failed test is repeated once, because the machine may be slow. The end of the run reports
    // the cause of the failure.
    retry: 1,
  },
});
