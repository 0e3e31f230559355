import { isNumberList, searchWords } from '@waystation/contract/shell/search.ts';

/**
 * True if the typed or scanned text may be a waybill number, an order number or the last digits of
 * a phone number. It must contain a digit, because no command does.
 */
export const looksLikeNumber = (typed: string): boolean => {
  const words = searchWords(typed);
  return words.length === 1 ? /\d/.test(words[0]!) : isNumberList(words);
};
