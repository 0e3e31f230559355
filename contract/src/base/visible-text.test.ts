import { expect, test } from 'vitest';
import { parseDecimal } from './decimal.ts';
import { text } from './fields.schema.ts';
import { normalisePhone } from '#parcels/phone.ts';
import { searchWords } from '#shell/search.ts';
import { visibleText } from './visible-text.ts';
import { parseKg } from './weight.ts';

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
const invisible = [
  ...range(0x200b, 0x200f),
  ...range(0x202a, 0x202e),
  ...range(0x2060, 0x2069),
  ...range(0xfe00, 0xfe0f),
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u180e',
  '\u2800',
  '\u3164',
  '\ufeff',
  '\uffa0',
  '\ufff9',
  '\u{e0100}',
  '\u{e0041}',
].map((character) => [character.codePointAt(0)!.toString(16), character] as const);

test.each(invisible)(
  'An invisible character U+%s is removed from every kind of text',
  (_, character) => {
    const around = (written: string) => character + [...written].join(character) + character;
    expect(visibleText(around('张三A1'))).toBe('张三A1');
    expect(text(0, 20).parse(around('张三'))).toBe('张三');
    expect(text(1, 20).safeParse(character).error?.issues[0]?.message).toBe('required');
    expect(normalisePhone(around('13800006001'))).toBe('13800006001');
    expect(parseDecimal(around('1.5'), 2)).toBe(150);
    expect(parseKg(around('1.5kg'))).toBe(1500);
    expect(searchWords(`a${character}b c`)).toEqual(['ab', 'c']);
  },
);

test.each(['❤️', '👨‍👩‍👧', '👍🏽', '1️⃣', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '☺', '🇨🇳', '🏳️‍🌈'])(
  'the emoji %s keeps its variation characters',
  (emoji) => {
    expect(visibleText(`谢\u200b谢${emoji}\u2060!`)).toBe(`谢谢${emoji}!`);
  },
);

test.each(['张三', 'a b', '第一行\n第二行', '　', '', '𠮷野家', 'é', 'لطفي'])(
  'The text %j without invisible characters is unchanged',
  (written) => {
    expect(visibleText(written)).toBe(written);
  },
);

test('a zero-width joiner after an emoji is removed if no other emoji follows', () => {
  expect(visibleText('😀\u200d张\ufe0f')).toBe('😀张');
});

test('a text of 100,000 invisible characters or of 50,000 joined emoji is cleaned completely', () => {
  expect(visibleText('\u200d'.repeat(100_000))).toBe('');
  expect(visibleText('😀\u200d'.repeat(50_000))).toHaveLength(150_000 - 1);
});

test('C1 control characters and line separators become spaces in a text field', () => {
  expect(text(0, 20).parse('a\u0085b\u2028c\u009f')).toBe('a b c');
});
