import { randomUUID } from 'node:crypto';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { phoneTail } from '@waystation/contract/parcels/phone.ts';
import { wallClockOf } from '#domain/carriers/wall-clock.ts';
import type {
  Answered,
  CallRecord,
  Carrier,
  CarrierAccount,
  CarrierParcel,
  Coverage,
  Measured,
  ParcelKey,
} from '#domain/carriers/port.ts';
import { fieldsOf, listOf, textOf, unwrapJson } from '#domain/carriers/reading.ts';
import {
  feeBody,
  filterBody,
  precheckBody,
  searchBody,
  subscribeBody,
  traceBody,
  validateBody,
  windowsBody,
} from './build-order.ts';
import { cancelledCode, saysNotFound } from './order.ts';
import { actualFeeOf, coverageOf, measuredOf, windowsOf } from './parse-facts.ts';
import { filterResultOf, isServed } from './parse-order.ts';
import { traceOf } from './push.ts';
import { ask } from './send.ts';
import type { SfContext } from './send.ts';

/** Two addresses in China's largest cities, which SF serves for every working account. */
const trial: CarrierParcel = {
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
  promise_id: '2',
};

/** The refusal for a waybill whose fee SF does not have yet. SF has no fee before the pickup. */
const noFee = '暂无费用';

type Windows = Coverage['pickup_windows'];

/** Asks SF for the pickup windows. Null if a phone is missing, because SF is then not asked. */
const askWindows = async (
  context: SfContext,
  account: CarrierAccount,
  parcel: CarrierParcel,
): Promise<Answered<Windows> | null> => {
  const msgData = windowsBody(account, parcel, randomUUID());
  return msgData === null
    ? null
    : ask(context, account, { operation: 'windows', msgData }, windowsOf);
};

/**
 * Adds the request for pickup windows to the log entry of a call, and the reason if that request
 * failed.
 */
const withWindows = (call: CallRecord, asked: Answered<Windows>): CallRecord => {
  const { trace_id, http_status, request, answer } = asked.call;
  const failure =
    asked.outcome === 'ok' ? {} : 'reason' in asked ? asked.reason : { code: asked.code };
  return {
    ...call,
    ms: Math.max(call.ms, asked.call.ms),
    answer: {
      coverage: call.answer,
      windows: { outcome: asked.outcome, ...failure, trace_id, http_status, request, answer },
    },
  };
};

/**
 * Asks SF if the places are served, and then for the times and prices of the products and for
 * pickup windows. An application may lack the right to request pickup windows. If that request
 * fails, the places still count as served, and the failure is in the log entry of the call.
 */
const precheck = async (
  context: SfContext,
  account: CarrierAccount,
  parcel: CarrierParcel,
): Promise<Answered<Coverage>> => {
  const filtered = await ask(
    context,
    account,
    { operation: 'filter', msgData: filterBody(account, parcel) },
    filterResultOf,
  );
  if (filtered.outcome !== 'ok') return filtered;
  // Delivery times are counted from the pickup.
  const at = Math.max(context.clock.now().getTime(), parcel.pickup_from?.getTime() ?? 0);
  const msgData = precheckBody(account, parcel, wallClockOf(new Date(at)));
  const served = isServed(filtered.value);
  const [answered, windows] = await Promise.all([
    ask(
      context,
      account,
      { operation: 'precheck', msgData },
      (data) => coverageOf(data, parcel.promise_id) ?? undefined,
    ),
    served ? askWindows(context, account, parcel) : null,
  ]);
  const answer =
    windows === null ? answered : { ...answered, call: withWindows(answered.call, windows) };
  if (answer.outcome !== 'ok') return answer;
  const { value } = answer;
  const pickup_windows = windows?.outcome === 'ok' ? windows.value : [];
  return { ...answer, value: { ...value, served: served && value.served, pickup_windows } };
};

const unmeasured = (order_id: string): Measured => ({
  jd_weight: null,
  jd_volume: null,
  package_count: null,
  order_id,
  unreadable: [],
});

