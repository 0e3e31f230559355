import { expect, test } from 'vitest';
import {
  looksLikeNumber as isNumber,
  searchLimit,
  searchProblem,
  searchWords as readWords,
} from '@waystation/contract/shell/search.ts';
import { looksLikeRecipient, readSearch } from './numbers.ts';

test('pasted numbers in a parcel search may be separated by commas, semicolons, bars, quotes, spaces, tabs or new lines', () => {
  expect(readWords('JDVE1,JDVE2;JDVE3|JDVE4\nJDVE5\tJDVE6、JDVE7，JDVE8；JDVE9  "JDVE10"')).toEqual(
    ['JDVE1', 'JDVE2', 'JDVE3', 'JDVE4', 'JDVE5', 'JDVE6', 'JDVE7', 'JDVE8', 'JDVE9', 'JDVE10'],
  );
});

test('a pasted spreadsheet column with full-width characters and repeated numbers is searched as distinct half-width numbers', () => {
  expect(readSearch('ＪＤＶＥ０００１\r\nJDVE0002\r\n\r\nJDVE0001\r\n')).toEqual({
    q: 'JDVE0001 JDVE0002',
    numbers: 2,
    tooMany: false,
  });
});

test('a text with a single waybill number, phone ending or name is read as an ordinary search, not as a list of numbers', () => {
  for (const text of ['JDVE00000000017', '9000', '赵靐芳', '赵 丽华', '张三 9000'])
    expect(readSearch(text).numbers).toBe(0);
  expect(readSearch('  赵   丽华 ').q).toBe('赵 丽华');
  expect(readSearch('  ').q).toBe('');
});

test('one order number of a shop is searched as it was typed, and several order numbers are searched as a list of numbers', () => {
  for (const text of ['#100123', 'TB/1', 'PDD,261101', "O'Neil-1"])
    expect(readSearch(` ${text} `)).toEqual({ q: text, numbers: 0, tooMany: false });
  expect(readSearch('E20261101 0001')).toMatchObject({ q: 'E20261101 0001', numbers: 2 });
  expect(readSearch('#1001\nTB/1\nN°1006')).toEqual({
    q: '#1001 TB/1 N°1006',
    numbers: 3,
    tooMany: false,
  });
});

test('a word in a parcel search is read as a number if it has at least one digit and only letters, digits and hyphens', () => {
  expect(['JDVE00000000017', 'WS20261121000001', '13900139000-1234', '9000'].map(isNumber)).toEqual(
    [true, true, true, true],
  );
  expect(['JDVE', '赵1234', '12', 'a b', ''].map(isNumber)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('a parcel search accepts two thousand numbers, and reports an error for one number more', () => {
  const numbers = (count: number): string =>
    Array.from({ length: count }, (_, index) => `JDVE${String(index).padStart(11, '0')}`).join(
      '\n',
    );
  expect(readSearch(numbers(searchLimit.numbers))).toMatchObject({
    numbers: searchLimit.numbers,
    tooMany: false,
  });
  expect(readSearch(numbers(searchLimit.numbers + 1))).toMatchObject({ tooMany: true });
});

test('a text with an address is recognized as a recipient’s details; a name, a phone, a company or a waybill number is not', () => {
  const details = [
    '张三 13911112222 上海市浦东新区世纪大道100号',
    '收件人：李四，电话 139 1111 2222，广东省深圳市南山区科技路2号',
    `上海市${'很长的地址'.repeat(25)}`,
  ];
  for (const text of details) expect([text, looksLikeRecipient(text)]).toEqual([text, true]);
  const searches = [
    '张三',
    '张三 13911112222',
    '13911112222',
    '广东省深圳市南山区示例科技有限公司华南运营中心',
    'JDVE00000000017',
  ];
  for (const text of searches) expect([text, looksLikeRecipient(text)]).toEqual([text, false]);
});

test('a search of 100 characters is accepted, one of 101 is refused', () => {
  expect(searchProblem('深'.repeat(100))).toBeNull();
  expect(searchProblem('深'.repeat(101))).toMatchObject({ code: 'search_too_long' });
});
