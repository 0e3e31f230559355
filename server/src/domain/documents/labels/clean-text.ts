import { present } from '@waystation/contract/base/present.ts';
/** Matches a text of characters that every typeface has and that need no cleaning. */
const plain =
  /^[\u4e00-\u9fff\x21-\x7e，。、（）：；－—·]*(?: [\u4e00-\u9fff\x21-\x7e，。、（）：；－—·]+)*$/;
const emoji = /\p{RGI_Emoji}/gv;
const spaces = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;
const invisible = /[\p{Cf}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]/gu;
const marked = /\p{L}\p{M}+/gu;

/** The largest number of characters of a text on a label; no paper has room for more. */
const limit = 600;

/**
 * A stored text as one line of visible characters. Control, direction and zero-width characters are
 * removed, and any white space becomes one space. An emoji sequence becomes one character, and
 * letters are composed with their accents. Chinese characters are not composed, because that would
 * change names.
 */
export const cleanText = (value: unknown): string => {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const text = String(value).slice(0, limit * 4);
  if (plain.test(text) && text.length <= limit) return text;
  const cleaned = text
    .toWellFormed()
    .replace(emoji, (sequence) => String.fromCodePoint(present(sequence.codePointAt(0))))
    .replace(marked, (letter) => letter.normalize('NFC'))
    .replace(invisible, '')
    .replace(spaces, ' ')
    .trim();
  return cleaned.length <= limit ? cleaned : [...cleaned].slice(0, limit).join('');
};

/**
 * Shortens a text to at most `count` characters (code points); if the text was longer, the last
 * character is an ellipsis.
 */
export const cut = (text: string, count: number): string => {
  if (text.length <= count) return text;
  const characters = [...text];
  return characters.length <= count ? text : `${characters.slice(0, count - 1).join('')}…`;
};
