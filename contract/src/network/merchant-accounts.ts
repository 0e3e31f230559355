import type { Provider } from './provider.ts';

/**
 * The fields with which the carrier recognises an account. A field with `secret` is stored and
 * never shown again.
 */
export interface AccountField {
  name: 'customer_code' | 'app_key' | 'app_secret' | 'access_token';
  /** The name of the field in the carrier's own console. */
  zh: string;
  en: string;
  secret: boolean;
  required: boolean;
}

export interface AccountSchema {
  /** The hosts of the carrier itself; any other host is a relay or a simulator. */
  hosts: { live: string; sandbox: string; test?: string };
  fields: readonly AccountField[];
  /** True: orders can use waybill numbers that were fetched from the carrier before. */
  prefetches: boolean;
  /** True: orders contain the code of a warehouse from the contract. */
  hasWarehouse: boolean;
}

/**
 * The carriers with an adapter, and the fields of their accounts; accounts of other carriers cannot
 * be created.
 */
export const accountSchemas: Partial<Record<Provider, AccountSchema>> = {
  jdl: {
    hosts: {
      live: 'https://api.jdl.com',
      sandbox: 'https://uat-api.jdl.com',
      test: 'https://test-api.jdl.com',
    },
    prefetches: true,
    hasWarehouse: true,
    fields: [
      {
        name: 'customer_code',
        zh: '商家编码 customerCode',
        en: 'Customer code (customerCode)',
        secret: false,
        required: true,
      },
      { name: 'app_key', zh: '应用标识 AppKey', en: 'AppKey', secret: true, required: true },
      {
        name: 'app_secret',
        zh: '应用密钥 AppSecret',
        en: 'AppSecret',
        secret: true,
        required: true,
      },
      {
        name: 'access_token',
        zh: '访问令牌 AccessToken',
        en: 'AccessToken',
        secret: true,
        required: false,
      },
    ],
  },
  sf: {
    hosts: {
      live: 'https://bspgw.sf-express.com/std/service',
      sandbox: 'https://sfapi-sbox.sf-express.com/std/service',
    },
    prefetches: false,
    hasWarehouse: false,
    fields: [
      {
        name: 'customer_code',
        zh: '月结卡号 monthlyCard',
        en: 'Monthly card (monthlyCard)',
        secret: false,
        required: true,
      },
      {
        name: 'app_key',
        zh: '顾客编码 partnerID',
        en: 'Partner ID (partnerID)',
        secret: true,
        required: true,
      },
      {
        name: 'app_secret',
        zh: '校验码 checkWord',
        en: 'Check word (checkWord)',
        secret: true,
        required: true,
      },
    ],
  },
};

export const environments = ['live', 'sandbox', 'simulated', 'other'] as const;
export type Environment = (typeof environments)[number];

/**
 * Where an account's calls go: to the carrier's live system, one of its test systems, our
 * simulator, or another URL.
 */
export const environmentOf = (
  provider: Provider,
  base_url: string,
  simulated: 0 | 1,
): Environment => {
  if (simulated === 1) return 'simulated';
  const hosts = accountSchemas[provider]?.hosts;
  const address = base_url.replace(/\/+$/, '');
  if (address === hosts?.live) return 'live';
  return address === hosts?.sandbox || (hosts?.test !== undefined && address === hosts.test)
    ? 'sandbox'
    : 'other';
};
