import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { GatewayFailure } from '#domain/carriers/port.ts';
import { fieldsOf, isFields, parseJson, textOf, wordsOfCode } from '#domain/carriers/reading.ts';
import type { Fields } from '#domain/carriers/reading.ts';

/** The meaning of an answer: success, refusal, rejection by the gateway, or an unknown outcome. */
export type Envelope =
  | { is: 'ok'; data: unknown }
  | { is: 'refused'; code: string; text: string; data: unknown }
  | { is: 'gateway'; kind: GatewayFailure['kind']; code: string; text: string }
  | { is: 'unknown'; reason: Reason };

/** The `apiResultCode` of a call that reached its service. */
const reached = 'A1000';

/**
 * Gateway codes of calls that were not processed. A1007 (the request was sent before), A1009 and
 * A1099 (failures behind the gateway) are not listed: the outcome of their calls is unknown. The
 * outcome is also unknown for any code that is not listed.
 */
const gatewayKinds: Readonly<Record<string, GatewayFailure['kind']>> = {
  A1001: 'other',
  A1002: 'other',
  A1003: 'token',
  A1004: 'token',
  A1005: 'throttled',
  A1006: 'signature',
  A1008: 'signature',
  A1010: 'token',
  A1011: 'token',
};

/** The `errorCode` of a successful answer of SF. */
const fine = 'S0000';

/**
 * Words that show that SF's own system failed. The order may be stored nevertheless, so this does
 * not count as a refusal.
 */
const systemWords =
  /系统(?:异常|错误|繁忙|故障)|服务(?:异常|超时|不可用|繁忙)|(?:调用|请求|处理|接口)超时|内部错误|system (?:error|busy|exception)|internal (?:server )?error|timed? ?out/i;

/** Error codes that mean a refusal. After any other error code, the order may be stored. */
const refusals: ReadonlySet<string> = new Set(
  [
    'S0001 S0002 S0003 S0004 S0005 S0006 S0007 1010 1011 1012 1014 1015 1016 1020 1023 1028 1038',
    '4001 6118 6127 6128 6130 6138 6139 6150 6200 6201 6202 6203 6204 6205 6206 6207 8003 8016',
    '8017 8018 8019 8024 8027 8037 8057 8067 8096 8114 8117 8119 8177 8179 8181 8247 8252 8256',
    '20012 20035 20063',
  ].flatMap((codes) => codes.split(' ')),
);

const systemError = (code: string, text: string): Reason => ({
  code: 'carrier_system_error',
  params: { text: text.startsWith(code) ? text : `${code} ${text}` },
});

const jsonText = /^\s*(?:[[{"]|(?:true|false)\s*$)/;
/** Parses JSON text that is inside JSON text, because some services answer like this. */
const unwrapped = (value: unknown): unknown => {
  let inner = value;
  for (let depth = 0; depth < 3 && typeof inner === 'string' && jsonText.test(inner); depth += 1) {
    const next = parseJson(inner);
    if (next === undefined) break;
    inner = next;
  }
  return inner;
};

const wordsOf = (fields: Fields): string =>
  ['errorMsg', 'errorMessage', 'message', 'apiErrorMsg']
    .map((name) => textOf(fields[name]))
    .find((text) => text !== '') ?? '';

const dataIn = (inner: Fields): unknown =>
  unwrapped(inner['msgData'] ?? inner['obj'] ?? inner['data'] ?? null);

/** Reads the answer of the service itself, which is in `apiResultData`. */
const readInner = (outer: Fields): Envelope => {
  const unreadable: Envelope = { is: 'unknown', reason: { code: 'carrier_unreadable' } };
  const inner = unwrapped(outer['apiResultData']);
  if (inner === undefined || inner === null || inner === '') return unreadable;
  // Some services answer with only a list or a boolean.
  if (!isFields(inner)) return typeof inner === 'string' ? unreadable : { is: 'ok', data: inner };
  const { success, errorCode } = inner;
  if (success === undefined && (errorCode === undefined || textOf(errorCode) === fine))
    return { is: 'ok', data: dataIn(inner) ?? inner };
  if (success === true || success === 'true') return { is: 'ok', data: dataIn(inner) };
  return success === false || success === 'false' ? refusal(inner) : unreadable;
};

const refusal = (inner: Fields): Envelope => {
  const code = textOf(inner['errorCode'], 40);
  const text = wordsOf(inner) || code;
  if (systemWords.test(text) || !refusals.has(code))
    return {
      is: 'unknown',
      reason: text === '' ? { code: 'carrier_unreadable' } : systemError(code, text),
    };
  return { is: 'refused', code, text: wordsOf(inner) || wordsOfCode(code), data: dataIn(inner) };
};

/**
 * Reads an answer, in which the gateway's result contains the service's result. If the HTTP status
 * is not 2xx, the outcome is unknown, unless the answer is an error of the gateway.
 */
export const readEnvelope = (httpStatus: number, body: string): Envelope => {
  const outer = fieldsOf(parseJson(body));
  const code = textOf(outer['apiResultCode'], 40);
  const text = wordsOf(outer) || wordsOfCode(code);
  const kind = Object.hasOwn(gatewayKinds, code) ? gatewayKinds[code] : undefined;
  if (kind !== undefined) return { is: 'gateway', kind, code, text };
  if (httpStatus === 429)
    return { is: 'gateway', kind: 'throttled', code: '429', text: wordsOf(outer) || 'HTTP 429' };
  if (httpStatus < 200 || httpStatus > 299)
    return {
      is: 'unknown',
      reason: { code: 'carrier_http_status', params: { http_status: httpStatus } },
    };
  if (code === reached) return readInner(outer);
  return {
    is: 'unknown',
    reason:
      code === ''
        ? { code: 'carrier_unreadable' }
        : { code: 'carrier_system_error', params: { text: `${code} ${wordsOf(outer)}`.trim() } },
  };
};
