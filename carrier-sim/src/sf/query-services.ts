import { fieldsOf } from '#reading.ts';
import { wallClock } from '#wall-clock.ts';
import { Refusal } from './answers.ts';
import { billedKilograms, feesOf, freightOf, products, yuan } from './fees.ts';
import { checkNameless, objectIn } from './input.ts';
import { Bare } from './order-services.ts';
import { happened } from './sf-order.ts';
import { routeRow } from './sf-world.ts';
import type { Fields } from '#reading.ts';
import type { Call, Service } from './order-services.ts';
import type { SfOrder } from './sf-order.ts';

const hour = 3_600_000;
const mostAsked = 10;

const ownOrder = ({ world, partner }: Call, number: string, byOrderId: boolean) => {
  const order = byOrderId ? world.byOrderId(partner.partner_id, number) : world.byWaybill(number);
  return order?.partner === partner.partner_id ? order : undefined;
};

const rowOf = (order: SfOrder) => {
  const rows = happened(order).filter((step) => step.order_state === undefined);
  return {
    mailNo: order.waybill,
    routes: rows.map((step) => {
      const { mailno: _, orderid: __, reasonName: ___, ...row } = routeRow(order, step);
      return row;
    }),
    // SF puts the reasons into a separate list, and no route row contains a reason.
    reasonCode: rows.flatMap(({ reason }) => (reason === undefined ? [] : [reason])),
  };
};

/** Returns the routes of at most ten waybill numbers. An unknown number has an empty route. */
export const routes: Service = (call) => {
  const fields = objectIn(call.data);
  const asked = fields.raw('trackingNumber');
  if (!Array.isArray(asked) || asked.length === 0)
    throw new Refusal('S0002', 'trackingNumber不能为空');
  if (asked.length > mostAsked) throw new Refusal('8003', '查询单号不能超过10个');
  const byOrderId = String(fields.raw('trackingType')) === '2';
  return {
    routeResps: asked.map((number) => {
      const order = ownOrder(call, String(number), byOrderId);
      return order === undefined ? { mailNo: number, routes: [], reasonCode: [] } : rowOf(order);
    }),
  };
};

/** Returns the weight and the fee. Refuses a parcel that was not picked up yet. */
export const waybill: Service = (call) => {
  const fields = objectIn(call.data);
  const byOrderId = String(fields.raw('trackingType')) === '1';
  const order = ownOrder(call, fields.text('trackingNum', 1, 64), byOrderId);
  const lines = order && feesOf(order);
  if (order === undefined || order.weighed === undefined || !lines)
    throw new Refusal('6150', '找不到该运单的费用');
  return {
    waybillInfo: {
      waybillNo: order.waybill,
      orderNo: order.order_id,
      productCode: String(order.product),
      realWeightQty: String(order.weighed / 1000),
      meterageWeightQty: String(billedKilograms(order.weighed)),
      quantity: String(order.pieces),
    },
    waybillFeeList: lines.map(({ type, name, amount }) => ({
      type,
      name,
      value: yuan(amount),
      paymentTypeCode: '1',
      settlementTypeCode: '2',
    })),
  };
};

const isOut = (address: unknown): boolean => String(address).includes('超区');

/** Answers whether SF serves both addresses. The response is an array without a wrapper. */
export const filter: Service = ({ data }) => {
  if (!Array.isArray(data)) throw new Refusal('S0001', '非法的JSON格式');
  return new Bare(
    data.slice(0, 5).map((item) => {
      const fields = fieldsOf(item, '');
      const contacts = fields.list('contactInfos', 1, 5);
      const out = contacts.find((contact) => isOut(contact.raw('address')));
      return {
        orderId: fields.raw('orderId') ?? '',
        filterResult: out === undefined ? 2 : 3,
        remark: out === undefined ? '' : Number(out.raw('contactType')) === 2 ? '1' : '2',
      };
    }),
  );
};

