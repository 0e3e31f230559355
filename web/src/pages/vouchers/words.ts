import { discountText } from '@waystation/contract/money/discount.ts';
import { formatYuan, wholeRate } from '@waystation/contract/money/money.ts';
import { provinceName } from '@waystation/contract/parcels/provinces.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { kgText } from '@waystation/contract/base/weight.ts';
import { useTexts } from '#base/texts.ts';
import type { RecordWords } from '#resource/record/record-words.ts';
import { useDivisions } from '#ui/fields/divisions.ts';
import { columnsOf } from './grid.ts';
import type { GridColumn } from './grid.ts';

export type VoucherField =
  | 'name'
  | 'provider'
  | 'promise_id'
  | 'discount'
  | 'northeast_discount'
  | 'status'
  | 'divisor'
  | 'no'
  | 'valid_from'
  | 'copied_from'
  | 'parcels'
  | 'cells';

/**
 * The text of a rate in the usual form of each language; null counts as 100 %, because a template
 * without a rate gives no discount.
 */
export const useRateWords = (): ((rate: number | null) => string) => {
  const { language } = useTexts();
  return (rate) => discountText(rate ?? wholeRate, language);
};

export const useVoucherWords = (): RecordWords<VoucherField, 'provider' | 'status'> => {
  const { t, language } = useTexts();
  const rate = useRateWords();
  const shown = (value: unknown): string => rate(typeof value === 'number' ? value : null);
  return {
    name: { label: t('vouchers.name') },
    provider: {
      label: t('vouchers.provider'),
      show: (value) => providers[value as Provider]?.[language] ?? String(value),
    },
    promise_id: { label: t('vouchers.promise') },
    discount: { label: t('vouchers.discount'), show: shown },
    northeast_discount: { label: t('vouchers.northeast_discount'), show: shown },
    status: {
      label: t('lists.status'),
      show: (value) => t(value === 1 ? 'lists.enabled' : 'lists.disabled'),
    },
    divisor: { label: t('vouchers.divisor') },
    no: { label: t('vouchers.version') },
    valid_from: { label: t('vouchers.valid_from') },
    copied_from: { label: t('vouchers.copied_from') },
    parcels: { label: t('vouchers.parcels') },
    cells: { label: t('vouchers.cells_changed') },
  };
};

/**
 * Returns the name of a region. A province has its short name. A city has its name only after the
 * official divisions have been loaded.
 */
export const useAreaName = (): ((area: string) => string) => {
  const { language } = useTexts();
  const { divisions } = useDivisions(true);
  return (area) =>
    area.endsWith('0000')
      ? provinceName(area, language)
      : (divisions?.byCode.get(area)?.short ?? area);
};

/** The title of a column of the price grid. */
export const useHeadWords = () => {
  const { t } = useTexts();
  return ({ part, bracket }: GridColumn): string => {
    const n = (bracket ?? 0) + 1;
    const words: Record<GridColumn['part'], string> = {
      name: t('vouchers.head.name'),
      max: t('vouchers.head.max'),
      first: t('vouchers.head.first'),
      up_to: t('vouchers.head.up_to', { n }),
      step: t('vouchers.head.step', { n }),
      price: t('vouchers.head.price', { n }),
      minimum: t('vouchers.head.minimum'),
    };
    return words[part];
  };
};

/** The titles of the grid's columns. */
export const useHeads = (brackets: number): string[] => columnsOf(brackets).map(useHeadWords());

/**
 * Returns the name of a field and the text of its value, for a comparison of two states of a
 * template.
 */
export const useCellWords = () => {
  const { t } = useTexts();
  const rate = useRateWords();
  const parts: Record<string, string> = {
    name: t('vouchers.head.name'),
    not_served: t('vouchers.not_served'),
    'first.max_g': t('vouchers.head.max'),
    'first.price': t('vouchers.head.first'),
    minimum: t('vouchers.head.minimum'),
    divisor: t('vouchers.divisor'),
    discount: t('vouchers.discount'),
    northeast_discount: t('vouchers.northeast_discount'),
  };
  const field = (name: string): string => {
    const [, bracket, part] = /^brackets\.(\d+)\.(\w+)$/.exec(name) ?? [];
    if (part === undefined) return parts[name] ?? name;
    const n = Number(bracket) + 1;
    if (part === 'up_to_g') return t('vouchers.head.up_to', { n });
    return part === 'step_g' ? t('vouchers.head.step', { n }) : t('vouchers.head.price', { n });
  };
  const value = (name: string, raw: string | number | null): string => {
    if (raw === null) return '—';
    if (name === 'not_served') return t(raw === 1 ? 'vouchers.not_served' : 'vouchers.served');
    if (name === 'discount' || name === 'northeast_discount') return rate(Number(raw));
    if (typeof raw === 'string' || name === 'divisor') return String(raw);
    return name.endsWith('_g') ? `${kgText(raw)} kg` : `¥${formatYuan(raw)}`;
  };
  return { field, value };
};
