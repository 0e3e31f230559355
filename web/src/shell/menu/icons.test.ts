import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '..', '..');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.tsx'),
);

test('every icon is drawn by the component Icon, and no file imports another icon component', () => {
  const texts = files.map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }));
  expect(texts.filter(({ text }) => text.includes('<Icon of={')).length).toBeGreaterThan(50);
  expect(
    texts.filter(({ text }) => text.includes("'@ant-design/icons'")).map(({ file }) => file),
  ).toEqual([]);
});
