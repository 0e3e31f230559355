import { describe, expect, it } from 'vitest';
import { looksLikeNumber } from './number-shape.ts';

describe('what the palette takes for a number of a parcel', () => {
  it('a waybill number, an order number and the last digits of a phone are recognized as parcel numbers in the palette', () => {
    for (const typed of [
      'JDVE00000000017',
      '9000',
      ' 13900139000 ',
      'WS20261121-001',
      'JDVE00000000017-1-1-',
      'https://carrier.example/w/JDVE00000000017',
      '#7',
      'A12',
      'TB/1',
      'E20261101 0001',
    ])
      expect(looksLikeNumber(typed)).toBe(true);
  });

  it('words and commands are not recognized as parcel numbers in the command palette', () => {
    for (const typed of ['设置', 'dark', 'tab 123', '']) expect(looksLikeNumber(typed)).toBe(false);
  });
});
