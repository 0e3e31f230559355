import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Functions that end the programs that a benchmark started. They always run, in the reverse order
 * of the starts.
 */
const endings: (() => Promise<void>)[] = [];
export const atEnd = (end: () => Promise<void>): void => void endings.push(end);

const endAll = async (): Promise<void> => {
  for (const end of endings.splice(0).toReversed())
    await end().catch((error: unknown) => console.error(error));
};

/**
 * Runs a benchmark for at most `minutes`, and then ends everything that it started. If it fails,
 * the reason is printed in one line. `measure` returns true if every limit was kept.
 */
export const runBench = async (
  name: string,
  minutes: number,
  measure: () => Promise<boolean>,
): Promise<void> => {
  let leaving = false;
  const leave = async (code: number, why?: string): Promise<void> => {
    // Failures after the beginning of the end are not reported, because the ending itself may cause
    // them.
    if (leaving) return;
    leaving = true;
    if (why !== undefined) console.log(`${name} failed: ${why}`);
    await endAll();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void leave(1, `ended by ${signal}`));
  setTimeout(() => void leave(1, `not done within ${minutes} minutes`), minutes * 60_000).unref();
  try {
    await leave((await measure()) ? 0 : 1);
  } catch (error) {
    await leave(1, error instanceof Error ? error.message : String(error));
  }
};

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};
