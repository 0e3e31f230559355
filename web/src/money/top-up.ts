import { mostAmount } from '@waystation/contract/base/limits.ts';
import { parseYuan } from '@waystation/contract/money/money.ts';

/** Converts typed yuan to fen, or returns the error. */
export const readTopUp = (
  text: string,
): { fen: number } | { wrong: 'missing' | 'invalid' | 'too_big' } => {
  if (text.trim() === '') return { wrong: 'missing' };
  const fen = parseYuan(text);
  if (fen === null || fen <= 0) return { wrong: 'invalid' };
  return fen > mostAmount ? { wrong: 'too_big' } : { fen };
};
