import { orderNumberLength } from '@waystation/contract/base/limits.ts';
import {
  isNumberList,
  searchLimit,
  searchProblem,
  searchWords,
} from '@waystation/contract/shell/search.ts';
import { visibleText } from '@waystation/contract/base/visible-text.ts';

export interface TypedSearch {
  /** The search text, in which several spaces are replaced by one. */
  q: string;
  /** The count of the numbers that are searched one by one; 0 for an ordinary search. */
  numbers: number;
  tooMany: boolean;
}

/**
 * Reads a typed or pasted search text with the same rules as the server. Several numbers are
 * searched one by one, and any other text is one search.
 */
export const readSearch = (text: string): TypedSearch => {
  const words = searchWords(text);
  const numbers = isNumberList(words) ? words.length : 0;
  const typed = visibleText(text).replace(/\s+/g, ' ').trim();
  // A text on one line may be a single order number of a shop. Such a number may contain any
  // characters.
  const isList = numbers > 0 && (/[\r\n\t]/.test(text) || [...typed].length > orderNumberLength);
  return {
    q: words.length === 0 ? '' : isList ? words.join(' ') : typed,
    numbers,
    tooMany: numbers > searchLimit.numbers,
  };
};

const phone = /(?<!\d)(1[3-9]\d[\s-]?\d{4}[\s-]?\d{4}|0\d{2,3}-?\d{7,8})(?!\d)/;
const place = /[省市区县州路街道村镇乡号]/;
/**
 * The minimum number of Chinese characters in a recipient's details. A name and a place have at
 * least this many.
 */
const leastCharacters = 8;

/** True if a searched text contains a recipient's details, which belong in the order form. */
export const looksLikeRecipient = (text: string): boolean =>
  (text.match(/\p{Script=Han}/gu)?.length ?? 0) >= leastCharacters &&
  place.test(text) &&
  (phone.test(text) || searchProblem(text)?.code === 'search_too_long');
