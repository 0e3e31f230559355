import { randomUUID } from 'node:crypto';
import type { Answer } from '#carrier.ts';
import type { Settings } from '#settings.ts';

/**
 * The carrier's refusal of a request that the gateway accepted. The carrier does not publish its
 * table of business codes, so `code` is 1 by default.
 */
export class Refusal extends Error {
  readonly code: number;
  readonly subCode: string | null;
  readonly data: unknown;
  constructor(message: string, code = 1, subCode: string | null = null, data: unknown = null) {
    super(message);
    this.code = code;
    this.subCode = subCode;
    this.data = data;
  }
}

/** A refusal by the gateway, with a code of its table. */
export class GatewayRefusal extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`gateway code ${code}`);
    this.code = code;
  }
}

const gatewayTexts: Record<number, readonly [string, string]> = {
  2: ['Call limit reached', '调用次数超限'],
  4: ['Missing version', '缺少版本参数'],
  5: ['Unsupported version', '不支持的版本'],
  7: ['Missing timestamp', '缺少时间戳'],
  8: ['Invalid timestamp', '无效时间戳'],
  11: ['Missing signature', '缺少签名'],
  12: ['Invalid signature', '无效签名'],
  14: ['Missing method', '缺少方法名'],
  15: ['Invalid method', '无效方法名'],
  18: ['Missing access_token', '缺少access_token'],
  19: ['Invalid or expired access_token', 'access_token无效或已过期'],
  20: ['Missing or invalid app_key', '缺少或无效的app_key'],
};

/** Returns an error of the gateway, which has HTTP status 200 too. */
export const gatewayAnswer = (code: number): Answer => {
  const [en, zh] = gatewayTexts[code] ?? [`Gateway error ${code}`, `网关错误${code}`];
  return { status: 200, json: { error_response: { code, en_desc: en, zh_desc: zh } } };
};

/**
 * The business part of a response of the order interfaces. The settings decide if it is inside the
 * older SDK's wrapper.
 */
export type Envelope = {
  code: number;
  success: boolean;
  msg: string;
  subCode: string | null;
  subMsg: string | null;
  data: unknown;
};

export const envelopeAnswer = (
  settings: Settings,
  envelope: Envelope,
  startedAt: number,
): Answer => {
  const { code, success, msg, subCode, subMsg, data } = envelope;
  const mills = Math.max(0, Math.round(performance.now() - startedAt));
  const content = {
    code,
    success,
    msg,
    requestId: randomUUID().replaceAll('-', ''),
    mills,
    subCode,
    subMsg,
    data,
  };
  return {
    status: 200,
    json: settings.envelope === 'wrapped' ? { response: { content, code: 0 } } : content,
  };
};

/**
 * Returns a response of the print interface. Its fields and codes differ from those of the order
 * interfaces, and it never has the older wrapper.
 */
export const printAnswer = (body: Record<string, unknown>): Answer => ({ status: 200, json: body });

export const refusalEnvelope = (refusal: Refusal): Envelope => ({
  code: refusal.code,
  success: false,
  msg: refusal.message,
  subCode: refusal.subCode,
  subMsg: refusal.subCode === null ? null : refusal.message,
  data: refusal.data,
});
