/** Sums and weights as one text, for titles, copies and announcements; in cells use money.tsx and weight.tsx. */
import { formatYuan } from '@waystation/contract/money.ts';
import { kgText } from '@waystation/contract/weight.ts';

/** Fen → "¥1,234.50", "−¥3.30". */
export const yuan = (fen: number): string => `${fen < 0 ? '−' : ''}¥${formatYuan(Math.abs(fen))}`;

/** Fen → "+¥3.30", "−¥3.30", "¥0.00". */
export const signedYuan = (fen: number): string => (fen > 0 ? `+${yuan(fen)}` : yuan(fen));

/** Grams → "3,214.6". */
export const kilograms = (grams: number): string => {
  const [whole, fraction] = kgText(grams).split('.');
  return whole!.replace(/\B(?=(\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
};

/** Grams → "4.3 kg". */
export const kg = (grams: number): string => `${kilograms(grams)} kg`;
