import { isNumberList, searchWords } from '@waystation/contract/search.ts';

/** Whether what was typed or scanned may be a waybill, an order number or the tail of a phone: no command has a figure. */
export const looksLikeNumber = (typed: string): boolean => {
  const words = searchWords(typed);
  return words.length === 1 ? /\d/.test(words[0]!) : isNumberList(words);
};
