import type { Reason } from '@waystation/contract/base/envelope.ts';
import { present } from '@waystation/contract/base/present.ts';
import type { GatewayFailure } from '#domain/carriers/port.ts';
import {
  fieldsOf,
  isFields,
  parseJson,
  textOf,
  unwrapJson,
  wordsOfCode,
} from '#domain/carriers/reading.ts';
import type { Fields } from '#domain/carriers/reading.ts';

/**
 * The part of JDL's gateway that is called: for orders, or for the data that the print component
 * reads.
 */
export type Domain = 'ECAP' | 'jdcloudprint';

/** The meaning of an answer: success, refusal, rejection by the gateway, or an unknown outcome. */
export type Envelope =
  | { is: 'ok'; code: string; text: string; data: unknown }
  | { is: 'refused'; code: string; text: string; data: unknown }
  | { is: 'gateway'; kind: GatewayFailure['kind']; code: string; text: string; data: unknown }
  | { is: 'unknown'; reason: Reason };

const kinds: Record<string, GatewayFailure['kind']> = {
  2: 'throttled',
  11: 'signature',
  12: 'signature',
  18: 'token',
  19: 'token',
  20: 'token',
};

/**
 * The kind of a gateway failure. The carrier does not publish its table of gateway codes, so the
 * text of the answer decides if our table has no such code.
 */
const kindOf = (code: string, text: string): GatewayFailure['kind'] => {
  if (Object.hasOwn(kinds, code)) return present(kinds[code]);
  if (/签名|sign(?:ature)?\b/i.test(text)) return 'signature';
  if (/token|令牌|授权|app_?key/i.test(text)) return 'token';
  return /频繁|限流|流控|次数|too many|limit/i.test(text) ? 'throttled' : 'other';
};

const gateway = (error: Fields, data: unknown): Envelope => {
  const code = textOf(error['code'], 40);
  const text = textOf(error['zh_desc']) || textOf(error['en_desc']) || textOf(error['msg']);
  return {
    is: 'gateway',
    kind: kindOf(code, `${text} ${textOf(error['en_desc'])}`),
    code,
    text: text || wordsOfCode(code),
    data,
  };
};

const throttledWords = /频繁|限流|流控|too many requests|rate limit/i;
/**
 * Words that show that JDL's own system failed. The order may be stored nevertheless, so this never
 * counts as a refusal.
 */
const systemWords =
  /系统(?:异常|错误|繁忙|故障)|服务(?:异常|超时|不可用|繁忙)|(?:调用|请求|处理|接口)超时|内部错误|system (?:error|busy|exception)|internal (?:server )?error|timed? ?out/i;

const wordsOf = (envelope: Fields): { code: string; text: string } => {
  const code = textOf(envelope['code'], 40);
  const subCode = textOf(envelope['subCode'], 40);
  const texts = [
    textOf(envelope['msg']) || textOf(envelope['message']),
    textOf(envelope['subMsg']),
  ].filter((text) => text !== '');
  return { code: subCode || code, text: [...new Set(texts)].join('；') };
};

/**
 * The content of an answer. JDL's older answers have it in `response.content`, possibly as JSON
 * text.
 */
const unwrap = (answer: Fields): Fields | null => {
  if (!isFields(answer['response'])) return answer;
  const { content } = answer['response'];
  if (content === undefined && answer['response']['error_response'] !== undefined)
    return answer['response'];
  const inner = unwrapJson(content);
  return isFields(inner) ? inner : null;
};

/**
 * Reads an answer in either of JDL's two formats. An answer is a success if `success` is true, or
 * if `code` is 0 and `success` is absent. The print service reports success as `code` 1, with the
 * data beside the code. If the HTTP status is not 2xx, the outcome is unknown, unless the answer is
 * an error of the gateway.
 */
export const readEnvelope = (
  httpStatus: number,
  body: string,
  domain: Domain = 'ECAP',
): Envelope => {
  const unreadable: Envelope = { is: 'unknown', reason: { code: 'carrier_unreadable' } };
  const answer = parseJson(body);
  const envelope = isFields(answer) ? unwrap(answer) : null;
  if (envelope && isFields(envelope['error_response']))
    return gateway(
      envelope['error_response'],
      unwrapJson(envelope['data'] ?? envelope['error_response']['data']),
    );
  if (httpStatus === 429)
    return {
      is: 'gateway',
      kind: 'throttled',
      code: '429',
      text: 'HTTP 429',
      data: unwrapJson(envelope?.['data']),
    };
  if (httpStatus < 200 || httpStatus > 299)
    return {
      is: 'unknown',
      reason: { code: 'carrier_http_status', params: { http_status: httpStatus } },
    };
  if (!envelope) return unreadable;

  const { success, data } = envelope;
  const { code, text } = wordsOf(envelope);
  // An answer of the print service is a success if its `code` is 1 and its `success` is not false.
  if (
    domain === 'jdcloudprint' &&
    textOf(envelope['code']) === '1' &&
    String(success ?? true) === 'true'
  )
    return { is: 'ok', code, text, data: envelope };
  const done =
    success === undefined || success === null
      ? textOf(envelope['code']) === '0'
      : String(success) === 'true';
  if (done && domain === 'ECAP') return { is: 'ok', code, text, data: unwrapJson(data) };
  const hasResult = (success !== undefined && success !== null) || textOf(envelope['code']) !== '';
  if (!hasResult) return unreadable;
  if (throttledWords.test(text))
    return { is: 'gateway', kind: 'throttled', code, text, data: unwrapJson(data) };
  if (systemWords.test(text))
    return { is: 'unknown', reason: { code: 'carrier_system_error', params: { text } } };
  return { is: 'refused', code, text: text || wordsOfCode(code), data: unwrapJson(data) };
};

/** The sub-code of an answer for an order that JDL already had. */
export const alreadyStored = '0_0001';

const repeatedWords = [
  /(?:订单|单号|运单|order|waybill).{0,16}(?:重复|已存在|已下单|repeat|duplicat|already exist)/i,
  /重复(?:的)?(?:商家)?(?:订单|单号|运单|下单)/,
  /(?:repeated|duplicated?) (?:merchant )?(?:order|waybill)/i,
];

/**
 * True if a refusal means that JDL already has an order with our number. JDL does not publish these
 * codes, so the text of the refusal is checked too.
 */
export const saysRepeated = (code: string, text: string): boolean =>
  code === alreadyStored || repeatedWords.some((words) => words.test(text));

/** The data of an answer if they are an object, otherwise an empty object. */
export const dataOf = (envelope: { data: unknown }): Fields => fieldsOf(envelope.data);
