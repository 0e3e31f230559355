import { dearest, finestStep, saysClosed } from '@waystation/contract/money/voucher-content.ts';
import type { Bracket } from '@waystation/contract/money/voucher-content.ts';
import type { PriceListRole } from '@waystation/contract/money/price-list.ts';
import { mostWeight } from '@waystation/contract/base/limits.ts';
import { parseYuan } from '@waystation/contract/money/money.ts';
import { parseKg } from '@waystation/contract/base/weight.ts';
import type { CellReason } from './row.ts';
import type { ListPlan } from './list-plan.ts';

/** The prices in a row of a price list. `minimum` is null if the list has no minimum charge. */
export type ListPrices =
  | { not_served: 1 }
  | {
      not_served: 0;
      first: { max_g: number; price: number };
      brackets: Bracket[];
      minimum: number | null;
    };

/** Records a problem of the cell in the column `at`, and returns null. */
export type RefuseAt = (
  at: number,
  code: CellReason['code'],
  params?: CellReason['params'],
) => null;

/** Parses a price that may have words for its unit: 2元/kg. */
const yuanOf = (text: string): number | null =>
  parseYuan(text.normalize('NFKC').replace(/\/(?:kg|公斤|千克)$/i, ''));

interface Bound {
  least: number;
  most: number;
}

const reader = (cells: readonly string[], refuse: RefuseAt) => ({
  yuan: (at: number): number | null => {
    const text = cells[at] ?? '';
    if (text === '') return refuse(at, 'price_sheet_missing');
    const fen = yuanOf(text);
    if (fen === null) return refuse(at, 'price_sheet_price');
    return fen < 0 || fen > dearest
      ? refuse(at, 'price_sheet_price_bounds', { least_amount: 0, limit_amount: dearest })
      : fen;
  },
  grams: (at: number, { least, most }: Bound): number | null => {
    const text = cells[at] ?? '';
    if (text === '') return refuse(at, 'price_sheet_missing');
    const grams = parseKg(text);
    if (grams === null) return refuse(at, 'price_sheet_weight');
    return grams < least || grams > most
      ? refuse(at, 'price_sheet_weight_bounds', { least_weight: least, limit_weight: most })
      : grams;
  },
});

/**
 * Collects adjacent weight brackets. If a price is for a whole range, the price of its bracket is
 * the difference from the range below.
 */
const bracketsFrom = (below: number, price: number, refuse: RefuseAt) => {
  const found: Bracket[] = [];
  let [bound, total] = [below, price];
  return {
    found,
    add: (at: number, up_to_g: number, step_g: number, amount: number): void => {
      if (up_to_g <= bound) {
        refuse(at, 'price_sheet_not_ascending', { below_weight: bound });
        return;
      }
      if ((up_to_g - bound) % step_g !== 0) {
        refuse(at, 'price_sheet_step', { span_weight: up_to_g - bound });
        return;
      }
      found.push({ up_to_g, step_g, price: amount });
      total += ((up_to_g - bound) / step_g) * amount;
      bound = up_to_g;
    },
    flat: (at: number, up_to_g: number, amount: number): void => {
      if (up_to_g <= bound) {
        refuse(at, 'price_sheet_not_ascending', { below_weight: bound });
        return;
      }
      found.push({ up_to_g, step_g: up_to_g - bound, price: amount - total });
      [bound, total] = [up_to_g, amount];
    },
  };
};

/**
 * The indexes of the price columns. A row is not served if one of these columns has a word for "not
 * served".
 */
const priceColumns = ({ places, ranges }: ListPlan): number[] => [
  ...(['first_price', 'step_price'] as const).flatMap((role) => places.get(role) ?? []),
  ...ranges.map(({ at }) => at),
];

/**
 * Reads the prices of a row with the plan of its columns; null if the row has no prices, or a cell
 * was refused.
 */
export const listPricesOf = (
  plan: ListPlan,
  cells: readonly string[],
  refuse: RefuseAt,
): ListPrices | null => {
  const { places, ranges, weights } = plan;
  const columns = priceColumns(plan);
  const filled = columns.filter((at) => (cells[at] ?? '') !== '');
  if (filled.length === 0) return null;
  if (filled.some((at) => saysClosed(cells[at] ?? ''))) return { not_served: 1 };
  const { yuan, grams } = reader(cells, refuse);
  const weightOf = (role: PriceListRole, known: number | null, least: number): number | null => {
    const at = places.get(role);
    return at === undefined ? known : grams(at, { least, most: mostWeight });
  };
  const firstAt = places.get('first_price');
  const [lowest] = ranges;
  const head = firstAt === undefined ? lowest : undefined;
  const max_g = head ? head.to_g : weightOf('first_weight', weights.first_g, 1);
  const price = yuan(firstAt ?? head?.at ?? 0);
  const step_g = weightOf('step_weight', weights.step_g, finestStep);
  const up_to_g = weightOf('up_to', weights.up_to_g, 1);
  const minimumAt = places.get('minimum');
  const text = minimumAt === undefined ? '' : (cells[minimumAt] ?? '');
  const minimum =
    minimumAt === undefined ? null : text === '' || saysClosed(text) ? 0 : yuan(minimumAt);
  if (max_g === null || price === null) return null;
  const brackets = bracketsFrom(max_g, price, refuse);
  for (const range of ranges) {
    if (range === head) continue;
    const amount = yuan(range.at);
    const end = range.to_g ?? up_to_g;
    if (amount === null || end === null) continue;
    if (range.flat) brackets.flat(range.at, end, amount);
    else if (step_g !== null) brackets.add(range.at, end, step_g, amount);
  }
  const stepAt = places.get('step_price');
  if (stepAt !== undefined) {
    const amount = yuan(stepAt);
    if (amount !== null && step_g !== null && up_to_g !== null)
      brackets.add(stepAt, up_to_g, step_g, amount);
  }
  return { not_served: 0, first: { max_g, price }, brackets: brackets.found, minimum };
};
