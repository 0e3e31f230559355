import { randomBytes } from 'node:crypto';
import { phoneTail } from '@waystation/contract/parcels/phone.ts';
import { fail } from '#platform/fail.ts';
import type {
  Answered,
  CallRecord,
  CancelResult,
  Carrier,
  CarrierAccount,
  LabelPaper,
  ParcelKey,
} from '#domain/carriers/port.ts';
import {
  aboutBody,
  cancelBody,
  createBody,
  labelsBody,
  modifyBody,
  precheckBody,
  prefetchBody,
} from './build-order.ts';
import { dataOf } from './envelope.ts';
import { problemsOf } from './limits.ts';
import { create } from './order.ts';
import { actualFeeOf, coverageOf, measuredOf, refusedCoverage } from './parse-facts.ts';
import { componentLabelsOf } from './parse-labels.ts';
import { waybillsOf } from './parse-order.ts';
import { messagesOf, parsePush, pushAnswer } from './push.ts';
import { listOf, textOf, unwrapJson } from '#domain/carriers/reading.ts';
import type { Fields } from '#domain/carriers/reading.ts';
import { failedCall, send } from './send.ts';
import type { JdlContext, Operation } from './send.ts';
import { messageOfCancel } from './states.ts';

const mostNumbers = 500;
const cancelResults: Record<string, CancelResult> = {
  '0': 'cancelled',
  '1': 'intercepted',
  '2': 'cancel_failed',
  '3': 'intercept_failed',
  '4': 'intercepting',
};

/** Matches texts of successful answers that contain no information. */
const saysNothing = /^(?:成功|操作成功|success|ok|0)$/i;

/**
 * Templates of JDL's print component for each paper size. There is none for 100 × 150 mm, because
 * JDL has not confirmed one.
 */
const templates: Partial<Record<LabelPaper, string>> = {
  '76x130': 'https://template-content.jd.com/template-oss?tempCode=jdkd76x130',
};

const unreadable = (call: CallRecord): Answered<never> => ({
  outcome: 'unknown',
  reason: { code: 'carrier_unreadable' },
  call,
});

/** Two addresses in China's largest cities, which JDL serves for every working account. */
const trial = {
  sender_province: '北京市',
  sender_city: '北京市',
  sender_county: '朝阳区',
  sender_address: '建国门外大街1号',
  receive_province: '上海市',
  receive_city: '上海市',
  receive_county: '浦东新区',
  receive_address: '世纪大道1号',
  package_count: 1,
  goods: '',
  goods_type: 1,
  weight: 1000,
  length: 0,
  width: 0,
  height: 0,
  guarantee_value_amount: 0,
  promise_id: '',
};

const readsOf = (context: JdlContext) => {
  /**
   * Sends a request and reads the answer with `read`. The outcome is unknown if the answer is a
   * success but `read` cannot read its data.
   */
  const ask = async <T>(
    account: CarrierAccount,
    operation: Operation,
    body: string,
    read: (data: Fields, raw: unknown, text: string) => T | undefined,
  ): Promise<Answered<T>> => {
    const { envelope, call, sent } = await send(context, account, operation, body);
    if (envelope.is !== 'ok') return failedCall(envelope, { call, sent });
    const value = read(dataOf(envelope), envelope.data, envelope.text);
    return value === undefined ? unreadable(call) : { outcome: 'ok', value, call };
  };
  const about = <T>(
    account: CarrierAccount,
    operation: Operation,
    key: ParcelKey,
    read: (data: Fields) => T | undefined,
  ): Promise<Answered<T>> => ask(account, operation, aboutBody(account, key), read);
  return { ask, about };
};

/**
 * The adapter for JD Logistics with its own protocol, for accounts with a contract and monthly
 * payment.
 */
export const jdl = (context: JdlContext): Carrier => {
  const { ask, about } = readsOf(context);
  return {
    provider: 'jdl',
    // JDL answers a repeated order with the waybill number of the first one.
    recovers_by: 'repeat',
    offers_windows: true,
    problemsOf,
    createBody,
    modifyBody,
    messageOfCancel,
    parsePush,
    pushAnswer,
    create: (account, body) => create(context, account, body),
    precheck: (account, parcel) =>
      ask(account, 'precheck', precheckBody(account, parcel), (data) =>
        coverageOf(data, parcel.promise_id),
      ),
    refusedCoverage,
    prefetch: (account, count) => {
      if (!Number.isInteger(count) || count < 1 || count > mostNumbers)
        fail('carrier_prefetch_count', { max: mostNumbers });
      return ask(account, 'prefetch', prefetchBody(account, count), (_, raw) => {
        const numbers = waybillsOf(raw);
        return numbers.length > 0 ? numbers : undefined;
      });
    },
    modify: (account, body) => ask(account, 'modify', body, () => null),
    cancel: (account, key, reason) =>
      ask(account, 'cancel', cancelBody(account, key, reason), (data, _, text) => {
        const result = cancelResults[textOf(data['resultType'])];
        return result && { result, text: saysNothing.test(text) ? '' : text };
      }),
    labelTemplate: (format) => templates[format] ?? null,
    labels: (account, parcels) =>
      ask(
        account,
        'labels',
        labelsBody(account, parcels, randomBytes(10).toString('hex')),
        ({ prePrintDatas }) => componentLabelsOf(prePrintDatas, parcels),
      ),
    trace: (account, key) =>
      about(account, 'trace', key, ({ traceDetails }) => {
        const rows = unwrapJson(traceDetails ?? []);
        return Array.isArray(rows) ? messagesOf(listOf(rows), key.delivery_id) : undefined;
      }),
    details: (account, key) =>
      about(account, 'details', key, (data) => measuredOf(data) ?? undefined),
    actualFee: (account, key) =>
      about(account, 'fee', key, (data) => actualFeeOf(data) ?? undefined),
    subscribe: (account, key, receivePhone) =>
      ask(
        account,
        'subscribe',
        aboutBody(account, key, { mobile: phoneTail(receivePhone) }),
        () => null,
      ),
    test: (account) => ask(account, 'precheck', precheckBody(account, trial), () => null),
  };
};
