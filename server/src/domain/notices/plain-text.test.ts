import { expect, it } from 'vitest';
import { plainText } from './plain-text.ts';

it.each([
  '13800138000',
  '１３８００１３８０００',
  '138.0013.8000',
  '138_0013_8000',
  '138－0013－8000',
  '(+86) 138 / 0013 / 8000',
  '1·3·8·0·0·1·3·8·0·0·0',
])('a notification shows only the last four digits of the phone %s in a name', (phone) => {
  const shown = plainText(`张记 ${phone} 分店`);
  expect(shown.normalize('NFKC')).toMatch(/^张记 \(?\+?\*{3}8000 分店$/);
});

it('a date and a file name remain readable in the plain text of a notification', () => {
  expect(plainText('发货单 2026-01-15 第3批.xlsx')).toBe('发货单 2026-01-15 第3批．xlsx');
});
