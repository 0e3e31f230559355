import { mostAmount } from '@waystation/contract/limits.ts';
import { parseYuan } from '@waystation/contract/money.ts';

/** Yuan as typed → fen to pay in, or what is wrong with it. */
export const readTopUp = (text: string): { fen: number } | { wrong: 'missing' | 'invalid' | 'too_big' } => {
  if (text.trim() === '') return { wrong: 'missing' };
  const fen = parseYuan(text);
  if (fen === null || fen <= 0) return { wrong: 'invalid' };
  return fen > mostAmount ? { wrong: 'too_big' } : { fen };
};
