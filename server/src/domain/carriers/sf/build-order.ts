import { kgText } from '@waystation/contract/base/weight.ts';
import { yuanText } from '@waystation/contract/money/money.ts';
import { failFields } from '#platform/fail.ts';
import type {
  CarrierAccount,
  CarrierOrder,
  CarrierParcel,
  OrderingAccount,
  ParcelKey,
  Problems,
} from '#domain/carriers/port.ts';
import { fieldsOf, listOf, parseJson, textOf } from '#domain/carriers/reading.ts';
import { wallClockOf } from '#domain/carriers/wall-clock.ts';
import { contactOf, contactTypes, placeOf, reachableEnd } from './contact.ts';
import { problemsOf, remarkOf } from './limits.ts';

const language = 'zh-CN';
const paidBySender = 1;
/**
 * SF's codes for the parent waybill number of a parcel and the child numbers of its further
 * packages.
 */
export const waybillTypes = { mother: '1', child: '2' } as const;
export const dealTypes = { confirm: 1, cancel: 2 } as const;
const insurance = 'INSURE';

/**
 * The content of a call as JSON. SF's language is the first member, and undefined members are left
 * out.
 */
const msgDataOf = (content: Record<string, unknown>): string =>
  JSON.stringify({ language, ...content });

const unlessEmpty = (text: string): string | undefined => (text === '' ? undefined : text);

/** A weight in grams as kilograms with at most three decimals. */
const kilograms = (grams: number): number => Number(kgText(grams));

const sendable = (problems: Problems): void => {
  if (Object.keys(problems).length > 0) failFields(problems);
};

const productOf = (parcel: CarrierParcel): number => Number(parcel.promise_id);

/** An amount in yuan as text; whole yuan have no decimals. */
const insuredText = (fen: number): string => yuanText(fen).replace(/\.00$/, '');

const servicesOf = ({ guarantee_value_amount: insured }: CarrierParcel) =>
  insured > 0 ? [{ name: insurance, value: insuredText(insured) }] : [];

const sizesOf = ({ length, width, height }: CarrierParcel) =>
  length > 0 && width > 0 && height > 0
    ? { totalLength: length, totalWidth: width, totalHeight: height }
    : {};

/**
 * The pickup window of a create call. SF assumes a window of one hour if the end is not sent as an
 * extension.
 */
const windowOf = ({ pickup_from, pickup_until }: CarrierOrder) =>
  pickup_from && pickup_until
    ? {
        sendStartTm: wallClockOf(pickup_from),
        extraInfoList: [{ attrName: 'pickupAppointEndTime', attrVal: wallClockOf(pickup_until) }],
      }
    : {};

const mother = (waybillNo: string) => [{ waybillType: Number(waybillTypes.mother), waybillNo }];

/**
 * Body of EXP_RECE_CREATE_ORDER, which requests the label data and a courier. Fails with
 * `invalid_input` if SF would refuse the order.
 */
export const createBody = (account: OrderingAccount, order: CarrierOrder): string => {
  sendable(problemsOf(order));
  const services = servicesOf(order);
  return msgDataOf({
    orderId: order.order_id,
    cargoDetails: [{ name: order.goods, count: order.package_count, unit: '件' }],
    contactInfoList: [contactOf(order, 'sender'), contactOf(order, 'receive')],
    monthlyCard: unlessEmpty(account.customer_code),
    payMethod: paidBySender,
    expressTypeId: productOf(order),
    parcelQty: order.package_count,
    totalWeight: kilograms(order.weight),
    ...sizesOf(order),
    isDocall: 1,
    ...windowOf(order),
    isReturnRoutelabel: 1,
    isUnifiedWaybillNo: 1,
    custReferenceNo: unlessEmpty(order.thr_order_id),
    remark: unlessEmpty(remarkOf(order)),
    serviceList: services.length > 0 ? services : undefined,
  });
};

