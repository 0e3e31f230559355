import type {
  Answered,
  CancelAnswer,
  Carrier,
  CarrierAccount,
  SoughtOrder,
} from '#domain/carriers/port.ts';
import { fieldsOf, textOf } from '#domain/carriers/reading.ts';
import { cancelBody, createBody, modifyBody } from './build-order.ts';
import { problemsOf } from './limits.ts';
import { cancelledCode, create, seek } from './order.ts';
import { refusedCoverage } from './parse-facts.ts';
import { parsePush, pushAnswer } from './push.ts';
import { questions } from './questions.ts';
import { ask } from './send.ts';
import type { SfContext } from './send.ts';
import { messageOfCancel } from './states.ts';

/** `resStatus` of an update that was carried out. */
const updated = '2';
const mismatch = { code: 'resStatus 1', text: '订单号与运单号不匹配' };

/** Returns a refusal for an operation that SF does not offer. */
const lacks = (operation: string): Promise<Answered<never>> =>
  Promise.resolve({
    outcome: 'refused',
    code: '',
    text: `${operation}: not offered`,
    call: { operation, trace_id: '', http_status: 0, ms: 0, request: null, answer: null },
  });

/**
 * True if SF carried out an update. SF reports success even if the order number and waybill number
 * do not match, so its `resStatus` counts.
 */
const updateOf = (data: unknown): boolean | undefined => {
  const status = textOf(fieldsOf(data)['resStatus']);
  return status === '' ? undefined : status === updated;
};

const update = async (
  context: SfContext,
  account: CarrierAccount,
  call: { operation: 'update' | 'cancel'; msgData: string },
): Promise<Answered<null>> => {
  const answer = await ask(context, account, call, updateOf);
  if (answer.outcome !== 'ok') return answer;
  return answer.value
    ? { ...answer, value: null }
    : { outcome: 'refused', ...mismatch, call: answer.call };
};

/**
 * Cancels an order before the pickup. SF refuses a cancel after the pickup, because returning a
 * parcel costs money.
 */
const cancel = async (
  context: SfContext,
  account: CarrierAccount,
  { order_id, delivery_id }: SoughtOrder,
): Promise<Answered<CancelAnswer>> => {
  const msgData = cancelBody(order_id, { delivery_id });
  const answer = await update(context, account, { operation: 'cancel', msgData });
  if (answer.outcome === 'ok' || (answer.outcome === 'refused' && answer.code === cancelledCode))
    return { outcome: 'ok', value: { result: 'cancelled', text: '' }, call: answer.call };
  return answer;
};

/**
 * The adapter for SF Express with its own protocol (bspgw), for senders who pay with a monthly
 * card.
 */
export const sf = (opened: Omit<SfContext, 'kinds'>): Carrier => {
  const context: SfContext = { ...opened, kinds: new Map() };
  return {
    provider: 'sf',
    recovers_by: 'seek_by_our_number',
    not_found: 'create',
    offers_windows: true,
    // A coverage request makes three calls: for reachability, for times and prices, and for pickup
    // windows.
    coverage_calls: 3,
    seek: (account, order) => seek(context, account, order),
    ...questions(context),
    problemsOf,
    createBody,
    modifyBody,
    messageOfCancel,
    parsePush,
    pushAnswer,
    refusedCoverage,
    create: (account, body) => create(context, account, body),
    modify: (account, msgData) => update(context, account, { operation: 'update', msgData }),
    cancel: (account, order) => cancel(context, account, order),
    prefetch: () => lacks('prefetch'),
    labelTemplate: () => null,
    labels: () => lacks('labels'),
  };
};
