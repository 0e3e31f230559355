import { phoneTail } from '@waystation/contract/parcels/phone.ts';
import { wallClockOf } from '#domain/carriers/wall-clock.ts';
import type {
  Answered,
  Carrier,
  CarrierAccount,
  CarrierParcel,
  Coverage,
} from '#domain/carriers/port.ts';
import { fieldsOf, listOf, textOf, unwrapJson } from '#domain/carriers/reading.ts';
import { feeBody, filterBody, precheckBody, subscribeBody, traceBody } from './build-order.ts';
import { actualFeeOf, coverageOf, measuredOf } from './parse-facts.ts';
import { filterResultOf, isServed } from './parse-order.ts';
import { traceOf } from './push.ts';
import { ask } from './send.ts';
import type { SfContext } from './send.ts';

/** Two addresses in the country's largest cities, which every working account serves. */
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

/** SF has no fee before the pickup. */
const noFee = '暂无费用';

/** Reachability first, then times and prices of the products. */
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
  const msgData = precheckBody(account, parcel, wallClockOf(context.clock.now()));
  const answer = await ask(
    context,
    account,
    { operation: 'precheck', msgData },
    (data) => coverageOf(data, parcel.promise_id) ?? undefined,
  );
  if (answer.outcome !== 'ok' || isServed(filtered.value.result)) return answer;
  return { ...answer, value: { ...answer.value, served: false } };
};

/** The calls that change no order. */
export const questions = (
  context: SfContext,
): Pick<Carrier, 'precheck' | 'trace' | 'details' | 'actualFee' | 'subscribe' | 'test'> => ({
  precheck: (account, parcel) => precheck(context, account, parcel),
  trace: (account, key) =>
    ask(context, account, { operation: 'trace', msgData: traceBody(key) }, (data) => {
      const resps = unwrapJson(fieldsOf(data)['routeResps']);
      if (!Array.isArray(resps)) return undefined;
      const own = resps.map(fieldsOf).find((row) => textOf(row['mailNo']) === key.delivery_id);
      return traceOf(listOf(unwrapJson(own?.['routes'])), key.delivery_id);
    }),
  details: (account, key) =>
    ask(
      context,
      account,
      { operation: 'fee', msgData: feeBody(key) },
      (data) => measuredOf(data) ?? undefined,
    ),
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
