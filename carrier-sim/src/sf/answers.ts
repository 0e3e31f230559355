import { randomUUID } from 'node:crypto';
import type { Answer } from '#carrier.ts';

const words: Record<string, string> = {
  A1000: '',
  A1001: '必传参数不可为空',
  A1002: '请求时效已过期',
  A1003: 'IP无效',
  A1004: '无对应服务权限',
  A1005: '流量受控',
  A1006: '数字签名无效',
  A1007: '重复请求',
  A1008: '数据解密失败',
  A1009: '目标服务异常或不可达',
  A1010: '状态为沙箱测试',
  A1011: '批准失败',
  A1099: '系统异常',
};

/** Thrown if the gateway refuses a request before it reaches a service. */
export class GatewayRefusal extends Error {
  readonly code: string;
  constructor(code: string) {
    super(words[code] ?? code);
    this.code = code;
  }
}

/** Thrown if a service refuses a request. */
export class Refusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const outer = (code: string, message: string, data: unknown): Answer => ({
  status: 200,
  json: {
    apiErrorMsg: message,
    apiResponseID: randomUUID().replaceAll('-', '').toUpperCase(),
    apiResultCode: code,
    apiResultData: data,
  },
});

export const gatewayAnswer = (code: string): Answer => outer(code, words[code] ?? code, null);

/** Returns a service's response. It is JSON text inside the JSON of the gateway's response. */
export const serviceAnswer = (data: unknown, bare = false): Answer =>
  outer(
    'A1000',
    '',
    JSON.stringify(
      bare ? data : { success: true, errorCode: 'S0000', errorMsg: null, msgData: data },
    ),
  );

export const refusalAnswer = ({ code, message }: Refusal): Answer =>
  outer(
    'A1000',
    '',
    JSON.stringify({ success: false, errorCode: code, errorMsg: message, msgData: null }),
  );
