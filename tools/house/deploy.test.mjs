import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const files = readdirSync(join(root, 'deploy'));

describe('the examples of deploy/', () => {
  it('the alert rules name only metrics that exist', () => {
    const source = read('server', 'src', 'metrics.ts') + read('server', 'src', 'api.ts');
    const known = new Set(
      [...source.matchAll(/'(?:waystation_)?([a-z_]+)'/g)].map(([, name]) => `waystation_${name}`),
    );
    const named = [...read('deploy', 'alerts.yml').matchAll(/waystation_[a-z_]+/g)].map(([name]) =>
      name.replace(/_count$/, ''),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('the examples set only variables that the operating page explains', () => {
    const page = read('docs', 'operating.md');
    const named = files.flatMap((file) =>
      [...read('deploy', file).matchAll(/\b(WAYSTATION_\w+|DATABASE_URL)\b/g)].map(
        ([, name]) => name,
      ),
    );
    expect(new Set(named).size).toBeGreaterThan(5);
    expect(named.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it('each example is named by the operating page', () => {
    const page = read('docs', 'operating.md');
    expect(files.filter((file) => !page.includes(`deploy/${file}`))).toEqual([]);
  });
});
