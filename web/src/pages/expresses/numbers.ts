import { orderNumberLength } from '@waystation/contract/limits.ts';
import { isNumberList, searchLimit, searchProblem, searchWords } from '@waystation/contract/search.ts';
import { visibleText } from '@waystation/contract/visible-text.ts';

export interface TypedSearch {
  /** What is searched for, spaces made one. */
  q: string;
  /** How many numbers are looked up at once; 0 where it is an ordinary search. */
  numbers: number;
  tooMany: boolean;
}

/** What is typed or pasted into the search box, read as the server reads it: several numbers are looked up each whole; anything else is one search. */
export const readSearch = (text: string): TypedSearch => {
  const words = searchWords(text);
  const numbers = isNumberList(words) ? words.length : 0;
  const typed = visibleText(text).replace(/\s+/g, ' ').trim();
  // One line may be a shop's order number, which holds any characters.
  const isList = numbers > 0 && (/[\r\n\t]/.test(text) || [...typed].length > orderNumberLength);
  return { q: words.length === 0 ? '' : isList ? words.join(' ') : typed, numbers, tooMany: numbers > searchLimit.numbers };
};

const phone = /(?<!\d)(1[3-9]\d[\s-]?\d{4}[\s-]?\d{4}|0\d{2,3}-?\d{7,8})(?!\d)/;
const place = /[省市区县州路街道村镇乡号]/;
/** A name and a place: what a recipient's details hold beside the phone. */
const leastCharacters = 8;

/** Whether a text is a recipient's details, which belong on the order form, rather than a search. */
export const looksLikeRecipient = (text: string): boolean =>
  (text.match(/\p{Script=Han}/gu)?.length ?? 0) >= leastCharacters && place.test(text) && (phone.test(text) || searchProblem(text)?.code === 'search_too_long');
