import { setTimeout as elapsed } from 'node:timers/promises';
import type {
  Accepted,
  CallRecord,
  CarrierAccount,
  CreateAnswer,
  SeekAnswer,
  SoughtOrder,
} from '#domain/carriers/port.ts';
import { fieldsOf, parseJson, textOf } from '#domain/carriers/reading.ts';
import { wallClockOf } from '#domain/carriers/wall-clock.ts';
import { promiseBody, searchBody } from './build-order.ts';
import { coverageOf } from './parse-facts.ts';
import { acceptedOf, motherOf, unreachableOf } from './parse-order.ts';
import { failedOf, send } from './send.ts';
import type { SfContext } from './send.ts';

/** The code of an order that SF stored and cancelled. */
export const cancelledCode = '8037';
/** Codes with which a create call reports that SF already has the order number. */
const storedCodes = new Set(['8016', '8017', '8019', cancelledCode, '8252']);
/** Codes of a search that found no order. */
const notFound = new Set(['8018', '8024', '6150']);
const notFoundWords =
  /(?:订单|运单|order)[号 ]{0,2}(?:不存在|未找到|无此|does not exist|not (?:exist|found))|(?:无此|没有该?)订单|未下单/i;
const unreachableCode = 'filterResult 3';

/** True if an answer means that SF has no such order. */
export const saysNotFound = ({ code, text }: { code: string; text: string }): boolean =>
  notFound.has(code) || notFoundWords.test(text);

/**
 * Searches an order by our number; SF's answer has the same fields as for a create call. An order
 * without a waybill counts as not stored if SF does not serve one of its places. A cancelled order
 * counts as stored. After any other refusal, or if the refusal contains a waybill, the outcome is
 * unknown.
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
    const found = acceptedOf(envelope.data, true, call);
    if (found) return found;
    const text = unreachableOf(fieldsOf(envelope.data));
    return text === null
      ? { outcome: 'stored_without_number', code: '', text: '', call }
      : { outcome: 'not_stored', code: unreachableCode, text, call };
  }
  if (envelope.is !== 'refused') {
    const failed = failedOf(envelope, { call, sent });
    return failed.outcome === 'refused'
      ? { outcome: 'unknown', reason: { code: 'carrier_unreadable' }, call }
      : failed;
  }
  const { code, text } = envelope;
  if (code === cancelledCode)
    return { outcome: 'stored_without_number', cancelled: true, code, text, call };
  return saysNotFound(envelope) && motherOf(envelope.data) === ''
    ? { outcome: 'not_stored', code, text, call }
    : { outcome: 'unknown', reason: { code: 'carrier_refused', params: { text } }, call };
};

/** The log entry of a create call, extended by the answer of the search that followed it. */
const both = (create: CallRecord, search: CallRecord): CallRecord => ({
  ...create,
  ms: create.ms + search.ms,
  answer: { create: create.answer, search: search.answer },
});

/**
 * Compares a stored order with the result of a search for it, because SF answers a repeated number
 * with the data of the first order. The label is not used yet, and the order is searched again, if
 * the search finds another waybill, a place that SF does not serve, or a cancelled order. Two
 * different waybills are a conflict that an admin must decide. A failed search changes nothing,
 * because SF did answer the create call.
 */
const confirmed = async (
  context: SfContext,
  account: CarrierAccount,
  order_id: string,
  created: Accepted,
): Promise<CreateAnswer> => {
  const found = await seek(context, account, { order_id });
  const call = both(created.call, found.call);
  const waiting: Accepted = { ...created, need_retry: 1, print_data: null, call };
  if (found.outcome === 'accepted') {
    if (found.delivery_id !== created.delivery_id) return waiting;
    if (created.unreachable !== undefined || found.unreachable !== undefined)
      return { ...waiting, unreachable: found.unreachable ?? created.unreachable ?? '' };
    return {
      ...created,
      need_retry: found.need_retry,
      print_data: found.print_data ?? created.print_data,
      call,
    };
  }
  const isDoubtful =
    (found.outcome === 'stored_without_number' && found.code === cancelledCode) ||
    (found.outcome === 'not_stored' && found.code === unreachableCode);
  return isDoubtful ? waiting : { ...created, call };
};

/**
 * Handles SF's answer that it has the order number already: the stored order is searched. The order
 * is refused if SF does not serve one of its places. After any other result, the order is stored or
 * its outcome is unknown.
 */
const storedBefore = async (
  context: SfContext,
  account: CarrierAccount,
  order_id: string,
  answered: { code: string; text: string; call: CallRecord },
): Promise<CreateAnswer> => {
  const found = await seek(context, account, { order_id });
  const call = both(answered.call, found.call);
  switch (found.outcome) {
    case 'accepted':
    case 'stored_without_number':
      return { ...found, call };
    case 'not_stored':
      return found.code === unreachableCode
        ? { ...found, outcome: 'refused', call }
        : { ...answered, outcome: 'stored_without_number', call };
    case 'gateway': {
      const text = `${found.code} ${found.text}`.trim();
      return {
        outcome: 'unknown',
        reason: { code: 'carrier_system_error', params: { text } },
        call,
      };
    }
    case 'unknown':
      return { outcome: 'unknown', reason: found.reason, call };
  }
};

/**
 * The longest time in milliseconds to wait for the promised delivery time; after it, the order is
 * stored without that time.
 */
const promiseWait = 3_000;

/**
 * Adds the delivery time that SF promises now, because the answer to the create call does not
 * contain it. Makes no call if SF still sorts the order manually or if the order existed before.
 */
const withPromise = async (
  context: SfContext,
  account: CarrierAccount,
  body: string,
  created: CreateAnswer,
): Promise<CreateAnswer> => {
  if (created.outcome !== 'accepted' || created.repeated || created.need_retry === 1)
    return created;
  const msgData = promiseBody(body, wallClockOf(context.clock.now()));
  const product = textOf(fieldsOf(parseJson(msgData))['businessType']);
  const asked = await Promise.race([
    send(context, account, 'precheck', msgData),
    elapsed(promiseWait, null, { ref: false }),
  ]);
  if (asked === null) return created;
  const { envelope, call } = asked;
  const promised = envelope.is === 'ok' ? coverageOf(envelope.data, product) : null;
  return {
    ...created,
    delivery_promise_at:
      promised?.products.find(({ promise_id }) => promise_id === product)?.delivery_promise_at ??
      null,
    call: {
      ...created.call,
      ms: created.call.ms + call.ms,
      answer: { ...fieldsOf(created.call.answer), promise: call.answer },
    },
  };
};

/**
 * Sends the create call. Success and "repeated order" both mean that SF stored the order, and a
 * search follows. An order is refused if SF does not serve one of its places. A failure whose
 * answer contains a waybill does not count as a refusal.
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
    if (created)
      return withPromise(
        context,
        account,
        body,
        await confirmed(context, account, order_id, created),
      );
    const unreachable = unreachableOf(fieldsOf(envelope.data));
    return unreachable === null
      ? { outcome: 'stored_without_number', code: '', text: '', call }
      : { outcome: 'refused', code: unreachableCode, text: unreachable, call };
  }
  if (envelope.is === 'refused') {
    const { code, text, data } = envelope;
    if (storedCodes.has(code)) {
      const named = acceptedOf(data, true, call);
      return named
        ? confirmed(context, account, order_id, named)
        : storedBefore(context, account, order_id, { code, text, call });
    }
    if (motherOf(data) !== '')
      return {
        outcome: 'unknown',
        reason: { code: 'carrier_contradicts', params: { text } },
        call,
      };
  }
  return failedOf(envelope, { call, sent });
};
