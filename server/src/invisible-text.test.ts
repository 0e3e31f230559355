import { text } from '@waystation/contract/base/fields.schema.ts';
import { normalisePhone } from '@waystation/contract/parcels/phone.ts';
import { searchWords } from '@waystation/contract/shell/search.ts';
import { expect, test } from 'vitest';
import { parseAddress, placeOf } from '#domain/address/address.ts';
import { fenOf, gramsOf, waybillOf } from './domain/reconciliation/figures.ts';
import { textOf } from './domain/carriers/reading.ts';
import { cellText } from './domain/workbook/cell-text.ts';

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);
const invisible = [
  ...range(0x200b, 0x200f),
  ...range(0x202a, 0x202e),
  ...range(0x2060, 0x206f),
  ...range(0xfe00, 0xfe0f),
  0xad,
  0x34f,
  0x61c,
  0x115f,
  0x1160,
  0x17b4,
  0x17b5,
  0x180b,
  0x180e,
  0x2800,
  0x3164,
  0xfeff,
  0xffa0,
  0xfff9,
  0xfffb,
  0xe0001,
  0xe0041,
  0xe0100,
  0xe01ef,
].map((code) => [code.toString(16), String.fromCodePoint(code)] as const);

const pasted = '收件人：张三\n电话：13800006001转1234\n地址：广东省深圳市南山区科技园1号A座';
/**
 * Parses a text and returns its people, without the pasted lines, which differ between the compared
 * texts.
 */
const read = (input: string) =>
  parseAddress(input).candidates.map((candidate) => ({ ...candidate, source: null }));

test.each(invisible)(
  'the invisible character U+%s between all characters changes nothing in a pasted text, field, cell, search or bill',
  (_, character) => {
    const strewn = (written: string): string =>
      character + [...written].join(character) + character;
    expect(read(strewn(pasted))).toEqual(read(pasted));
    expect(read(strewn(pasted))).toMatchObject([
      {
        name: '张三',
        phone: '13800006001',
        extension: '1234',
        county: '南山区',
        address: '科技园1号A座',
      },
    ]);
    expect(text(1, 50).parse(strewn('张三'))).toBe('张三');
    expect(placeOf(strewn('广东省'), strewn('深圳市'), strewn('南山区'))).toMatchObject({
      county: '南山区',
    });
    expect(normalisePhone(strewn('13800006001转1234'))).toBe('13800006001-1234');
    expect(cellText(strewn('收件人姓名'), 2_000)).toBe('收件人姓名');
    expect(searchWords(strewn('JDVE00000006001-1-1-'))).toEqual(['JDVE00000006001']);
    expect(waybillOf(strewn('JDVE00000006001-1-1-'))).toBe('JDVE00000006001');
    expect(fenOf(strewn('¥1,234.50'))).toBe(123_450);
    expect(gramsOf(strewn('1.5kg'), 1_000)).toBe(1_500);
  },
);

test.each(['\u0001', '\t', '\r\n', '\u007f', '\u0080', '\u0085', '\u009f', '\u2028', '\u2029'])(
  'a control character or line end (%j) in a field, a cell or an answer is one space',
  (character) => {
    const written = `${character}张${character.repeat(2)}三${character}`;
    expect(text(1, 50).parse(written)).toBe('张 三');
    expect(cellText(written, 2_000)).toBe('张 三');
    expect(textOf(written)).toBe('张 三');
  },
);

test('a text longer than its limit is cut to the same value in a sheet’s cell as in a form field', () => {
  for (const end of ['😀', ' x', '\u0085x']) {
    const cell = cellText('中'.repeat(1_999) + end, 4_000);
    expect(text(0, 2_000).parse(cell)).toBe(cell);
  }
});

test.each(['😀', '❤️', '👨‍👩‍👧', '👍🏽', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '🇨🇳', '🫠'])(
  'the emoji %s in a pasted text separates fields and is in neither name nor address',
  (emoji) => {
    const [person] = read(`${emoji}张三${emoji}\n13800006001\n广东省深圳市南山区科技园1号${emoji}`);
    expect([person!.name, person!.phone, person!.county]).toEqual([
      '张三',
      '13800006001',
      '南山区',
    ]);
    expect(person!.address).toBe('科技园1号');
  },
);

test('emoji digits in a pasted text are read as list numbers or as part of a house number', () => {
  const people = read(
    '1️⃣张三\n13800006001\n广东省深圳市南山区科技园1号\n2️⃣李四\n13800006002\n广东省深圳市南山区科技园\n3️⃣号楼',
  );
  expect(people.map(({ name, address }) => [name, address])).toEqual([
    ['张三', '科技园1号'],
    ['李四', '科技园 3号楼'],
  ]);
});
