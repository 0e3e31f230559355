import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '..');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));

test('no icon is read out by its own English name: it is hidden from screen readers, or says what it means here', () => {
  const icons = files.flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/<[A-Z]\w*(?:Outlined|Filled)\b[^>]*>/g)].map(([icon]) => ({ file, icon })),
  );
  expect(icons.length).toBeGreaterThan(50);
  expect(icons.filter(({ icon }) => !icon.includes('aria-'))).toEqual([]);
});
