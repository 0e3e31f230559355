import { createHash, createHmac } from 'node:crypto';

/**
 * The credentials of a merchant. Tests sign with them in code that does not use the simulator's own
 * code.
 */
export type Identity = {
  appKey: string;
  appSecret: string;
  accessToken: string;
  customerCode: string;
};

export const example: Identity = {
  appKey: 'demoappkey0000000000000000000001',
  appSecret: 'demosecret000000000000000000000a',
  accessToken: 'demotoken0000000000000000000000b',
  customerCode: '010K000001',
};

export type CallOptions = {
  identity?: Identity;
  algorithm?: string;
  /** Query parameters that replace the usual ones; a parameter with the value null is left out. */
  query?: Record<string, string | null>;
  headers?: Record<string, string>;
  body?: string;
  method?: string;
  domain?: string;
  hours?: number;
  at?: number;
  signal?: AbortSignal;
};

const digests: Record<string, string> = {
  HMacMD5: 'md5',
  HMacSHA1: 'sha1',
  HMacSHA256: 'sha256',
  HMacSHA512: 'sha512',
};

const sign = (
  identity: Identity,
  {
    path,
    body,
    timestamp,
    algorithm,
  }: { path: string; body: string; timestamp: string; algorithm: string },
): string => {
  const { appKey, appSecret, accessToken } = identity;
  const text = `${appSecret}access_token${accessToken}app_key${appKey}method${path}param_json${body}timestamp${timestamp}v2.0${appSecret}`;
  const digest = digests[algorithm];
  if (digest === undefined) return createHash('md5').update(text).digest('hex');
  return createHmac(digest, appSecret).update(text).digest('base64');
};

export const stamp = (at: number, hours = 8): string =>
  new Date(at + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

/** Sends one signed call and returns the raw response. */
export const send = (
  base: string,
  path: string,
  content: unknown,
  options: CallOptions = {},
): Promise<Response> => {
  const identity = options.identity ?? example;
  const body = options.body ?? JSON.stringify([content]);
  const timestamp = options.query?.['timestamp'] ?? stamp(options.at ?? Date.now(), options.hours);
  const query: Record<string, string | null> = {
    'LOP-DN': options.domain ?? (path.startsWith('/Pull') ? 'jdcloudprint' : 'ECAP'),
    app_key: identity.appKey,
    access_token: identity.accessToken,
    timestamp,
    v: '2.0',
    sign: sign(identity, { path, body, timestamp, algorithm: options.algorithm ?? 'md5-salt' }),
    ...(options.algorithm === undefined ? {} : { algorithm: options.algorithm }),
    ...options.query,
  };
  const present = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return fetch(`${base}${path}?${new URLSearchParams(present)}`, {
    method: options.method ?? 'POST',
    headers: {
      'content-type': 'application/json;charset=utf-8',
      'lop-tz': String(options.hours ?? 8),
      ...options.headers,
    },
    ...(options.method === 'GET' ? {} : { body }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
};

// An answer may be any JSON; tests look into it field by field.
// oxlint-disable-next-line no-explicit-any
export type Json = any;

export const call = async (
  base: string,
  path: string,
  content: unknown,
  options: CallOptions = {},
): Promise<Json> => (await send(base, path, content, options)).json();

export const paths = {
  precheck: '/ecap/v1/orders/precheck',
  numbers: '/ecap/v1/orders/pregetwaybillcodes',
  create: '/ecap/v1/orders/create',
  modify: '/ecap/v1/orders/modify',
  cancel: '/ecap/v1/orders/cancel',
  status: '/ecap/v1/orders/status/get',
  trace: '/ecap/v1/orders/trace/query',
  subscribe: '/ecap/v1/orders/trace/subscribe',
  details: '/ecap/v1/orders/details/query',
  fee: '/ecap/v1/orders/actualfee/query',
  pullData: '/PullDataService/pullData',
  templates: '/PullDataService/getTemplateList',
} as const;

/**
 * Returns the body of a valid request that creates an order, with the fields of `change` applied.
 */
export const anOrder = (
  orderId: string,
  change: Record<string, unknown> = {},
): Record<string, unknown> => ({
  orderId,
  orderOrigin: 1,
  customerCode: example.customerCode,
  settleType: 3,
  senderContact: { name: '张三', mobile: '13800000001', fullAddress: '北京市朝阳区示例路1号' },
  receiverContact: { name: '李四', mobile: '13900000002', fullAddress: '上海市浦东新区示例路2号' },
  productsReq: {
    productCode: 'ed-m-0001',
    addedProducts: [{ productCode: 'ed-a-0002', productAttrs: { guaranteeMoney: '500' } }],
  },
  cargoes: [{ name: '文件', quantity: 1, weight: 1.5, volume: 1000 }],
  commonChannelInfo: { channelCode: '0030001' },
  extendProps: { autoSubscribe: '1' },
  ...change,
});

/** Returns the fields of a request about an existing order. */
export const named = (
  waybillCode: string,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({
  waybillCode,
  orderOrigin: 1,
  customerCode: example.customerCode,
  ...more,
});

/** Creates an order and returns its waybill; throws if the carrier refuses the order. */
export const createOrder = async (
  base: string,
  orderId: string,
  change: Record<string, unknown> = {},
): Promise<string> => {
  const answer = await call(base, paths.create, anOrder(orderId, change));
  if (answer.success !== true) throw new Error(JSON.stringify(answer));
  return answer.data.waybillCode as string;
};
