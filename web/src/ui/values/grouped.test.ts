import { expect, test } from 'vitest';
import { kg, signedYuan, yuan } from './amounts.ts';
import { phoneGroups, waybillGroups } from './grouped.ts';

test('a waybill is shown in groups of four after its letters', () => {
  expect(waybillGroups('JDVE00000000017')).toEqual(['JDVE', '0000', '0000', '017']);
  expect(waybillGroups('JDVE00000000017-1-3')).toEqual(['JDVE', '0000', '0000', '017', '-1-3']);
  expect(waybillGroups('SF1')).toEqual(['SF1']);
});

test('a waybill number or phone that is shown in groups is copied without spaces', () => {
  for (const number of ['JDVE00000000017', 'SF1234567890123', '773000000000001', 'WS2026-1', ''])
    expect(waybillGroups(number).join('')).toBe(number);
  for (const phone of ['13900139000', '139****9000', '13900139000-1234', '0755-26000000', ''])
    expect(phoneGroups(phone).join('')).toBe(phone);
});

test('a mobile number is shown in groups of three, four and four, masked or not', () => {
  expect(phoneGroups('139****9000')).toEqual(['139', '****', '9000']);
  expect(phoneGroups('13900139000-1234')).toEqual(['139', '0013', '9000', '-1234']);
  expect(phoneGroups('0755-26000000')).toEqual(['0755-26000000']);
});

test('amounts and weights are written with every digit, and their thousands are separated', () => {
  expect([yuan(123_450), yuan(-330), signedYuan(170), signedYuan(-1), signedYuan(0)]).toEqual([
    '¥1,234.50',
    '−¥3.30',
    '+¥1.70',
    '−¥0.01',
    '¥0.00',
  ]);
  expect([kg(4_300), kg(3_214_600), kg(12_345_678_900), kg(50)]).toEqual([
    '4.3 kg',
    '3,214.6 kg',
    '12,345,678.9 kg',
    '0.05 kg',
  ]);
});
