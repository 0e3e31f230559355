import { randomBytes } from 'node:crypto';
import { Refusal } from './answers.ts';
import { objectIn, readContact, readDraft, windowIn } from './input.ts';
import { journeyOf, returnLegs, stepsFrom } from './journey.ts';
import { isClosed, isPickedUp, says } from './sf-order.ts';
import { stepNow } from './sf-world.ts';
import type { Fields } from '#reading.ts';
import type { SfOrder } from './sf-order.ts';
import type { Partner, SfWorld } from './sf-world.ts';

/** A call of a service that the gateway accepted. */
export type Call = { world: SfWorld; partner: Partner; data: unknown };
export type Service = (call: Call) => unknown;

/** The response of a service that has no inner envelope. */
export class Bare {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

const halfHour = 30 * 60_000;

const repeatsFail = (world: SfWorld): boolean => world.settings().sf.repeat === 'error';

const filterResultOf = (world: SfWorld, order: SfOrder): 1 | 2 | 3 => {
  if (order.sorted_at === undefined) return 2;
  if (order.sorted_at > world.clock.now()) return 1;
  return says(order, 'turned_away') ? 3 : 2;
};

const routeLabel = (order: SfOrder): Record<string, unknown> => ({
  code: '1000',
  routeLabelData: {
    waybillNo: order.waybill,
    sourceTransferCode: '755W',
    sourceCityCode: '755',
    destCityCode: '020',
    destRouteLabel: '020W-F0-CK',
    codingMapping: 'K35',
    codingMappingOut: '1A',
    proCode: order.product === 1 ? '特快' : '标快',
    abFlag: 'A',
    xbFlag: '0',
    printFlag: '000000000',
    printIcon: '00000000',
    twoDimensionCode: `MMM={'k1':'020W','k2':'020CK','k3':'','k4':'T6','k5':'${order.waybill}','k6':'','k7':'75e81e5e'}`,
    errMsg: '',
  },
  message: 'SF',
});

const createdData = (world: SfWorld, order: SfOrder): Record<string, unknown> => ({
  orderId: order.order_id,
  originCode: '755',
  destCode: '020',
  filterResult: filterResultOf(world, order),
  remark: filterResultOf(world, order) === 3 ? '1' : '',
  waybillNoInfoList: [
    { waybillType: 1, waybillNo: order.waybill },
    ...order.children.map((waybillNo) => ({ waybillType: 2, waybillNo })),
  ],
  routeLabelInfo: filterResultOf(world, order) === 2 ? [routeLabel(order)] : [],
});

const unreachableData = (orderId: string): Record<string, unknown> => ({
  orderId,
  filterResult: 3,
  remark: '1',
  waybillNoInfoList: [],
});

/**
 * Stores an order. For a repeated order number it returns the first order, whatever the new content
 * is, or error 8016; the settings decide this. The number of a cancelled order is never used again.
 * An order outside SF's area gets no waybill, but a search finds the order. If a later order with
 * the same number gets a waybill, searches and repeats return the later order.
 */
export const create: Service = ({ world, partner, data }) => {
  const draft = readDraft(objectIn(data));
  const known = world.byOrderId(partner.partner_id, draft.order_id);
  if (known !== undefined) {
    if (known.cancelled_at !== undefined || repeatsFail(world))
      throw new Refusal('8016', '重复下单');
    return createdData(world, known);
  }
  if (world.isTurnedAway(partner.partner_id, draft.order_id) && repeatsFail(world))
    throw new Refusal('8016', '重复下单');
  if (draft.card !== '' && !partner.cards.includes(draft.card))
    throw new Refusal('8114', '月结卡号未绑定');
  if (says(draft, 'unreachable')) {
    world.turnAway(partner.partner_id, draft.order_id);
    return unreachableData(draft.order_id);
  }
  const created_at = world.clock.now();
  const order: SfOrder = {
    ...draft,
    waybill: world.takeWaybill(),
    children: Array.from({ length: draft.pieces - 1 }, () => world.takeWaybill()),
    partner: partner.partner_id,
    content: JSON.stringify(data),
    created_at,
    ...((says(draft, 'by_hand') || says(draft, 'turned_away')) && {
      sorted_at: created_at + halfHour,
    }),
    ...(says(draft, 'returned') && { return_waybill: world.takeWaybill() }),
    steps: [],
    done: 0,
    fee_version: 0,
  };
  order.steps = journeyOf(world.seed, order);
  world.save(order);
  return createdData(world, order);
};

/** Returns the order that a call identifies by its order number or by its waybill. */
const orderIn = ({ world, partner }: Call, fields: Fields): SfOrder => {
  const orderId = fields.maybeText('orderId', 64);
  const waybill = fields.maybeText('mainWaybillNo', 30);
  const found =
    (orderId === undefined ? undefined : world.byOrderId(partner.partner_id, orderId)) ??
    (waybill === undefined ? undefined : world.byWaybill(waybill));
  if (found === undefined || found.partner !== partner.partner_id)
    throw new Refusal('8018', '未查到订单');
  return found;
};

/** Returns a waybill number that belongs to no order. */
const otherThan = (waybill: string): string => `SF8${waybill.slice(3)}`;

export const search: Service = (call) => {
  const fields = objectIn(call.data);
  const orderId = fields.maybeText('orderId', 64) ?? '';
  const { partner_id } = call.partner;
  if (!call.world.byOrderId(partner_id, orderId) && call.world.isTurnedAway(partner_id, orderId))
    return unreachableData(orderId);
  const order = orderIn(call, fields);
  if (order.cancelled_at !== undefined) throw new Refusal('8037', '订单已取消');
  const data = createdData(call.world, order);
  return call.world.settings().sf.contradict_search
    ? { ...data, waybillNoInfoList: [{ waybillType: 1, waybillNo: otherThan(order.waybill) }] }
    : data;
};

const statusOf = (order: SfOrder, resStatus: 1 | 2) => ({
  orderId: order.order_id,
  waybillNoInfoList: [{ waybillType: 1, waybillNo: order.waybill }],
  resStatus,
});

const change = (world: SfWorld, order: SfOrder, fields: Fields): void => {
  const receiver = fields.maybeInside('destContactInfo');
  if (receiver !== undefined) {
    if (Number(fields.raw('isConfirmNew')) !== 1)
      throw new Refusal('S0003', '修改收件信息须同时传isConfirmNew');
    order.receiver = readContact(receiver, 2);
  }
  order.product = Number(fields.raw('expressTypeId') ?? order.product);
  const insurance = fields.has('serviceList')
    ? fields.maybeList('serviceList', 20).find((service) => service.raw('name') === 'INSURE')
    : null;
  if (insurance !== null) order.insured = Math.round(Number(insurance?.raw('value') ?? 0) * 100);
  const pickup = windowIn(fields.raw('sendStartTm'), fields.raw('pickupAppointEndtime'));
  if (pickup !== undefined) order.pickup = pickup;
  world.save(order);
};

export const update: Service = (call) => {
  const { world } = call;
  const fields = objectIn(call.data);
  const order = orderIn(call, fields);
  const [named] = fields.maybeList('waybillNoInfoList', 400);
  if (named !== undefined && named.raw('waybillNo') !== order.waybill) return statusOf(order, 1);
  const deal = Number(fields.raw('dealType') ?? 1);
  if (order.cancelled_at !== undefined) throw new Refusal('8037', '订单已取消');
  if (isPickedUp(order)) throw new Refusal('8252', '订单已确认，不能操作');
  if (deal === 2) {
    order.cancelled_at = world.clock.now();
    world.save(order);
  } else change(world, order, fields);
  return statusOf(order, 2);
};

const interceptPrices: Record<number, number> = { 1: 1200, 2: 1000, 12: 0 };

/**
 * Redirects, returns or voids a parcel after its pickup, and returns the price for this. `cancel`
 * revokes a redirection or a return.
 */
export const intercept: Service = ({ world, partner, data }) => {
  const fields = objectIn(data);
  const order = world.byWaybill(fields.text('waybillNo', 1, 30));
  if (order === undefined || order.partner !== partner.partner_id)
    throw new Refusal('8247', '运单号不合法');
  if (!isPickedUp(order)) throw new Refusal('8024', '未收件，请取消订单');
  if (isClosed(order)) throw new Refusal('8252', '快件已签收，不能拦截');
  const kind = Number(fields.raw('serviceCode'));
  const amount = interceptPrices[kind];
  if (amount === undefined) throw new Refusal('S0003', '不支持的serviceCode');
  if (fields.raw('cancel') === true) {
    if (order.intercept?.id !== fields.raw('cusId')) throw new Refusal('6150', '未查到拦截');
    delete order.intercept;
    world.save(order);
    return { cusId: fields.raw('cusId') };
  }
  if (order.intercept !== undefined) throw new Refusal('8252', '已下发拦截');
  order.intercept = { id: randomBytes(8).toString('hex'), kind, amount };
  if (kind !== 12) {
    order.return_waybill = world.takeWaybill();
    const steps = stepsFrom(
      world.seed,
      order,
      returnLegs(order, kind === 2 ? '应客户要求' : '应客户要求更址'),
      world.clock.now(),
    );
    order.steps = [...order.steps.slice(0, order.done), ...steps];
    world.save(order);
  } else stepNow(world, order, { op: '8000', remark: '快件作废', place: '', reason: '2' });
  return { cusId: order.intercept.id, amount: (amount / 100).toFixed(2) };
};

/** Adds packages to an order and returns their numbers, at most 20 in one call. */
export const childNumbers: Service = (call) => {
  const fields = objectIn(call.data);
  const order = orderIn(call, fields);
  const count = fields.whole('parcelQty', 1, 20);
  const more = Array.from({ length: count }, () => call.world.takeWaybill());
  order.children = [...order.children, ...more];
  order.pieces += count;
  call.world.save(order);
  return createdData(call.world, order);
};
