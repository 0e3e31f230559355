/**
 * Writes amounts and weights as plain text for titles, copied texts and announcements. Table cells
 * use money.tsx and weight.tsx.
 */
import { formatYuan } from '@waystation/contract/money/money.ts';
import { kgText } from '@waystation/contract/base/weight.ts';

/** Writes fen as yuan: "¥1,234.50", "−¥3.30". */
export const yuan = (fen: number): string => `${fen < 0 ? '−' : ''}¥${formatYuan(Math.abs(fen))}`;

/** Writes fen as "+¥3.30", "−¥3.30", "¥0.00". */
export const signedYuan = (fen: number): string => (fen > 0 ? `+${yuan(fen)}` : yuan(fen));

let weights: Intl.NumberFormat | undefined;

/** Writes grams as kilograms without the unit, for example "3,214.6". */
export const kilograms = (grams: number): string =>
  (weights ??= new Intl.NumberFormat('en-US')).format(kgText(grams));

/** Writes grams as kilograms: "4.3 kg". */
export const kg = (grams: number): string => `${kilograms(grams)} kg`;
