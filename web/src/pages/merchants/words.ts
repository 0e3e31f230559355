import { errorText } from '#base/error-text.ts';
import { environmentOf } from '@waystation/contract/network/merchant-accounts.ts';
import type { Merchant } from '@waystation/contract/network/merchant.ts';
import { formatYuan } from '@waystation/contract/money/money.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import type { Provider } from '@waystation/contract/network/provider.ts';
import { useFormat } from '#base/format.ts';
import { useTexts } from '#base/texts.ts';
import type { RecordWords } from '#resource/record/record-words.ts';

export type MerchantField =
  | 'name'
  | 'provider'
  | 'customer_code'
  | 'base_url'
  | 'app_key'
  | 'app_secret'
  | 'access_token'
  | 'token_expires_at'
  | 'guarantee'
  | 'warehouse_code'
  | 'sender_name'
  | 'sender_phone'
  | 'province'
  | 'city'
  | 'county'
  | 'address'
  | 'simulated'
  | 'prefetch_numbers'
  | 'is_default'
  | 'status'
  | 'paused_at'
  | 'ms'
  | 'ok'
  | 'reason';

/**
 * The labels of the fields of a carrier account, and the texts of their values. A secret shows only
 * whether it is new.
 */
export const useMerchantWords = (): RecordWords<MerchantField, 'provider' | 'status'> => {
  const { t, language } = useTexts();
  const format = useFormat();
  const flag = (value: unknown): string => t(value === 1 ? 'lists.enabled' : 'lists.disabled');
  const moment = (value: unknown): string => format.moment(String(value));
  const secret = { show: () => t('merchants.secret_changed') };
  return {
    name: { label: t('merchants.name') },
    provider: {
      label: t('merchants.provider'),
      show: (value) => providers[value as Provider]?.[language] ?? String(value),
    },
    customer_code: { label: t('merchants.customer_code') },
    base_url: { label: t('merchants.base_url') },
    app_key: { label: t('merchants.app_key'), ...secret },
    app_secret: { label: t('merchants.app_secret'), ...secret },
    access_token: { label: t('merchants.access_token'), ...secret },
    token_expires_at: { label: t('merchants.token_expires_at'), show: moment },
    guarantee: {
      label: t('merchants.guarantee'),
      show: (value) => `¥${formatYuan(Number(value))}`,
    },
    warehouse_code: { label: t('merchants.warehouse_code') },
    sender_name: { label: t('merchants.sender_name') },
    sender_phone: { label: t('merchants.sender_phone') },
    province: { label: t('common.province') },
    city: { label: t('common.city') },
    county: { label: t('common.county') },
    address: { label: t('merchants.address') },
    simulated: {
      label: t('merchants.simulated'),
      show: (value) => t(value === 1 ? 'merchants.simulated_on' : 'merchants.simulated_off'),
    },
    prefetch_numbers: {
      label: t('merchants.prefetch_numbers'),
      show: (value) => t(value === 1 ? 'merchants.prefetch_on' : 'merchants.prefetch_off'),
    },
    is_default: {
      label: t('merchants.is_default'),
      show: (value) => (value === 1 ? t('merchants.default_tag') : '—'),
    },
    status: { label: t('lists.status'), show: flag },
    paused_at: { label: t('merchants.paused'), show: moment },
    ms: {
      label: t('merchants.took'),
      show: (value) => t('merchants.call_ms', { ms: Number(value) }),
    },
    ok: {
      label: t('merchants.proof'),
      show: (value) => t(value === 1 ? 'merchants.outcome.ok' : 'merchants.failed'),
    },
    reason: { label: t('merchants.why'), show: (value) => errorText(String(value), {}, language) },
  };
};

export const useEnvironment = (): ((merchant: Merchant) => string) => {
  const { t } = useTexts();
  const words = {
    live: t('merchants.live'),
    sandbox: t('merchants.sandbox'),
    simulated: t('merchants.simulated_tag'),
    other: t('merchants.other'),
  };
  return ({ provider, base_url, simulated }) => words[environmentOf(provider, base_url, simulated)];
};

const day = 86_400_000;

/**
 * The number of whole days until a token expires. It is negative if the token has expired, and null
 * if the date is not known.
 */
export const daysLeft = (token_expires_at: string | null, now: number): number | null =>
  token_expires_at === null ? null : Math.floor((Date.parse(token_expires_at) - now) / day);
