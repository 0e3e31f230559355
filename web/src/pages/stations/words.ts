import { discountText } from '@waystation/contract/money/discount.ts';
import { formatYuan, percentText } from '@waystation/contract/money/money.ts';
import { offerRuleNames } from '@waystation/contract/network/offer-rule.ts';
import type { OfferCarriers, OfferRule } from '@waystation/contract/network/offer-rule.ts';
import { carriersText } from '@waystation/contract/network/offer-rule-words.ts';
import type { Station } from '@waystation/contract/network/station.ts';
import { wordOf } from '@waystation/contract/base/word-of.ts';
import { useTexts } from '#base/texts.ts';
import type { RecordWords } from '#resource/record/record-words.ts';

/**
 * The fields of a station that can be edited. Parent and status are included, although they have
 * separate endpoints.
 */
export type StationField =
  | keyof Pick<
      Station,
      | 'name'
      | 'province'
      | 'city'
      | 'county'
      | 'address'
      | 'sender_name'
      | 'sender_phone'
      | 'discount'
      | 'northeast_discount'
      | 'allow_select'
      | 'offer_rule'
      | 'offer_carriers'
      | 'offer_fallback'
      | 'has_amount'
      | 'fixed_freeze'
      | 'low_balance'
      | 'credit_limit'
      | 'enable_profit'
      | 'profit'
      | 'fixed_profit'
      | 'profit_limit'
      | 'fixed_profit_limit'
      | 'allow_print'
      | 'status'
      | 'parent_id'
      | 'project_id'
    >
  | 'customer_code';

/** The text of a discount in the usual form of the language: 8.5 折（85%）, or 85% of list. */
export const useRateWords = (): ((rate: number | null) => string) => {
  const { t, language } = useTexts();
  return (rate) => (rate === null ? t('stations.as_template') : discountText(rate, language));
};

/** The texts about the rule that chooses a product. */
const useOfferRuleWords = () => {
  const { t, language } = useTexts();
  return {
    offer_rule: {
      label: t('stations.offer_rule'),
      show: (value: unknown) => wordOf(offerRuleNames, value as OfferRule, language),
    },
    offer_carriers: {
      label: t('stations.offer_carriers'),
      show: (value: unknown) => carriersText(value as OfferCarriers, language) || '—',
    },
    offer_fallback: {
      label: t('stations.offer_fallback'),
      show: (value: unknown) =>
        t(value === 1 ? 'stations.offer_fallback_on' : 'stations.offer_fallback_off'),
    },
  };
};

/** The fields whose values are shown unchanged. */
type PlainField =
  | 'name'
  | 'province'
  | 'city'
  | 'county'
  | 'address'
  | 'sender_name'
  | 'sender_phone'
  | 'customer_code';

/**
 * The labels and value texts of a station's fields. `names` contains the names of stations and
 * schemes that the texts need.
 */
export const useStationWords = (
  names: {
    stations?: Readonly<Record<number, string>>;
    projects?: Readonly<Record<number, string>>;
  } = {},
): RecordWords<StationField | 'reason', Exclude<StationField, PlainField>> => {
  const { t } = useTexts();
  const rate = useRateWords();
  const offer = useOfferRuleWords();
  const flag = (on: string, off: string) => (value: unknown) => (value === 1 ? on : off);
  const fen = (value: unknown) => `¥${formatYuan(Number(value))}`;
  const share = (value: unknown) => `${percentText(Number(value))}%`;
  const discount = (value: unknown) => rate(typeof value === 'number' ? value : null);
  return {
    name: { label: t('stations.name') },
    parent_id: {
      label: t('stations.parent'),
      show: (value) => names.stations?.[Number(value)] ?? `#${Number(value)}`,
    },
    province: { label: t('stations.province') },
    city: { label: t('stations.city') },
    county: { label: t('stations.county') },
    address: { label: t('stations.address') },
    sender_name: { label: t('stations.sender_name') },
    sender_phone: { label: t('stations.sender_phone') },
    project_id: {
      label: t('stations.project'),
      show: (value) => names.projects?.[Number(value)] ?? `#${Number(value)}`,
    },
    discount: { label: t('stations.discount'), show: discount },
    northeast_discount: { label: t('stations.northeast_discount'), show: discount },
    allow_select: {
      label: t('stations.allow_select'),
      show: flag(t('stations.allow_select_on'), t('stations.allow_select_off')),
    },
    ...offer,
    customer_code: { label: t('stations.customer_code') },
    has_amount: {
      label: t('stations.has_amount'),
      show: flag(t('stations.has_amount_on'), t('stations.has_amount_off')),
    },
    reason: { label: t('stations.reason') },
    fixed_freeze: { label: t('stations.fixed_freeze'), show: fen },
    low_balance: {
      label: t('stations.low_balance'),
      show: (value) => (typeof value === 'number' ? fen(value) : t('stations.low_of_network')),
    },
    credit_limit: {
      label: t('stations.credit_limit'),
      show: (value) => (typeof value === 'number' ? fen(value) : t('stations.credit_unlimited')),
    },
    enable_profit: {
      label: t('stations.enable_profit'),
      show: flag(t('stations.enable_profit_on'), t('stations.enable_profit_off')),
    },
    profit: { label: t('stations.profit'), show: share },
    fixed_profit: { label: t('stations.fixed_profit'), show: fen },
    profit_limit: { label: t('stations.profit_limit'), show: share },
    fixed_profit_limit: { label: t('stations.fixed_profit_limit'), show: fen },
    allow_print: {
      label: t('stations.allow_print'),
      show: flag(t('stations.allow_print_on'), t('stations.allow_print_off')),
    },
    status: { label: t('lists.status'), show: flag(t('lists.enabled'), t('lists.disabled')) },
  };
};
