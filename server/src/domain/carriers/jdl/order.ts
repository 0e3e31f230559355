import type { CarrierAccount, CreateAnswer } from '#domain/carriers/port.ts';
import { aboutBody } from './build-order.ts';
import { alreadyStored, dataOf, saysRepeated } from './envelope.ts';
import { acceptedOf, waybillOf } from './parse-order.ts';
import { fieldsOf, listOf, parseJson } from '#domain/carriers/reading.ts';
import { failedCall, failedOf, send } from './send.ts';
import type { JdlContext, Sent } from './send.ts';

/** The fetched waybill number in an order's body; empty if there is none. */
const numberIn = (body: string): string =>
  waybillOf(fieldsOf(listOf(parseJson(body))[0])['waybillCode']);

/**
 * Handles an answer that the order number exists already: the order is stored. If the order had a
 * fetched waybill number, JDL is asked if that waybill exists.
 */
const storedAlready = async (
  context: JdlContext,
  account: CarrierAccount,
  body: string,
  sent: Pick<Sent, 'call'> & { envelope: { code: string; text: string; data: unknown } },
): Promise<CreateAnswer> => {
  const { envelope, call } = sent;
  const named = acceptedOf(dataOf(envelope), true, call);
  if (named) return named;
  const delivery_id = numberIn(body);
  const unnamed: CreateAnswer = {
    outcome: 'stored_without_number',
    code: envelope.code,
    text: envelope.text,
    call,
  };
  if (delivery_id === '') return unnamed;
  const status = await send(context, account, 'status', aboutBody(account, { delivery_id }));
  if (status.envelope.is === 'ok')
    return acceptedOf({ waybillCode: delivery_id }, true, call) ?? unnamed;
  // JDL has the order number but not this waybill number, so an alert is needed. After any other
  // answer, the call is repeated later.
  if (status.envelope.is === 'refused') return unnamed;
  const failed = failedOf(status.envelope, status.call);
  // JDL has the order: the gateway rejected only this query, not the order.
  return failed.outcome === 'gateway'
    ? { outcome: 'unknown', reason: { code: 'carrier_unreadable' }, call: failed.call }
    : failed;
};

/**
 * True if a failed answer contains a waybill number that is not in `body`. Such an answer
 * contradicts itself, so the order may be stored.
 */
const namesWaybill = (envelope: { data: unknown }, body: string): boolean => {
  const named = waybillOf(dataOf(envelope)['waybillCode']);
  return named !== '' && named !== numberIn(body);
};

/**
 * Sends the create call. Only a business error counts as a refusal. A success without a waybill,
 * and "order number repeated", both mean that the order is stored. If a failed answer contains a
 * waybill, the outcome is unknown.
 */
export const create = async (
  context: JdlContext,
  account: CarrierAccount,
  body: string,
): Promise<CreateAnswer> => {
  const { envelope, call, sent } = await send(context, account, 'create', body);
  if (envelope.is === 'ok') {
    const repeated = envelope.code === alreadyStored;
    return (
      acceptedOf(dataOf(envelope), repeated, call) ??
      (await storedAlready(context, account, body, { envelope, call }))
    );
  }
  if (envelope.is === 'refused' && saysRepeated(envelope.code, envelope.text))
    return storedAlready(context, account, body, { envelope, call });
  if (envelope.is !== 'unknown' && namesWaybill(envelope, body))
    return {
      outcome: 'unknown',
      reason: { code: 'carrier_contradicts', params: { text: envelope.text } },
      call,
    };
  return failedCall(envelope, { call, sent });
};
