import type {
  Accepted,
  CarrierAccount,
  CreateAnswer,
  SeekAnswer,
  SoughtOrder,
} from '#domain/carriers/port.ts';
import { fieldsOf, parseJson, textOf } from '#domain/carriers/reading.ts';
import { searchBody } from './build-order.ts';
import { acceptedOf, unreachableOf } from './parse-order.ts';
import { failedOf, send } from './send.ts';
import type { SfContext } from './send.ts';

/** The code of an order number that SF has already. */
const repeatedOrder = '8016';
/** Codes of a search that found no order. */
const notFound = new Set(['8018', '8024', '6150']);
const notFoundWords =
  /(?:订单|运单|order).{0,12}(?:不存在|未找到|无此|not (?:exist|found))|(?:无此|没有该?)订单|未下单/i;

/**
 * Searches an order by our number. SF answers as to the create call; a refusal that does not say
 * that there is no such order leaves the outcome unknown.
 */
export const seek = async (
  context: SfContext,
  account: CarrierAccount,
  { order_id }: Pick<SoughtOrder, 'order_id'>,
): Promise<SeekAnswer> => {
  const { envelope, call, sent } = await send(context, account, 'search', searchBody({ order_id }));
  if (envelope.is === 'ok') {
    const named = textOf(fieldsOf(envelope.data)['orderId'], 64);
    if (named !== '' && named !== order_id)
      return { outcome: 'unknown', reason: { code: 'carrier_unreadable' }, call };
    return (
      acceptedOf(envelope.data, true, call) ?? {
        outcome: 'stored_without_number',
        code: '',
        text: unreachableOf(fieldsOf(envelope.data)) ?? '',
        call,
      }
    );
  }
  if (envelope.is !== 'refused') {
    const failed = failedOf(envelope, { call, sent });
    return failed.outcome === 'refused'
      ? { outcome: 'unknown', reason: { code: 'carrier_unreadable' }, call }
      : failed;
  }
  const { code, text } = envelope;
  return notFound.has(code) || notFoundWords.test(text)
    ? { outcome: 'not_stored', code, text, call }
    : { outcome: 'unknown', reason: { code: 'carrier_refused', params: { text } }, call };
};

/**
 * Compares a stored order with what the search says about it, since SF answers a repeated number
 * with the first order. Another waybill leaves the outcome unknown; a search without an answer
 * changes nothing, because the create call was answered.
 */
const confirmed = async (
  context: SfContext,
  account: CarrierAccount,
  order_id: string,
  created: Accepted,
): Promise<CreateAnswer> => {
  const found = await seek(context, account, { order_id });
  if (found.outcome !== 'accepted') return created;
  if (found.delivery_id !== created.delivery_id)
    return {
      outcome: 'unknown',
      reason: {
        code: 'carrier_contradicts',
        params: { text: `${created.delivery_id} ≠ ${found.delivery_id}` },
      },
      call: found.call,
    };
  return {
    ...created,
    need_retry: found.need_retry,
    print_data: found.print_data ?? created.print_data,
  };
};

/** SF has the number already: the search names the stored order. */
const storedBefore = async (
  context: SfContext,
  account: CarrierAccount,
  order_id: string,
  refused: { code: string; text: string },
): Promise<CreateAnswer> => {
  const found = await seek(context, account, { order_id });
  if (found.outcome !== 'not_stored') return found;
  const { call } = found;
  return { outcome: 'stored_without_number', ...refused, call };
};

/**
 * Sends the create call. Success and "repeated order" both mean stored, and a search follows both.
 * An order whose ends SF does not serve is refused.
 */
export const create = async (
  context: SfContext,
  account: CarrierAccount,
  body: string,
): Promise<CreateAnswer> => {
  const { envelope, call, sent } = await send(context, account, 'create', body);
  const order_id = textOf(fieldsOf(parseJson(body))['orderId'], 64);
  if (envelope.is === 'ok') {
    const created = acceptedOf(envelope.data, false, call);
    if (created) return confirmed(context, account, order_id, created);
    const unreachable = unreachableOf(fieldsOf(envelope.data));
    return unreachable === null
      ? { outcome: 'stored_without_number', code: '', text: '', call }
      : { outcome: 'refused', code: 'filterResult 3', text: unreachable, call };
  }
  if (envelope.is === 'refused' && envelope.code === repeatedOrder)
    return storedBefore(context, account, order_id, envelope);
  return failedOf(envelope, { call, sent });
};
