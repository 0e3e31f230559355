/**
 * Reads the parameter `q` of a list in the same way on server and browser (requirements §10.12).
 */
import { orderNumberLength } from '#base/limits.ts';
import { visibleText } from '#base/visible-text.ts';
import { waybillOf } from '#parcels/waybill-number.ts';

/** The maximum number of characters in a search text, and the maximum number of parcel numbers. */
export const searchLimit = { characters: 100, numbers: 2_000 } as const;

/** Converts full-width characters to half-width characters. */
export const narrow = (text: string): string =>
  text.replace(/[！-～]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0));

/**
 * The words of a search text. They are separated by any character that cannot be part of a number
 * or a name. Full-width characters become half-width, a number on a label becomes its waybill
 * number, and each word is listed once.
 */
export const searchWords = (text: string): string[] => [
  ...new Set(
    narrow(visibleText(text))
      .split(/[\s,;|、，；"']+/)
      .filter(Boolean)
      .map((word) => waybillOf(word) ?? word),
  ),
];

/** The waybill and order numbers in a search text, in capitals; each is listed once. */
export const searchNumbers = (text: string): string[] => [
  ...new Set(
    searchWords(text.toUpperCase()).flatMap((word) =>
      (word.match(/[A-Z0-9-]+/g) ?? []).map((number) => waybillOf(number) ?? number),
    ),
  ),
];

/**
 * True if the word looks like a waybill number, an order number or a phone number, or like a part
 * of one.
 */
export const looksLikeNumber = (word: string): boolean =>
  /^[A-Za-z0-9-]{4,50}$/.test(word) && /\d/.test(word);

/**
 * True if several words are a list of numbers, which may include a shop's order numbers such as
 * `#1002` and `TB/1`.
 */
export const isNumberList = (words: readonly string[]): boolean =>
  words.length > 1 &&
  words.every((word) => /\d/.test(word) && [...word].length <= orderNumberLength);

export type SearchProblem =
  | { code: 'search_too_long'; params: { limit: number; numbers: number } }
  | { code: 'too_many_numbers'; params: { limit: number; count: number } };

/** Why a text cannot be searched for; null if it can. */
export const searchProblem = (text: string): SearchProblem | null => {
  const { characters, numbers } = searchLimit;
  const plain = text.trim();
  if ([...plain].length <= characters) return null;
  const words = searchWords(plain);
  if (!words.every(looksLikeNumber) && !isNumberList(words))
    return { code: 'search_too_long', params: { limit: characters, numbers } };
  return words.length > numbers
    ? { code: 'too_many_numbers', params: { limit: numbers, count: words.length } }
    : null;
};
