import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  kgText,
  kgToGrams,
  parseKg,
  startedSteps,
  upToStep,
  volumeOf,
  volumetricWeight,
} from './weight.ts';

test.each([
  ['4.3', 4300],
  ['4.3kg', 4300],
  ['4.3 KG', 4300],
  ['４．３公斤', 4300],
  [' 0.001 千克 ', 1],
  ['1,000', 1_000_000],
  ['1,234.5', 1_234_500],
  ['1。5', 1500],
  ['1．5', 1500],
  ['2。0公斤', 2000],
  ['0,5', 500],
  ['0，5kg', 500],
  ['1，25', 1250],
  ['0,500', 500],
])('the text %j is read as %i grams', (text, grams) => {
  expect(parseKg(text)).toBe(grams);
});

test.each([
  '1,500',
  '12,345',
  '1,2,3',
  ',5',
  '1。2。3',
  '',
  'kg',
  '4.3g',
  '4.3005',
  '4.3 kg kg',
  'kg 4',
  '4kg3',
])('the text %j is not a weight', (text) => {
  expect(parseKg(text)).toBeNull();
});

test('a carrier’s weight in kilograms is converted to grams, rounded half up', () => {
  expect(kgToGrams(5.2)).toBe(5200);
  expect(kgToGrams('1.2345')).toBe(1235);
  expect(kgToGrams('heavy')).toBeNull();
});

test.each([
  [4300, 0, '4.3'],
  [5000, 0, '5'],
  [5000, 2, '5.00'],
  [1, 0, '0.001'],
])('a weight of %i grams with at least %i decimals is %s kg', (grams, least, text) => {
  expect(kgText(grams, least)).toBe(text);
});

test('a weight in kilograms is shown with as few decimal places as needed', () => {
  expect(kgText(6000)).toBe('6');
});

describe('the number of started weight steps', () => {
  test.each([
    [0, 500, 0],
    [1, 500, 1],
    [499, 500, 1],
    [500, 500, 1],
    [501, 500, 2],
  ])('a weight of %i in steps of %i is charged as %i steps', (amount, step, steps) => {
    expect(startedSteps(amount, step)).toBe(steps);
  });

  test('the number of started steps equals the exact result for every weight and step', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 10_000_000 }), (amount, step) => {
        expect(BigInt(startedSteps(amount, step))).toBe(
          (BigInt(amount) + BigInt(step) - 1n) / BigInt(step),
        );
      }),
    );
  });

  test('a weight is rounded up to whole steps', () => {
    expect(upToStep(4301, 10)).toBe(4310);
    expect(upToStep(4310, 10)).toBe(4310);
  });
});

describe('volume and volumetric weight', () => {
  const box = { length: 40, width: 30, height: 20, package_count: 1 };
  test('the volume of a parcel is the volume of one piece times the number of pieces', () => {
    expect(volumeOf(box)).toBe(24_000);
    expect(volumeOf({ ...box, package_count: 3 })).toBe(72_000);
  });

  test.each(['length', 'width', 'height'])('the volume is zero without a %s', (side) => {
    expect(volumeOf({ ...box, [side]: null })).toBe(0);
  });

  test.each([
    [0, 8000, 0],
    [8000, 8000, 1000],
    [8001, 8000, 1001],
    [8008, 8000, 1001],
    [48_000, 6000, 8000],
  ])(
    'a volume of %i cm³ with the divisor %i has the volumetric weight %i g',
    (volume, divisor, grams) => {
      expect(volumetricWeight(volume, divisor)).toBe(grams);
    },
  );
});
