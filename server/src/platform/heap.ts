import { setFlagsFromString } from 'node:v8';

/**
 * Percent by which the heap may grow over what lived at its last collection before it is collected again. By itself V8 lets a heap grow several times over on a
 * machine with memory: a sheet of 100,000 rows, which are let go as they are stored, then held 290 MB instead of 130 in the same time (docs/operating.md).
 */
const growthPercent = 50;

export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
