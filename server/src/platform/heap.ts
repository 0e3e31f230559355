import { setFlagsFromString } from 'node:v8';

/**
 * Percent by which the heap may grow after a collection before the next one. By itself V8 lets a
 * heap grow several times over on a machine with memory: a sheet of 100,000 rows then held 290 MB
 * instead of 130 in the same time (docs/performance.md).
 */
const growthPercent = 50;

export const limitHeapGrowth = (): void =>
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
