/** Reading what is typed or pasted into the search box as the server will read it: numbers, phone tails, parts of names. */

export const mostNumbers = 2_000;

const fullWidth = /[！-～]/g;

/** The words of a text: separated by anything that is not part of a number or a name, full-width characters made narrow, each once. */
export const readWords = (text: string): string[] => [
  ...new Set(
    text
      .replace(fullWidth, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
      .split(/[\s,;|、，；"']+/)
      .filter(Boolean),
  ),
];

/** A waybill, an order number or a phone, whole or in part. */
export const isNumber = (word: string): boolean => /^[A-Za-z0-9-]{4,50}$/.test(word) && /\d/.test(word);

export interface TypedSearch {
  /** What is searched for, words separated by one space. */
  q: string;
  /** How many numbers are looked up at once; 0 where it is an ordinary search. */
  numbers: number;
  tooMany: boolean;
}

/** Several numbers are looked up each whole; anything else is one search. */
export const readSearch = (text: string): TypedSearch => {
  const words = readWords(text);
  const numbers = words.length > 1 && words.every(isNumber) ? words.length : 0;
  return { q: words.join(' '), numbers, tooMany: numbers > mostNumbers };
};