/**
 * Body of EXP_RECE_SEARCH_ORDER_RESP, which searches by our order number or by the waybill number.
 */
export const searchBody = (by: { order_id: string } | ParcelKey): string =>
  msgDataOf('order_id' in by ? { orderId: by.order_id } : { mainWaybillNo: by.delivery_id });

export const cancelBody = (order_id: string, { delivery_id }: ParcelKey): string =>
  msgDataOf({
    orderId: order_id,
    dealType: dealTypes.cancel,
    waybillNoInfoList: mother(delivery_id),
  });

/**
 * Fields that SF can change after ordering. A changed weight is ignored, because SF weighs the
 * parcel itself.
 */
const changeable = [
  'promise_id',
  'guarantee_value_amount',
  'receive_name',
  'receive_phone',
  'receive_province',
  'receive_city',
  'receive_county',
  'receive_address',
  'pickup_from',
  'pickup_until',
] as const;
const fixed = [
  'order_id',
  'thr_order_id',
  'sender_name',
  'sender_phone',
  'sender_province',
  'sender_city',
  'sender_county',
  'sender_address',
  'goods',
  'package_count',
  // SF has one remark for both the parcel's remark and the description of its goods.
  'remark',
  'description',
] as const;

const windowStart = 'pickup_from';

/** The value of a field for comparison: a time as a number, and null if the field is absent. */
const valueOf = (value: CarrierOrder[keyof CarrierOrder]) =>
  value instanceof Date ? value.getTime() : (value ?? null);

/**
 * The new pickup window for the update call, which spells the field for the end of the window
 * differently.
 */
const changedWindow = ({ pickup_from, pickup_until }: CarrierOrder) =>
  pickup_from && pickup_until
    ? { sendStartTm: wallClockOf(pickup_from), pickupAppointEndtime: wallClockOf(pickup_until) }
    : {};

/**
 * Body of a change with EXP_RECE_UPDATE_ORDER; null if no field changed that SF can change. Fails
 * with `invalid_input` if a field changed that SF cannot change, or if SF would refuse the new
 * order.
 */
export const modifyBody = (
  _account: CarrierAccount,
  { delivery_id }: ParcelKey,
  before: CarrierOrder,
  after: CarrierOrder,
): string | null => {
  const differs = (name: keyof CarrierOrder): boolean =>
    valueOf(before[name]) !== valueOf(after[name]);
  const isWindow = differs('pickup_from') || differs('pickup_until');
  // A pickup window cannot be removed: SF's update call cannot express "as soon as possible".
  const kept = [...fixed.filter(differs), ...(isWindow && !after.pickup_from ? [windowStart] : [])];
  sendable(Object.fromEntries(kept.map((name) => [name, { code: 'carrier_cannot_modify' }])));
  if (!changeable.some(differs)) return null;
  // The update call contains no weight. A weight that became invalid after ordering therefore does
  // not prevent the change.
  const { weight: _weight, ...problems } = problemsOf(after);
  sendable(problems);
  const { contactType: _, ...receiver } = contactOf(after, 'receive');
  const moved = changeable.some((name) => name.startsWith('receive_') && differs(name));
  return msgDataOf({
    orderId: after.order_id,
    dealType: dealTypes.confirm,
    waybillNoInfoList: mother(delivery_id),
    ...(moved && { destContactInfo: receiver, isConfirmNew: 1 }),
    ...(differs('promise_id') && { expressTypeId: productOf(after) }),
    ...(differs('guarantee_value_amount') && { serviceList: servicesOf(after) }),
    ...(isWindow && changedWindow(after)),
  });
};

/**
 * Body of EXP_RECE_FILTER_ORDER_BSP, which asks whether SF serves both places. SF answers with its
 * decision immediately.
 */
