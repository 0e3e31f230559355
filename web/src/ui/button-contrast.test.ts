import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contrast, mix } from '#base/color.ts';
import { accents } from '#base/theme.ts';

test('the text of a hovered primary button has a contrast of at least 4.5 in every theme colour', () => {
  const css = readFileSync(join(import.meta.dirname, 'button.module.css'), 'utf8');
  const rule =
    /data-kind='primary'\]:hover \{\s*background: color-mix\(in srgb, var\(--primary-solid\) (\d+)%, (#\w{6})\)/.exec(
      css,
    );
  const [, percent, other] = rule!;
  for (const color of ['#165DFF', '#F53F3F', '#FF7D00', '#00B42A', '#F7BA1E', '#722ED1'])
    for (const shade of ['light', 'dark'] as const) {
      const hovered = mix(accents(color, shade).solid, other!, 1 - Number(percent) / 100);
      expect(contrast(hovered, '#ffffff')).toBeGreaterThanOrEqual(4.5);
    }
});
