import { isNumberList, searchWords } from '@waystation/contract/shell/search.ts';

/**
 * Whether typed or scanned text may be a waybill, an order number or the tail of a phone: no
 * command contains a digit.
 */
export const looksLikeNumber = (typed: string): boolean => {
  const words = searchWords(typed);
  return words.length === 1 ? /\d/.test(words[0]!) : isNumberList(words);
};
