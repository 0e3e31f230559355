import { lineText, weightText } from '@waystation/contract/money/price-words.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import type { PriceLine, WeightMessage } from '@waystation/contract/money/price.ts';
import { signedYuan, yuan } from '#ui/values/amounts.ts';

/** The price of a parcel or of a quote that a panel explains. Amounts are in fen. */
export interface Explained {
  lines: readonly PriceLine[];
  post_amount: number;
  weight_message: WeightMessage | null;
}

interface Words {
  /** The first line of the text, for example the waybill number or the delivery time. */
  heading: string;
  weight: string;
  total: string;
}

/**
 * A price with its explanation as plain text. Users read it to a customer on the phone or send it
 * in a chat.
 */
export const priceAsText = (
  { lines, post_amount, weight_message }: Explained,
  words: Words,
  language: Language,
): string =>
  [
    words.heading,
    ...(weight_message ? [`${words.weight}: ${weightText(weight_message, language)}`] : []),
    ...lines.map((line) => `${lineText(line, language)}: ${signedYuan(line.result)}`),
    `${words.total}: ${yuan(post_amount)}`,
  ].join('\n');

/**
 * One line of two prices side by side, with `difference` = `after` − `before`. The other lines of
 * each side add up to the last line, `post_amount`.
 */
export interface Compared {
  key:
    | 'freight_amount'
    | 'discount_amount'
    | 'guarantee_amount'
    | 'surcharge_amount'
    | 'post_amount';
  before: number;
  after: number;
  difference: number;
}

type Amounts = Record<
  'freight_amount' | 'discount_amount' | 'guarantee_amount' | 'surcharge_amount' | 'post_amount',
  number
>;

const parts = [
  'freight_amount',
  'discount_amount',
  'guarantee_amount',
  'surcharge_amount',
  'post_amount',
] as const;

/**
 * Compares two prices line by line. Each line contains `before`, `after` and `difference`. The
 * discount is negative. A line that is zero in both prices is left out.
 */
export const comparePrices = (before: Amounts, after: Amounts): Compared[] =>
  parts
    .map((key) => {
      const sign = key === 'discount_amount' ? -1 : 1;
      const [old, now] = [before[key] * sign || 0, after[key] * sign || 0];
      return { key, before: old, after: now, difference: now - old };
    })
    .filter((part) => part.key === 'post_amount' || part.before !== 0 || part.after !== 0);
