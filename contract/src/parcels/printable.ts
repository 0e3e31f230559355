/**
 * The characters that the typefaces of the label can print. The order form and imports warn of
 * other characters before the order. The table was made from the fonts; the server's test
 * `printable.test.ts` compares each code point with them.
 */

/**
 * Ranges of code points in base 36. Each range is written as its distance from the end of the
 * previous range and, after a dot, the number of further code points.
 */
const table =
  'w.2m y.2r d.3 7.1 d.3 o.1 3.1 4.3 3.1 l.5 11 e.1 e.1 t.f s.1 2g g 2i c 2.2 e h.1 l.1 3 3 5 1g.1 1p 9 a.g 2.6 8.o 1k f.1r 2 54d.1 2p.2h 5h 1d e 3.3 d.6 2.2 2.2 2.2 3.2 9 2.1 2 4.3 6 5.2 8 z 1h 2.1 1d.1 y 3 2 4.1 5 4 3 b.1 4.1 3.1 3 7 6 11.b 5.b l.9 v.1 b.2 5.1 4 2 2 i.3 c b 2.1 2.6 4 2.2 2 5 3.3 3 2.9 6.3 6 6 2 3 4 k.2 2.3 3.1 3.1 3.1 3.1 b.5 3.1 a.4 7 5 q r.1 k m.2 b 6 h.1 3q.1 d.e 2 c.1 20 1p.97 6.2 3.1 5.1 3.1 5.1 2.3 2.5 f.4 9 h.3 2.1 3 5.1 7.1 5.3 g h.2 u.f 3.b z t.1 1w h 7 z 2.1 m w.t e b7.1 3u 1n.1 7e.2 j 3f it.1 1x.p 2.2g d.5x r.b 5.1r 2.2d 3.2u 6.16 2.1e 2.15 2.17 5.z d.1a 2.7f 2.58o 23.g6n hld.a5 3.2x 13.4 lo.9 n.y 2.i 2.3 46.4e 2.t 4.5 3.5 3.5 3.2 4.6 2.6 1bma.c 4.2k 4.1o 2c.2 e.17 5.8 8.1 2pb.wye 16.378 c.65 3.4g1 f.5rk 2e8.f1 43k.1 b2';

const ranges: readonly (readonly [number, number])[] = (() => {
  let last = 0;
  return table.split(' ').map((range) => {
    const [distance, more = '0'] = range.split('.') as [string, string?];
    const first = last + Number.parseInt(distance, 36);
    last = first + Number.parseInt(more, 36);
    return [first, last] as const;
  });
})();

/**
 * True if the label's typefaces have this code point; control characters and spaces are printed as
 * spaces.
 */
export const hasGlyph = (code: number): boolean => {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last] = ranges[middle]!;
    if (code < first) high = middle - 1;
    else if (code > last) low = middle + 1;
    else return true;
  }
  return false;
};

/** Matches texts that certainly contain only printable characters, as most texts do. */
const plain = /^[\u4e00-\u9fff\x20-\x7e，。、（）：；－—·]*$/;
/**
 * Matches one sign as people see it: an emoji with its selectors and joiners, a flag, a letter with
 * its accents, or any other character.
 */
const picture = String.raw`\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?`;
const signs = new RegExp(
  String.raw`(${picture}(?:\u200d${picture})*(?:[\u{e0020}-\u{e007e}]{1,16}\u{e007f})?|[\d#*]\ufe0f?\u20e3|\p{Regional_Indicator}{2})|\p{L}\p{M}{1,8}|[^]`,
  'gu',
);
const blank = /^[\s\p{Cc}\p{Zl}\p{Zp}]$/u;
const invisible = /[\p{Cf}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * True if a sign is printed as a visible character; only the first character of an emoji is
 * printed.
 */
const isPrinted = (sign: string, isEmoji: boolean): boolean => {
  const visible = sign.replace(invisible, '');
  // A text is normalised only if it has combining accents: normalising Chinese characters would
  // change names.
  const [first = '', ...others] = /\p{M}/u.test(visible) ? visible.normalize('NFC') : visible;
  return [first, ...(isEmoji ? [] : others)].every(
    (character) => character === '' || blank.test(character) || hasGlyph(character.codePointAt(0)!),
  );
};

/** The characters of a text that the label omits, each listed once. */
export const unprintableIn = (text: string): string[] => {
  if (plain.test(text)) return [];
  const found = new Set<string>();
  for (const [sign, emoji] of text.toWellFormed().matchAll(signs))
    if (!isPrinted(sign, emoji !== undefined)) found.add(sign);
  return [...found];
};

/** Returns the text as the label prints it; screens show the original text. */
export const printableText = (text: string): string =>
  plain.test(text)
    ? text
    : text
        .toWellFormed()
        .replace(signs, (sign: string, emoji: string | undefined) =>
          isPrinted(sign, emoji !== undefined) ? sign : '',
        )
        .replace(/ {2,}/g, ' ')
        .trim();
