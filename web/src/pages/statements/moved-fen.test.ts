import { expect, test } from 'vitest';
import { movedFen } from './moved-fen.ts';

test('a hold is shown without an amount, since a hold does not change the balance', () => {
  expect(movedFen({ amount: 0, freeze_amount: 12_00 })).toBeNull();
  expect(movedFen({ amount: -5_00, freeze_amount: -5_00 })).toBe(-5_00);
  expect(movedFen({ amount: 0, freeze_amount: 0 })).toBe(0);
});
