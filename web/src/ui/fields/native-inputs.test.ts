import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..', '..');

test('no field uses the browser’s own date or time input, because its texts and order follow the browser’s language instead of ours', () => {
  const own = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .filter((name) =>
      /type="(?:date|datetime-local|time|month|week)"|showPicker/.test(
        readFileSync(join(source, name), 'utf8'),
      ),
    );
  expect(own).toEqual([]);
});
