import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const files = readdirSync(join(root, 'deploy'));

/** The names of the metrics that the product has; `_count`, `_sum` and `_bucket` are a histogram's. */
const known = new Set(
  [
    ...(read('server', 'src', 'metrics.ts') + read('server', 'src', 'api.ts')).matchAll(
      /'(?:waystation_)?([a-z_]+)'/g,
    ),
  ].map(([, name]) => `waystation_${name}`),
);
const named = (file) =>
  [...read('deploy', file).matchAll(/\b(?:waystation|process|nodejs)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(?:count|sum|bucket)$/, ''),
  );

describe('the examples of deploy/', () => {
  it('the alert rules name only metrics that exist', () => {
    expect(named('alerts.yml').length).toBeGreaterThan(8);
    expect(named('alerts.yml').filter((name) => !known.has(name))).toEqual([]);
  });

  it('the dashboard names only metrics that exist, and every metric of the network', () => {
    const { panels } = JSON.parse(read('deploy', 'grafana.json'));
    expect(panels.every(({ targets }) => targets.every(({ expr }) => expr.length > 0))).toBe(true);
    const library = new Registry();
    collectDefaultMetrics({ register: library });
    const all = new Set([...known, ...library.getMetricsAsArray().map(({ name }) => name)]);
    const shown = named('grafana.json');
    expect(shown.filter((name) => !all.has(name))).toEqual([]);
    const source = read('server', 'src', 'metrics.ts');
    const figures = source.slice(source.indexOf('const figures'), source.indexOf('createMetrics'));
    const missing = [...figures.matchAll(/^ {2}(?: {2})?\[?\s*'([a-z_]+)',/gm)]
      .map(([, name]) => `waystation_${name}`)
      .filter((name) => !shown.includes(name));
    expect(missing).toEqual([]);
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
