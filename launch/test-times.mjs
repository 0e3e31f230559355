import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The processor seconds that `npm test` may use on the reference machine. Both cores are busy
 * during the whole run, so that a new test always makes it longer.
 */
const budget = 1_100;

/**
 * The processor seconds of all ended child processes of this process and of their children; null if
 * the system does not report them.
 */
export const childSeconds = () => {
  if (process.platform !== 'linux') return null;
  // The fields after the program's name, which may contain spaces. Times are in hundredths of a
  // second.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
};

/** Lines of text that list the slowest tests in the reports of a folder. */
export const slowestTests = (folder, count = 20) =>
  readdirSync(folder)
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).testResults)
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ duration, fullName }) => ({ ms: duration ?? 0, fullName }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, count)
    .map(({ ms, fullName }) => `${(ms / 1_000).toFixed(1).padStart(6)} s  ${fullName}`);

/** The last lines of a test run: its processor seconds, and a warning if they exceed the budget. */
export const costLines = (used, slowness) => {
  if (used === null) return [];
  const most = Math.round(budget * slowness);
  const line = `It took ${Math.round(used)} s of processor time; the budget is ${most} s.`;
  return used <= most
    ? [line]
    : [line, 'WARNING: above the budget. Move slow checks to the daily run (docs/testing.md).'];
};