const placed = (fields: Fields, name: string): void => {
  const place = fields.inside(name);
  if (!place.has('code') && !(place.has('province') && place.has('city')))
    throw new Refusal('20063', '地址无法识别');
};

/**
 * Returns the promised delivery times, and the prices if `searchPrice` is 1. A request for one
 * product must contain a monthly card.
 */
export const deliverTime: Service = ({ world, partner, data }) => {
  const fields = objectIn(data);
  placed(fields, 'srcAddress');
  placed(fields, 'destAddress');
  const product = fields.raw('businessType');
  const card = fields.maybeText('monthlyCard', 20);
  if (product !== undefined && card === undefined) throw new Refusal('8114', '月结卡号不能为空');
  if (card !== undefined && !partner.cards.includes(card))
    throw new Refusal('8114', '月结卡号未绑定');
  const grams = Math.round(Number(fields.raw('weight') ?? 1) * 1000);
  const offered = products.filter(({ id }) => product === undefined || id === Number(product));
  if (offered.length === 0) throw new Refusal('8057', '产品不可用');
  const consigned = fields.maybeText('consignedTime', 19);
  const handed = consigned === undefined ? 0 : Date.parse(`${consigned.replace(' ', 'T')}+08:00`);
  const begins = Math.max(world.clock.now(), handed || 0);
  return {
    deliverTmDto: offered.map(({ id, name, hours }) => {
      const at = begins + hours * hour;
      return {
        businessType: String(id),
        businessTypeDesc: name,
        deliverTime: `${wallClock(at - 2 * hour)},${wallClock(at)}`,
        fee: fields.raw('searchPrice') === '1' ? Number(yuan(freightOf(id, grams))) : null,
        closeTime: null,
      };
    }),
  };
};

/** Returns the hours at which the pickup windows of a product begin. */
const firstHours = (product: number): number[] =>
  product === 2 ? [8, 10, 12, 14, 16, 18] : [9, 11, 13, 15, 17];

/**
 * Returns the courier's pickup windows of two hours: the remaining ones of today, and all of
 * tomorrow. They begin at a different hour for each product. The request needs two contacts with
 * phones, and stores nothing.
 */
export const pickupWindows: Service = ({ world, data }) => {
  const fields = objectIn(data);
  fields.text('orderId', 1, 64);
  const product = fields.whole('expressTypeId', 1, 999_999);
  const contacts = fields.list('contactInfoList', 2, 2);
  for (const type of [1, 2] as const) {
    const contact = contacts.find((one) => Number(one.raw('contactType')) === type);
    if (contact === undefined) throw new Refusal('S0002', 'contactInfoList不能为空');
    checkNameless(contact, type);
  }
  const now = world.clock.now();
  const isOfDay = world.settings().sf.window_times === 'of_day';
  const days = [0, 1].map((day) => wallClock(now + day * 24 * hour).slice(0, 10));
  return days.flatMap((serviceDate) => {
    const at = (hours: number): string => `${serviceDate} ${String(hours).padStart(2, '0')}:00:00`;
    const written = (hours: number): string => (isOfDay ? at(hours).slice(11, 16) : at(hours));
    return firstHours(product)
      .filter((from) => at(from + 2) > wallClock(now + hour))
      .map((from) => ({ serviceDate, startTime: written(from), endTime: written(from + 2) }));
  });
};

export const subscribe: Service = (call) => {
  const fields = objectIn(call.data);
  const order = ownOrder(call, fields.text('attributeNo', 1, 64), Number(fields.raw('type')) === 1);
  if (order === undefined) throw new Refusal('8018', '未查到订单');
  if (!order.receiver.phone.endsWith(fields.text('checkPhoneNo', 4, 4)))
    throw new Refusal('8181', '电话后四位不匹配');
  return {};
};

export const isWaybill: Service = ({ world, data }) =>
  new Bare(world.byWaybill(String(objectIn(data).raw('waybillNo'))) !== undefined);
