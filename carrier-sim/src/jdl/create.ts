import { createHash } from 'node:crypto';
import { isObject, Unreadable } from '#reading.ts';
import { GatewayRefusal, Refusal } from './answers.ts';
import { principalOf } from './call.ts';
import { createdData } from './created-data.ts';
import { planJourney } from './journey.ts';
import { keywords, says } from './keywords.ts';
import { readCargo, readContact, readProducts, readSettleType } from './order-input.ts';
import type { Mishap } from '#carrier.ts';
import type { Call, Principal, Reply } from './call.ts';
import type { Order } from './order.ts';
import type { World } from './world.ts';

const threeMonths = 92 * 86_400_000;

/** Returns the content with sorted keys, so that two contents can be compared. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, canonical(value[name])]),
  );
};

const fingerprintOf = (body: unknown): string =>
  createHash('sha1')
    .update(JSON.stringify(canonical(body)))
    .digest('base64');

/** Reads the channel of an order, which an order of origin 1 must have. */
const checkChannel = (call: Call, origin: number): string => {
  const channel =
    call.body.maybeInside('commonChannelInfo') ?? call.body.maybeInside('CommonChannelInfo');
  const code = channel?.maybeChoice('channelCode', ['0010001', '0030001']);
  if (origin === 1 && code === undefined)
    throw new Unreadable('commonChannelInfo.channelCode', 'must be given for orderOrigin 1');
  return channel?.maybeText('channelOrderCode', 100) ?? '';
};

type Draft = Omit<Order, 'waybill_code' | 'order_code'>;

/** Reads a request that creates an order. Throws Unreadable for the first invalid field. */
const readDraft = (call: Call, principal: Principal): Draft => {
  const { body, world } = call;
  const strict = world.settings().names === 'strict';
  const from = body.maybeWhole('pickupStartTime', 0, 1e14);
  const until = body.maybeWhole('pickupEndTime', 0, 1e14);
  if (from !== undefined && until !== undefined && until < from)
    throw new Unreadable('pickupEndTime', 'must not be before pickupStartTime');
  body.maybeChoice('pickupType', [1, 2]);
  body.maybeChoice('deliveryType', [1, 2]);
  const { goods, pieces, weight, volume } = readCargo(body);
  return {
    number: 0,
    app_key: call.application.app_key,
    seller_id: principal.account.seller_id,
    customer_code: principal.customerCode,
    order_id: body.text('orderId', 1, 50),
    origin: principal.origin,
    settle_type: readSettleType(body, principal.origin),
    ...readProducts(body),
    pieces,
    weight,
    volume,
    goods,
    remark: body.maybeText('remark', 500) ?? '',
    channel_order_code: checkChannel(call, principal.origin),
    sender: readContact(body.inside('senderContact'), strict),
    receiver: readContact(body.inside('receiverContact'), strict),
    fingerprint: null,
    created_at: world.clock.now(),
    ...(from === undefined ? {} : { pickup_from: from }),
    presorted: true,
    subscribed: String(body.maybeInside('extendProps')?.raw('autoSubscribe') ?? '') === '1',
    steps: [],
    done: 0,
  };
};

/**
 * Throws unless the waybill in a request was fetched in advance by the same customer, at most three
 * months ago, and is unused.
 */
const checkOwnNumber = (world: World, draft: Draft, waybill: string): void => {
  const range = world.book.reservation(waybill);
  const isOwn = range?.app_key === draft.app_key && range.customer_code === draft.customer_code;
  if (range === undefined || !isOwn) throw new Refusal('运单号不是预取的单号');
  if (world.clock.now() - range.at > threeMonths) throw new Refusal('预取的运单号已过期');
  if (world.book.byWaybill(waybill) !== undefined) throw new Refusal('运单号已被使用');
};

/**
 * A fault that a keyword causes happens only once, when the order is stored. A repeat gets the
 * usual response.
 */
const mishapOf = (world: World, draft: Draft): { mishap?: Mishap } => {
  if (says(draft, 'dropped')) return { mishap: { kind: 'drop' } };
  if (says(draft, 'server_error')) return { mishap: { kind: 'error', status: 500 } };
  if (says(draft, 'slow')) return { mishap: { kind: 'slow', ms: world.settings().slow_ms } };
  return {};
};

const repeated = (world: World, known: Order, fingerprint: string): Reply => {
  if (known.fingerprint !== null && known.fingerprint !== fingerprint)
    throw new Refusal('商家订单号已存在，且订单内容不一致');
  const { repeat_mode: mode, repeat_error: error } = world.settings();
  if (mode === 'error') {
    throw new Refusal(
      error.message,
      error.code,
      error.sub_code,
      error.with_waybill ? { waybillCode: known.waybill_code } : null,
    );
  }
  return {
    data: createdData(world, known),
    subCode: '0_0001',
    subMsg: '商家订单号重复，返回已有运单',
  };
};

/** The number of refusals of an order number with the keyword 限流 before it is accepted. */
const throttledTimes = 2;
const turnedAway = new WeakMap<World, Map<string, number>>();

const throttle = (world: World, draft: Draft): void => {
  if (!says(draft, 'throttled')) return;
  const counts = turnedAway.get(world) ?? new Map<string, number>();
  turnedAway.set(world, counts);
  const key = `${draft.customer_code} ${draft.order_id}`;
  const times = counts.get(key) ?? 0;
  if (times >= throttledTimes) return;
  counts.set(key, times + 1);
  throw new GatewayRefusal(2);
};

/**
 * Creates an order and gives it a waybill, or returns the existing order with the same customer
 * code and order number. A refused request stores nothing, so its order number may be used again
 * for another order.
 */
export const create = (call: Call): Reply => {
  const { world, body } = call;
  const principal = principalOf(call);
  const draft = readDraft(call, principal);
  const fingerprint = fingerprintOf(
    Object.fromEntries(body.names().map((name) => [name, body.raw(name)])),
  );
  const known = world.book.byMerchant(draft.customer_code, draft.order_id);
  if (known !== undefined) return repeated(world, known, fingerprint);
  throttle(world, draft);
  if (says(draft, 'out_of_area'))
    throw new Refusal(`收件地址${keywords.out_of_area}，不在服务范围内`);
  if (says(draft, 'rejected')) throw new Refusal('该订单无法受理');
  const own = body.maybeText('waybillCode', 50);
  if (own !== undefined && own !== '') checkOwnNumber(world, draft, own);
  const order: Order = {
    ...draft,
    order_code: world.book.takeOrderCode(),
    waybill_code: own === undefined || own === '' ? world.book.takeWaybill() : own,
    fingerprint,
    presorted: !says(draft, 'manual_presort'),
  };
  order.steps = planJourney(world.seed, order, world.settings().rates);
  world.save(order);
  return { data: createdData(world, order), ...mishapOf(world, draft) };
};
