import { createHash, randomUUID } from 'node:crypto';
import type { Json } from './jdl-client.ts';

/**
 * The credentials of an SF partner. Tests sign with them in code that does not use the simulator's
 * own code.
 */
export type SfIdentity = { partnerId: string; checkWord: string };

export const sfExample: SfIdentity = {
  partnerId: 'WAYSTATIONDEMO',
  checkWord: 'democheckword00000000000000000sf',
};

export const sfCard = '7551234567';

/** Encodes a text for a form exactly as Java does. */
const encoded = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const digests: Record<string, (content: string) => string> = {
  standard_md5: (content) => createHash('md5').update(encoded(content)).digest('base64'),
  simple_md5: (content) => createHash('md5').update(content).digest('base64'),
  sm3: (content) => createHash('sm3').update(content).digest('hex'),
};

export type SfCallOptions = {
  identity?: SfIdentity;
  kind?: string;
  at?: number;
  requestId?: string;
  /** Form fields that replace the usual ones; a field with the value null is left out. */
  fields?: Record<string, string | null>;
};

/** Sends one signed call and returns the raw response. */
export const sendSf = (
  base: string,
  service: string,
  content: unknown,
  options: SfCallOptions = {},
): Promise<Response> => {
  const { partnerId, checkWord } = options.identity ?? sfExample;
  const msgData = JSON.stringify(content);
  const timestamp = String(options.at ?? Date.now());
  const digest = digests[options.kind ?? 'standard_md5']!;
  const fields: Record<string, string | null> = {
    partnerID: partnerId,
    requestID: options.requestId ?? randomUUID(),
    serviceCode: service,
    timestamp,
    msgDigest: digest(msgData + timestamp + checkWord),
    msgData,
    ...options.fields,
  };
  const present = Object.entries(fields).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  return fetch(`${base}/std/service`, { method: 'POST', body: new URLSearchParams(present) });
};

/** Calls a service, and returns the gateway's code and the service's response. */
export const callSf = async (
  base: string,
  service: string,
  content: unknown,
  options: SfCallOptions = {},
): Promise<{ code: string; inner: Json }> => {
  const answer: Json = await (await sendSf(base, service, content, options)).json();
  const inner: Json = answer.apiResultData === null ? null : JSON.parse(answer.apiResultData);
  return { code: answer.apiResultCode, inner };
};

/** Returns the body of a valid create request with the fields of `change` applied. */
export const anSfOrder = (
  orderId: string,
  change: Record<string, unknown> = {},
): Record<string, unknown> => ({
  language: 'zh-CN',
  orderId,
  cargoDetails: [{ name: '文件', count: 1, unit: '件' }],
  contactInfoList: [
    {
      contactType: 1,
      contact: '张三',
      mobile: '13800000001',
      country: 'CN',
      province: '广东省',
      city: '深圳市',
      county: '南山区',
      address: '示例路1号',
    },
    {
      contactType: 2,
      contact: '李四',
      mobile: '13900000002',
      country: 'CN',
      province: '上海市',
      city: '上海市',
      county: '浦东新区',
      address: "A'座(1~2)!*栋",
    },
  ],
  monthlyCard: sfCard,
  payMethod: 1,
  expressTypeId: 2,
  parcelQty: 1,
  totalWeight: 1.5,
  ...change,
});

/** Creates an order and returns its waybill; throws if the carrier refuses the order. */
export const createSfOrder = async (
  base: string,
  orderId: string,
  change: Record<string, unknown> = {},
): Promise<string> => {
  const { inner } = await callSf(base, 'EXP_RECE_CREATE_ORDER', anSfOrder(orderId, change));
  if (inner?.success !== true) throw new Error(JSON.stringify(inner));
  return inner.msgData.waybillNoInfoList[0].waybillNo as string;
};
