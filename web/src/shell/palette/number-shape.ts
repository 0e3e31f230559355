import { searchWords } from '@waystation/contract/search.ts';

/** Whether what was typed or scanned may be a waybill, an order number or the tail of a phone. */
export const looksLikeNumber = (typed: string): boolean => {
  const [word = '', ...others] = searchWords(typed);
  return others.length === 0 && /^[a-z0-9-]{4,40}$/i.test(word) && /\d{3}/.test(word);
};
