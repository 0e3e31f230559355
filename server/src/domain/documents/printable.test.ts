import { hasGlyph, printableText, unprintableIn } from '@waystation/contract/parcels/printable.ts';
import { expect, test } from 'vitest';
import { divisions } from '#domain/address/address.ts';
import { openTypefaces } from './typefaces.ts';

const faces = openTypefaces();

test('a character is in the table of printable characters if and only if both the regular and the bold typeface contain it', () => {
  const wrong: string[] = [];
  for (let code = 0x20; code < 0x40000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const [regular, bold] = [
      faces.glyph(code, 'regular') !== null,
      faces.glyph(code, 'bold') !== null,
    ];
    if (regular !== bold || regular !== hasGlyph(code)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
  expect([0x40000, 0xe0100, 0xf0000, 0x10ffff].map(hasGlyph)).toEqual([false, false, false, false]);
});

test.each([
  ['张三', []],
  ['𠮷田 䶮 㐂 𬎆 𪨊 𨭎 㛃 𬭚', []],
  ['小明😀❤️😀', ['😀', '❤️']],
  ['👨‍👩‍👧盒', ['👨‍👩‍👧']],
  ['👍🏽', ['👍🏽']],
  ['中国🇨🇳', ['🇨🇳']],
  ['🏴󠁧󠁢󠁷󠁬󠁳󠁿', ['🏴󠁧󠁢󠁷󠁬󠁳󠁿']],
  ['第1️⃣箱', []],
  ['☎️12345', []],
  ['葛\u{e0100}城', []],
  ['\ue000号\uf8ff', ['\ue000', '\uf8ff']],
  ['བོད 里', ['བོ', 'ད']],
  ['ئۇ', ['ئ', 'ۇ']],
  ['محمد', ['م', 'ح', 'د']],
  ['ᠮ', ['ᠮ']],
  ['Cafe\u0301', []],
  ['가나', ['가', '나']],
  ['\ufa1d', []],
  ['\ud842号', ['\ufffd']],
  ['①②★♥→№㎏²℃￥', []],
  ['a\u200bb\u2060\ufeff\u3164\t\n', []],
  ['', []],
])('the text %j loses exactly the characters %j on a label', (text, expected) => {
  const found = unprintableIn(text);
  expect(found.filter((sign) => sign !== '\ufffd' || expected.includes(sign as never))).toEqual(
    expected,
  );
  expect(unprintableIn(printableText(text))).toEqual([]);
});

test('the name of every administrative division of China is printable', () => {
  expect(divisions.all.flatMap(({ name }) => unprintableIn(name))).toEqual([]);
});

test('unprintable characters in a text of 100,000 characters are found quickly', () => {
  expect(unprintableIn('😀\u200d'.repeat(50_000)).length).toBeGreaterThan(0);
  expect(unprintableIn(`e${'\u0301'.repeat(100_000)}`)).toBeDefined();
  expect(printableText('\u0301😀'.repeat(30_000)).includes('😀')).toBe(false);
});
