import { setFlagsFromString } from 'node:v8';

/**
 * The percentage by which the heap may grow before the next garbage collection. Without it, V8 lets
 * the heap grow to several times its size on a machine with much memory: a sheet of 100,000 rows
 * used 290 MB instead of 130 in the same time (docs/performance.md).
 */
const growthPercent = 50;

export const limitHeapGrowth = (): void =>
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