export const filterBody = (account: CarrierAccount, parcel: CarrierParcel): string =>
  JSON.stringify([
    {
      filterType: 1,
      monthlyCard: unlessEmpty(account.customer_code),
      contactInfos: (['sender', 'receive'] as const).map((side, index) => ({
        contactType: index + 1,
        country: 'CN',
        ...placeOf(parcel, side),
      })),
    },
  ]);

/**
 * Body of EXP_RECE_QUERY_DELIVERTM, which asks for the time and price of one product, or of all
 * products.
 */
export const precheckBody = (
  account: CarrierAccount,
  parcel: CarrierParcel,
  consigned: string,
): string => {
  const end = (side: 'sender' | 'receive') => {
    const { county, ...place } = placeOf(parcel, side);
    return { ...place, district: county };
  };
  return msgDataOf({
    businessType: unlessEmpty(parcel.promise_id),
    monthlyCard: unlessEmpty(account.customer_code),
    weight: kilograms(parcel.weight),
    consignedTime: consigned,
    searchPrice: '1',
    srcAddress: end('sender'),
    destAddress: end('receive'),
  });
};

/** The product that SF uses for an order without a product. */
const usualProduct = 1;

/**
 * Body of EXP_RECE_PRE_ORDER, which asks for the pickup windows between two contacts. Null if a
 * phone is unknown, because SF requires both. SF stores nothing, so a random `question_id` replaces
 * the order number.
 */
export const windowsBody = (
  account: CarrierAccount,
  parcel: CarrierParcel,
  question_id: string,
): string | null => {
  const ends = [reachableEnd(parcel, 'sender'), reachableEnd(parcel, 'receive')];
  if (ends.includes(null)) return null;
  return msgDataOf({
    orderId: question_id,
    cargoName: unlessEmpty(parcel.goods),
    contactInfoList: ends,
    monthlyCard: unlessEmpty(account.customer_code),
    expressTypeId: Number(parcel.windows_of || parcel.promise_id) || usualProduct,
  });
};

/** Body of EXP_RECE_QUERY_DELIVERTM for an order that was created with the body `created`. */
export const promiseBody = (created: string, consigned: string): string => {
  const order = fieldsOf(parseJson(created));
  const end = (type: number) => {
    const { province, city, county, address } =
      listOf(order['contactInfoList'])
        .map(fieldsOf)
        .find(({ contactType }) => contactType === type) ?? {};
    return { province, city, district: county, address };
  };
  return msgDataOf({
    businessType: textOf(order['expressTypeId']),
    monthlyCard: order['monthlyCard'],
    weight: order['totalWeight'],
    // `consigned` and the start of the pickup window have the same format, so they are compared as
    // texts, and the later one is sent.
    consignedTime: [consigned, textOf(order['sendStartTm'])].toSorted().at(-1),
    searchPrice: '0',
    srcAddress: end(contactTypes.sender),
    destAddress: end(contactTypes.receive),
  });
};

/**
 * Body of EXP_RECE_SEARCH_ROUTES. It needs no digits of a phone, because the monthly card is bound
 * to the account.
 */
export const traceBody = ({ delivery_id }: ParcelKey): string =>
  msgDataOf({ trackingType: 1, trackingNumber: [delivery_id], methodType: 1 });

/** Body of EXP_RECE_QUERY_SFWAYBILL, which asks for the weight and fee of a waybill. */
export const feeBody = ({ delivery_id }: ParcelKey): string =>
  msgDataOf({ trackingType: '2', trackingNum: delivery_id });

/** Body of EXP_RECE_VALIDATE_WAYBILLNO, which asks if SF issued a waybill number. */
export const validateBody = ({ delivery_id }: ParcelKey): string =>
  msgDataOf({ waybillNo: delivery_id });

/** Body of EXP_RECE_REGISTER_ROUTE, which subscribes to the pushes of a waybill. */
export const subscribeBody = ({ delivery_id }: ParcelKey, phoneTail: string): string =>
  msgDataOf({ type: 2, attributeNo: delivery_id, checkPhoneNo: phoneTail });
