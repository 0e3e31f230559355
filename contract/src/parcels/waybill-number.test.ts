import { expect, test } from 'vitest';
import { searchNumbers, searchWords } from '#shell/search.ts';
import { hasPackageNumbers, packageOf, waybillOf } from './waybill-number.ts';

const waybill = 'JDVE00000006001';

test.each([
  'JDVE00000006001-1-1-',
  'JDVE00000006001-1-1',
  'jdve00000006001-2-3-',
  'JDVE00000006001-12-999-',
  'JDVE00000006001-1-1-A12',
  ' JDVE00000006001-1-1- ',
  'https://carrier.example/w/JDVE00000006001',
  'HTTPS://CARRIER.EXAMPLE/W/JDVE00000006001',
  'https://www.jdl.com/q?w=jdve00000006001&from=label',
  'https://carrier.example/w/JDVE00000006001-1-2-#JDVE00000006001',
  'https://carrier.example/r?to=%2Fw%2FJDVE00000006001%3Fa',
  'carrier.example/w/JDVE00000006001',
])('the label number %s is read as its waybill', (number) => {
  expect(waybillOf(number)).toBe(waybill);
  expect(searchWords(number)).toEqual([waybill]);
  expect(searchNumbers(number)).toEqual([waybill]);
});

test.each([
  'JDVE00000006001',
  'JDVE00000006001-1',
  'JDVE00000006001-',
  'XJDVE00000006001-1-1-',
  'JDVE000000060011-1-1-',
  '20261101-1-1',
  'TB-1-1-',
  'TB/JDVE00000006001',
  'https://carrier.example/w/',
  'https://carrier.example/w/JDVE000000060012',
  'https://carrier.example/w/JDVE00000006001/JDVE00000006002',
])('the number %s is read unchanged', (number) => {
  expect(waybillOf(number)).toBeNull();
});

test.each(['JD0123456789012', 'JDV001234567890', 'JDX012345678901', 'JDVA12345678901'])(
  'each form of waybill, such as %s, has package numbers',
  (number) => {
    expect(waybillOf(`${number}-1-2-`)).toBe(number);
  },
);

test('if a pasted search contains several package numbers of one parcel, they are read as one waybill number', () => {
  const pasted = `${waybill}-1-3-\n${waybill}-2-3-，${waybill}-3-3-;ｊｄｖｅ０００００００６００１`;
  expect(searchNumbers(pasted)).toEqual([waybill]);
  expect(searchWords(pasted.toUpperCase())).toEqual([waybill]);
  expect(searchNumbers(`运单${waybill}-1-3-，谢谢`)).toEqual([waybill]);
});

test.each(['SF1234567890123-1-3-', 'sf1234567890123-1-3', ' SF1234567890123-1-3- '])(
  'the label code %s of SF Express is read as its parcel, the first of three packages',
  (number) => {
    expect(waybillOf(number)).toBe('SF1234567890123');
    expect(packageOf(number)).toEqual({ no: 1, count: 3 });
    expect(searchNumbers(number)).toEqual(['SF1234567890123']);
  },
);

test.each([
  'SF123456789012-1-3-',
  'SF12345678901234-1-3-',
  'SF1234567890123-1',
  'XSF1234567890123-1-3-',
])('the number %s is no label code of SF Express', (number) => {
  expect(waybillOf(number)).toBeNull();
  expect(packageOf(number)).toBeNull();
});

test('an SF Express waybill has no package numbers on its labels', () => {
  expect(hasPackageNumbers('SF1234567890123')).toBe(false);
});
