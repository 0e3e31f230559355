import { parseDecimal } from '#base/decimal.ts';
import type { Language } from '#base/errors.ts';
import { parsePercent, percentText, wholeRate, zheText } from './money.ts';

/**
 * A rate below this must be confirmed before it is saved: a user who types 0.85 for 8.5 折 would
 * waive most of the freight.
 */
export const lowDiscount = 5_000;

/**
 * A rate as each language writes it: `8.5 折（85%）`, `85% of list`. A rate of 100 % is not written as
 * a discount.
 */
export const discountText = (rate: number, language: Language): string => {
  if (rate === wholeRate) return language === 'zh' ? '不打折' : 'None';
  return language === 'zh'
    ? `${zheText(rate)} 折（${percentText(rate)}%）`
    : `${percentText(rate)}% of list`;
};

/** Writes a rate in short form, for a column that has no room for the long form: `8.5 折`. */
export const shortDiscount = (rate: number, language: Language): string =>
  language === 'zh' && rate !== wholeRate ? `${zheText(rate)} 折` : discountText(rate, language);

/**
 * Writes a discount as users type it: in 折 in Chinese, as a percentage of the list price in
 * English.
 */
export const typedDiscount = (rate: number, language: Language): string =>
  language === 'zh' ? zheText(rate) : percentText(rate);

/**
 * Converts a typed discount to basis points; null if it cannot be read. A per cent sign means per
 * cent in both languages. 85 折 cannot be read, because the largest discount is 10.
 */
export const parseDiscount = (text: string, language: Language): number | null => {
  const typed = text.normalize('NFKC').trim();
  if (language === 'en' || typed.endsWith('%')) return parsePercent(typed);
  const rate = parseDecimal(typed.replace(/\s*折$/, ''), 3);
  return rate === null || rate > wholeRate ? null : rate;
};
