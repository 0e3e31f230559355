import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskPhone, normalisePhone, parsePhone, phoneTail, phoneText, readPhone } from './phone.ts';
import { phone } from './phone.schema.ts';

describe('Reading a phone that people type', () => {
  test.each([
    ['13800000001', '13800000001'],
    [' 138 0000 0001 ', '13800000001'],
    ['138-0000-0001', '13800000001'],
    ['１３８００００００００１', null],
    ['１３８００００００１', null],
    ['１３８０００００００１', '13800000001'],
    ['+86 13800000001', '13800000001'],
    ['+8613800000001', '13800000001'],
    ['0086-138 0000 0001', '13800000001'],
    ['86-13800000001', '13800000001'],
    ['(+86)13800000001', '13800000001'],
    ['（86）13800000001', '13800000001'],
    ['13800000001-1234', '13800000001-1234'],
    ['13800000001转1234', '13800000001-1234'],
    ['13800000001 转 1234', '13800000001-1234'],
    ['13800000001,1234', '13800000001-1234'],
    ['13800000001，1234', '13800000001-1234'],
    ['13800000001 1234', '13800000001-1234'],
    ['13800000001 ext. 7', '13800000001-7'],
    ['13800000001EXT0042', '13800000001-0042'],
    ['13800000001分机12', '13800000001-12'],
    ['13800000001[1234]', '13800000001-1234'],
    ['13800000001（1234）', '13800000001-1234'],
    ['138 0000 0001—1234', '13800000001-1234'],
    ['010-88880000（转1234）', '010-88880000-1234'],
    ['400-800-0000转接8', '4008000000-8'],
    ['13800006001转1234567', null],
    ['13800006001转', null],
    ['13800006001P', null],
    ['13800006001转1234转5', null],
    ['0755-26000000', '0755-26000000'],
    ['075526000000', '0755-26000000'],
    ['(0755)26000000', '0755-26000000'],
    ['（010）8888 0000', '010-88880000'],
    ['010-88880000-123', '010-88880000-123'],
    ['0398 222 0000', '0398-2220000'],
    ['0398-2220000-1', '0398-2220000-1'],
    ['+86 755 26000000', '0755-26000000'],
    ['+86-10-88880000', '010-88880000'],
    ['86 0571 88880000 转 66', '0571-88880000-66'],
    ['400-800-0000', '4008000000'],
    ['4008000000', '4008000000'],
    ['800 8000 000', '8008000000'],
    ['400-800-0000转8', '4008000000-8'],
    ['12800000001', null],
    ['1380000000', null],
    ['138000000012', null],
    ['13800000001-1234567', null],
    ['0111-1234567', null],
    ['26000000', null],
    ['张三', null],
    ['', null],
    ['1'.repeat(200), null],
  ])('a phone written as %j is read as %j', (written, expected) => {
    expect(normalisePhone(written)).toBe(expected);
  });

  test.each([
    '(转1234)',
    '（转1234）',
    '（转 1234）',
    '-转1234',
    '转接1234',
    '（转接：1234）',
    '，转1234',
    '请转1234',
    '拨通后转1234',
    '转分机1234',
    '轉1234',
    '（分机号1234）',
    '分机：1234',
    '分机号码：1234',
    '分機1234',
    '内线1234',
    'P1234',
    'p1234',
    '-P1234',
    '(P1234)',
    'x1234',
    ' (ext 1234)',
    ' ext. 1234',
    ' Ext:1234',
    'extension 1234',
    '[ext.1234]',
    '【1234】',
    '_1234',
    '#1234',
    '; 1234',
  ])('the text %j behind a number is its extension 1234', (written) => {
    expect(normalisePhone(`13800006001${written}`)).toBe('13800006001-1234');
  });

  test('a masked phone is refused with the error phone_masked', () => {
    expect(readPhone('138****0001')).toEqual({ ok: false, code: 'phone_masked' });
    expect(readPhone('138＊＊＊＊0001')).toEqual({ ok: false, code: 'phone_masked' });
    expect(readPhone('1380001')).toEqual({ ok: false, code: 'phone_invalid' });
  });

  test('a phone number with an extension is split into the number for the carrier and the extension', () => {
    expect(parsePhone('13800000001转1234')).toEqual({
      kind: 'mobile',
      number: '13800000001',
      extension: '1234',
    });
    expect(parsePhone('075526000000-8')).toEqual({
      kind: 'landline',
      number: '0755-26000000',
      extension: '8',
    });
  });

  test('the canonical text of a phone number is parsed back to the same text', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
    const numbers = fc.oneof(
      fc.tuple(fc.integer({ min: 13, max: 19 }), digits(9)).map(([head, tail]) => `${head}${tail}`),
      fc
        .tuple(fc.constantFrom('010', '021', '0755', '0398'), digits(8))
        .map(([area, local]) => `${area}-${local}`),
      digits(7).map((tail) => `400${tail}`),
    );
    fc.assert(
      fc.property(
        numbers,
        fc.option(fc.stringMatching(/^\d{1,6}$/)),
        fc.constantFrom('-', '转', ' ', ' ext ', '，'),
        (number, extension, mark) => {
          const written = extension ? number + mark + extension : number;
          const canonical = normalisePhone(written)!;
          expect(canonical).toBe(extension ? `${number}-${extension}` : number);
          expect(normalisePhone(canonical)).toBe(canonical);
          expect(phoneText(parsePhone(canonical)!)).toBe(canonical);
          expect(normalisePhone(`+86${canonical}`)).toBe(canonical);
        },
      ),
    );
  });
});

describe('A masked phone', () => {
  test.each([
    ['13900000000', '139****0000'],
    ['13900000000-1234', '139****0000-****'],
    ['0755-26000000', '0755-****0000'],
    ['0398-2220000', '0398-***0000'],
    ['4008000000', '400***0000'],
    ['+852 91234567', '*********4567'],
    ['12', '12'],
  ])('a masked phone of %s is shown as %s', (written, expected) => {
    expect(maskPhone(written)).toBe(expected);
  });

  test.each(['13900000000', '0755-26000000-1', '4008000000-22'])(
    'the mask of %s is never accepted as input',
    (written) => {
      expect(readPhone(maskPhone(written))).toEqual({ ok: false, code: 'phone_masked' });
    },
  );
});

test('the last four digits by which a phone number is searched do not include its extension', () => {
  expect(phoneTail('13800004321-99')).toBe('4321');
  expect(phoneTail('0755-26001234')).toBe('1234');
  expect(phoneTail('91234567')).toBe('4567');
});

test('a wrong phone number in an input is refused with an error code that states the problem', () => {
  expect(phone.safeParse('138 0000 0001 转 1').data).toBe('13800000001-1');
  const codes = (value: unknown) =>
    phone.safeParse(value).error?.issues.map((issue) => issue.message);
  expect(codes('138****0001')).toEqual(['phone_masked']);
  expect(codes('138')).toEqual(['phone_invalid']);
  expect(codes('')?.[0]).toBe('required');
});