/**
 * The weight and order number of a waybill. SF returns a weight only after the pickup; before the
 * pickup, the order is found by a search. If neither call finds an order, a third call asks whether
 * SF issued the waybill number.
 */
const details = async (
  context: SfContext,
  account: CarrierAccount,
  key: ParcelKey,
): Promise<Answered<Measured>> => {
  const weighed = await ask(
    context,
    account,
    { operation: 'fee', msgData: feeBody(key) },
    (data) => measuredOf(data) ?? undefined,
  );
  if (weighed.outcome === 'gateway' || weighed.outcome === 'unknown') return weighed;
  if (weighed.outcome === 'ok' && weighed.value.order_id !== '') return weighed;
  const measured = weighed.outcome === 'ok' ? weighed.value : unmeasured('');
  const search = { operation: 'search', msgData: searchBody(key) } as const;
  const found = await ask(context, account, search, (data) =>
    textOf(fieldsOf(data)['orderId'], 64),
  );
  if (found.outcome === 'ok' && found.value !== '')
    return { ...found, value: { ...measured, order_id: found.value } };
  if (found.outcome === 'refused' && !saysNotFound(found) && found.code !== cancelledCode)
    return { outcome: 'unknown', reason: refusedReason(found.text), call: found.call };
  if (found.outcome === 'gateway' || found.outcome === 'unknown') return found;
  if (weighed.outcome === 'ok') return weighed;
  const validate = { operation: 'validate', msgData: validateBody(key) } as const;
  const known = await ask(context, account, validate, isKnown);
  if (known.outcome === 'refused')
    return { outcome: 'unknown', reason: refusedReason(known.text), call: known.call };
  if (known.outcome !== 'ok') return known;
  const { call } = known;
  return known.value
    ? { outcome: 'ok', value: measured, call }
    : { outcome: 'refused', code: weighed.code, text: weighed.text, call };
};

const refusedReason = (text: string): Reason => ({ code: 'carrier_refused', params: { text } });

/** Returns a boolean unchanged, and undefined for any other value. */
const isKnown = (data: unknown): boolean | undefined =>
  typeof data === 'boolean' ? data : undefined;

/** The calls that only read and do not change an order. */
export const questions = (
  context: SfContext,
): Pick<Carrier, 'precheck' | 'trace' | 'details' | 'actualFee' | 'subscribe' | 'test'> => ({
  precheck: (account, parcel) => precheck(context, account, parcel),
  trace: (account, key) =>
    ask(context, account, { operation: 'trace', msgData: traceBody(key) }, (data) => {
      const resps = unwrapJson(fieldsOf(data)['routeResps']);
      if (!Array.isArray(resps)) return undefined;
      const own = resps.map(fieldsOf).find((row) => textOf(row['mailNo']) === key.delivery_id);
      const reasons = listOf(unwrapJson(own?.['reasonCode'])).map((reason) => textOf(reason, 20));
      return traceOf(listOf(unwrapJson(own?.['routes'])), key.delivery_id, reasons);
    }),
  details: (account, key) => details(context, account, key),
  actualFee: async (account, key) => {
    const answer = await ask(
      context,
      account,
      { operation: 'fee', msgData: feeBody(key) },
      actualFeeOf,
    );
    if (answer.outcome !== 'ok') return answer;
    const { value, call } = answer;
    return value === null
      ? { outcome: 'refused', code: '', text: noFee, call }
      : { ...answer, value };
  },
  subscribe: (account, key, receivePhone) =>
    ask(
      context,
      account,
      { operation: 'subscribe', msgData: subscribeBody(key, phoneTail(receivePhone)) },
      () => null,
    ),
  test: (account) =>
    ask(
      context,
      account,
      {
        operation: 'precheck',
        msgData: precheckBody(account, trial, wallClockOf(context.clock.now())),
      },
      () => null,
    ),
});
