import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { childSeconds, costLines, slowestTests } from './test-times.mjs';

it.runIf(process.platform === 'linux')(
  'the processor time includes that of ended child processes',
  () => {
    const before = childSeconds();
    spawnSync(process.execPath, ['-e', 'const end = Date.now() + 300; while (Date.now() < end);']);
    expect(childSeconds()).toBeGreaterThan(before);
  },
);

it('a test run that used more processor time than the budget of the machine prints a warning', () => {
  expect(costLines(1_300, 1)).toHaveLength(2);
  expect(costLines(1_300, 2)).toEqual(['It took 1300 s of processor time; the budget is 2200 s.']);
  expect(costLines(null, 1)).toEqual([]);
});

it('the slowest tests of all reports are listed, beginning with the slowest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reports-'));
  const report = (...tests) =>
    JSON.stringify({
      testResults: [
        { assertionResults: tests.map(([fullName, duration]) => ({ fullName, duration })) },
      ],
    });
  writeFileSync(join(folder, 'a.json'), report(['quick', 20], ['slow', 2_000]));
  writeFileSync(join(folder, 'b.json'), report(['slower', 12_340], ['skipped', null]));
  expect(slowestTests(folder, 2)).toEqual(['  12.3 s  slower', '   2.0 s  slow']);
  rmSync(folder, { recursive: true });
});
