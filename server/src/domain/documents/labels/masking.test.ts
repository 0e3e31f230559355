import { describe, expect, it } from 'vitest';
import { maskName, maskPhone } from './masking.ts';

describe('a hidden name', () => {
  it.each([
    ['赵靐芳', '赵^_^'],
    ['李', '李^_^'],
    ['𠮷田', '𠮷^_^'],
    ['Anna Smith', 'A^_^'],
    ['', ''],
    ['张**', '张**'],
    ['王^_^', '王^_^'],
  ])('a hidden name %s is printed as %s', (name, shown) => expect(maskName(name)).toBe(shown));
});

describe('a hidden phone', () => {
  it.each([
    ['mobile', '13900139000', '139^_^9000'],
    ['mobile with country code', '+86 13900139000', '139^_^9000'],
    ['mobile with extension', '13800000001-1234', '138^_^0001-1234'],
    ['mobile with extension in words', '13800000001转12', '138^_^0001转12'],
    ['landline of Beijing', '010-62223333', '010^_^3333'],
    ['landline of Beijing in groups', '010-6222-3333', '010^_^3333'],
    ['landline of a city of four digits', '0755-26001234', '0755^_^1234'],
    ['landline with extension', '0755-26001234-801', '0755^_^1234-801'],
    ['service number', '400-123-4567', '400^_^4567'],
    ['number without area code', '26001234', '^_^1234'],
    ['number too short to hide part of', '95338', '^_^'],
    ['number that is hidden already', '139****9000', '139****9000'],
    ['no number', '', ''],
  ])('a hidden phone is printed as expected: %s', (_, phone, shown) =>
    expect(maskPhone(phone)).toBe(shown),
  );

  it('a hidden mobile number shows at most seven digits, whatever separates its groups of digits', () => {
    for (const phone of ['139 0013 9000', '139-0013-9000', '(139)00139000'])
      expect(maskPhone(phone).replace(/\D/g, '')).toHaveLength(7);
  });
});
