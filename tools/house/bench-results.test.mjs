import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chartPage } from '#bench/results/chart.ts';
import { byFigure, limitOf, readResults } from '#bench/results/lines.ts';

const folder = join(import.meta.dirname, '..', '..', 'bench', 'results');
const line = {
  date: '2026-11-26',
  figure: 'S1 super',
  value: 0.72,
  unit: '×',
  limit: '≥ 0.7',
  machine: '2 cores, quiet',
};
const textOf = (...rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('bench/results', () => {
  it('every line of every file of benchmark results can be read', () => {
    const names = readdirSync(folder);
    expect(names.length).toBeGreaterThan(4);
    for (const name of names)
      expect(readResults(readFileSync(join(folder, name), 'utf8')).length).toBeGreaterThan(0);
  });

  it('an invalid line of benchmark results is refused with its line number', () => {
    const { value: _, ...without } = line;
    expect(() => readResults(textOf(line, without))).toThrow('line 2');
    expect(() => readResults(`${textOf(line)}\nnothing`)).toThrow('line 3');
  });

  it('benchmark results are grouped by measured value and unit, and a limit such as “≥ 0.7” is read as a number', () => {
    const results = readResults(textOf(line, { ...line, value: 0.78 }, { ...line, unit: 'ms' }));
    expect([...byFigure(results)].map(([key, rows]) => [key, rows.length])).toEqual([
      ['S1 super (×)', 2],
      ['S1 super (ms)', 1],
    ]);
    expect(limitOf(results[0])).toBe(0.7);
    expect(limitOf({ ...line, limit: undefined })).toBeNull();
  });

  it('the chart page shows each measurement of a value and the value’s limit', () => {
    const page = chartPage(new Map([['scale', readResults(textOf(line, { ...line, value: 1 }))]]));
    expect(page.match(/<circle /g)).toHaveLength(2);
    expect(page).toContain('<line ');
    expect(page).toContain('S1 super (×): 1 (limit ≥ 0.7), 2026-11-26');
  });
});
