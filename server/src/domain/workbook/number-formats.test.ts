import { describe, expect, it } from 'vitest';
import { numberStyle, shownNumber } from './number-formats.ts';

const shown = (code: string, number: number): string =>
  shownNumber(number, numberStyle(code), false);

describe('the number format of a spreadsheet cell', () => {
  it.each([
    ['00000000', 1234, '00001234'],
    ['00000000', 123_456_789, '123456789'],
    ['000-0000-0000', 13_800_011_004, '138-0001-1004'],
    ['0000-00000000', 75_526_000_000, '0755-26000000'],
    ['000 0000', 25, '000 0025'],
    ['00000', 1.5, '1.5'],
    ['00000', -5, '-5'],
    ['0.0,"kg"', 1500, '1.5kg'],
    ['#,##0.00,', 1500, '1.5'],
    ['0,,"M"', 2_500_000, '2.5M'],
    ['0', 12, '12'],
    ['0.00', 1.5, '1.5'],
    ['#,##0.00', 1500, '1500'],
    ['0.0"kg"', 1.5, '1.5'],
    ['0%', 0.5, '0.5'],
    ['yyyy-mm-dd', 45_962, '2025-11-01'],
    ['General', 0.1 + 0.2, '0.3'],
    ['0.E+00', 12, '12'],
    ['0', 123_456_789_012_345, '123456789012345'],
    ['0', 2_611_011_234_567_891, '2611011234567891'],
    ['0', 2_611_011_234_567_890, '2.61101123456789E+15'],
    ['0000000000000000', 2_611_011_234_567_890, '2.61101123456789E+15'],
    ['0', 261_101_123_456_789_000, '261101123456789000'],
    // This number was written with all its digits by another program; spreadsheets keep only
    // fifteen.
    ['0', Number('123456789012345678'), '1.23456789012346E+17'],
  ])('a spreadsheet cell with the format %s: %d is shown as %s', (code, number, text) =>
    expect(shown(code, number)).toBe(text),
  );
});
