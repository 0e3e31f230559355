import { describe, expect, it } from 'vitest';
import { readLine, weightReader } from './scale-frames.ts';

describe('a line of a scale', () => {
  it.each([
    ['ST,GS,+  1.250kg', { grams: 1_250, stable: true }],
    ['US,GS,+  1.190kg', { grams: 1_190, stable: false }],
    ['S S     12.345 kg', { grams: 12_345, stable: true }],
    ['S D      0.005 kg', { grams: 5, stable: false }],
    ['wn0001.25kg', { grams: 1_250, stable: null }],
    ['ST,NT,-  0.020kg', { grams: -20, stable: true }],
    ['+ 850 g', { grams: 850, stable: null }],
  ])('the line %j of a scale is read as a weight', (line, reading) =>
    expect(readLine(line)).toEqual(reading),
  );
  it.each([[''], ['ERR 3'], ['kg'], ['x'.repeat(10_000)]])(
    'the line %j of a scale is not read as a weight',
    (line) => expect(readLine(line)).toBeNull(),
  );
});

describe('a weight', () => {
  it('a weight is stable when the scale reports it as stable, and counts as a new weight only after the scale showed another one', () => {
    const read = weightReader();
    expect(read('US,GS,+ 1.1')).toMatchObject({ stable: false, no: 0 });
    expect(read('90kg\r\nST,GS,+ 1.250kg\r\n')).toEqual({ grams: 1_250, stable: true, no: 1 });
    expect(read('ST,GS,+ 1.250kg\r\n')).toMatchObject({ no: 1 });
    expect(read('ST,GS,+ 0.000kg\r\n')).toMatchObject({ stable: false, no: 1 });
    expect(read('ST,GS,+ 1.250kg\r\n')).toEqual({ grams: 1_250, stable: true, no: 2 });
  });
  it('the weight of a scale that does not report stability is stable after five equal readings', () => {
    const read = weightReader();
    expect(read('wn0002.00kg\n'.repeat(4))).toMatchObject({ stable: false });
    expect(read('wn0002.00kg\n')).toEqual({ grams: 2_000, stable: true, no: 1 });
  });
  it('input from a scale without line ends is limited to the length of one line, and the next line is read correctly', () => {
    const read = weightReader();
    for (let n = 0; n < 1_000; n++) read('9'.repeat(1_000));
    expect(read('\nST,GS,+ 1.000kg\n')).toMatchObject({ grams: 1_000, stable: true });
  });
});
