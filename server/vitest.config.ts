import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { limits } from '../launch/limits.mjs';

/**
 * The files that take longest, or mostly wait for killed workers and silent carriers, come first:
 * at the end the run would wait for each of them alone.
 */
const slow = [
  'express/crash.test.ts',
  'embedded/embedded.test.ts',
  'src/matrix.test.ts',
  'express/modify.test.ts',
  'jobs/outages.test.ts',
  'imports/import-doors.test.ts',
  'embedded/accounts.test.ts',
  'kills/kills.test.ts',
  'src/row-security-off.test.ts',
  'src/every-answer.test.ts',
];

/**
 * The file that replaces a module for its worker, last: a file after it would run without the scope
 * of queries, which `row-security-off` alone would notice.
 */
const replaces = 'src/scope-layer-off.test.ts';

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own
    const sorted = await super.sort(files);
    const fast = ({ moduleId }: TestSpecification): number => {
      if (moduleId.endsWith(replaces)) return 2;
      return slow.some((end) => moduleId.endsWith(end)) ? 0 : 1;
    };
    return sorted.toSorted((a, b) => fast(a) - fast(b));
  }
}

// Database tests share one PostgreSQL and two cores, and most of the time they wait for
// somebody who was killed or keeps silent. Each worker takes half a gigabyte of memory.
export default defineConfig({
  test: {
    // The slices of what verify/ does by the hundred share the PostgreSQL of this suite, and
    // wait while others work.
    include: ['src/**/*.test.ts', '../verify/src/**/*.test.ts'],
    globalSetup: ['src/testing/global-setup.ts'],
    ...limits,
    maxWorkers: 4,
    // A larger young generation collects the garbage of short tests with less work.
    execArgv: ['--max-semi-space-size=64'],
    // The files of a worker share their modules: reading the server again for each of 155
    // files takes a sixth of the whole run. So a test leaves no module changed.
    isolate: false,
    sequence: { sequencer: SlowFirst },
  },
});
