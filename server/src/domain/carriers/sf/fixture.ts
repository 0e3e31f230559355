import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CarrierAccount, CarrierOrder } from '#domain/carriers/port.ts';
import type { WireAnswer } from '#domain/carriers/wire.ts';
import { sf } from './sf.ts';

/** The text of a recorded request or answer of SF. */
export const golden = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'golden', `${name}.json`), 'utf8');

export const account: CarrierAccount = {
  provider: 'sf',
  base_url: 'https://bspgw.sf-express.com/std/service',
  app_key: 'PARTNER01',
  app_secret: 'a-check-word-of-32-characters-xx',
  access_token: '',
  customer_code: '7551234567',
  warehouse_code: '',
};

export const anOrder = (changes: Partial<CarrierOrder> = {}): CarrierOrder => ({
  order_id: 'WS26010200000001',
  thr_order_id: 'SHOP-1',
  sender_name: '张三',
  sender_phone: '0755-26000000-12',
  sender_province: '广东省',
  sender_city: '深圳市',
  sender_county: '南山区',
  sender_address: '示例科技路2号',
  receive_name: '李四',
  receive_phone: '13900000002-1234',
  receive_province: '上海市',
  receive_city: '市辖区',
  receive_county: '浦东新区',
  receive_address: "A'座(1~2)!*栋",
  package_count: 1,
  goods: '文件',
  goods_type: 1,
  weight: 1_305,
  length: 30,
  width: 20,
  height: 10,
  guarantee_value_amount: 50_000,
  promise_id: '2',
  remark: '轻放',
  description: '易碎',
  ...changes,
});

/** An answer of an SF service as JSON text inside the JSON of the gateway. */
export const inner = (fields: Record<string, unknown>): string =>
  JSON.stringify({
    apiResultCode: 'A1000',
    apiErrorMsg: '',
    apiResponseID: 'R1',
    apiResultData: JSON.stringify(fields),
  });
export const refused = (errorCode: string, errorMsg: string): string =>
  inner({ success: false, errorCode, errorMsg });

export interface SentCall {
  url: string;
  form: URLSearchParams;
  data: Record<string, unknown>;
}

/**
 * An SF adapter whose calls get these answers one after another, and the list of the calls that it
 * made.
 */
export const answering = (...answers: (string | WireAnswer)[]) => {
  const calls: SentCall[] = [];
  const carrier = sf({
    clock: { now: () => new Date('2026-01-02T01:00:00Z') },
    wire: {
      post: async ({ url, body }) => {
        const form = new URLSearchParams(body);
        const data = JSON.parse(form.get('msgData')!) as Record<string, unknown>;
        calls.push({ url: String(url), form, data });
        const answer = answers[calls.length - 1] ?? '';
        return typeof answer === 'string'
          ? { got: 'answer', http_status: 200, headers: {}, body: answer, ms: 1 }
          : answer;
      },
      close: () => {},
    },
  });
  return { carrier, calls };
};
