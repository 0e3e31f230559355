import { kgText, upToStep, volumeOf } from '@waystation/contract/base/weight.ts';
import { yuanText } from '@waystation/contract/money/money.ts';
import { failFields } from '#platform/fail.ts';
import type {
  CarrierAccount,
  CarrierOrder,
  CarrierParcel,
  LabelKey,
  OrderingAccount,
  ParcelKey,
  Problems,
} from '#domain/carriers/port.ts';
import { addressOf, contactOf } from './contact.ts';
import type { Contact } from './contact.ts';
import { needsWarmLayer, problemsOf, warmLayerOf } from './limits.ts';

/** JDL's code for an account with a contract and monthly payment that sends to consumers. */
const contractMerchant = 1;
const monthlyAccount = 3;
/** "Other": the order comes from no shop platform. */
const otherChannel = '0030001';
const insurance = 'ed-a-0002';
/**
 * The volume in cm³ that is sent if the sizes are unknown. The field must be above zero, and this
 * value is too small to decide a billed weight.
 */
const leastVolume = 1;
/**
 * Is sent instead of a removed remark, because JDL keeps the old remark if the new one is empty.
 */
const noRemark = '无';

/**
 * A JSON array with the content as its only object; undefined members are left out. This text is
 * signed and sent unchanged.
 */
const bodyOf = (content: Record<string, unknown>): string => JSON.stringify([content]);

const belongingTo = (account: Pick<CarrierAccount, 'customer_code'>) => ({
  orderOrigin: contractMerchant,
  customerCode: account.customer_code,
});
const unlessEmpty = (text: string): string | undefined => (text === '' ? undefined : text);

/** Whole yuan without decimals, as JDL's own examples write them. */
const insuredText = (fen: number): string => yuanText(fen).replace(/\.00$/, '');

const productsOf = (parcel: CarrierParcel) => ({
  productCode: parcel.promise_id,
  ...(needsWarmLayer(parcel.promise_id)
    ? { productAttrs: { warmLayer: warmLayerOf(parcel.goods_type) } }
    : {}),
  ...(parcel.guarantee_value_amount > 0
    ? {
        addedProducts: [
          {
            productCode: insurance,
            productAttrs: { guaranteeMoney: insuredText(parcel.guarantee_value_amount) },
          },
        ],
      }
    : {}),
});

/** Kilograms, rounded up to the next 10 g, so that the number has at most two decimals as text. */
const kilograms = (grams: number): number => Number(kgText(upToStep(grams, 10)));

const cargoOf = (parcel: CarrierParcel, remark: string) => ({
  name: parcel.goods,
  quantity: parcel.package_count,
  weight: kilograms(parcel.weight),
  volume: volumeOf(parcel) || leastVolume,
  ...(volumeOf(parcel) > 0
    ? { length: parcel.length, width: parcel.width, hight: parcel.height }
    : {}),
  remark: unlessEmpty(remark),
});

const sendable = (problems: Problems): void => {
  if (Object.keys(problems).length > 0) failFields(problems);
};

/**
 * The pickup window in milliseconds; if both are undefined, the courier comes as soon as possible.
 */
const windowOf = ({ pickup_from, pickup_until }: CarrierOrder) => ({
  pickupStartTime: pickup_from?.getTime(),
  pickupEndTime: pickup_until?.getTime(),
});

const orderContent = (
  account: OrderingAccount,
  order: CarrierOrder,
  deliveryId: string,
  { sender, receiver }: { sender: Contact; receiver: Contact },
) => ({
  orderId: order.order_id,
  ...belongingTo(account),
  settleType: monthlyAccount,
  senderContact: { ...sender, warehouseCode: unlessEmpty(account.warehouse_code) },
  receiverContact: receiver,
  productsReq: productsOf(order),
  cargoes: [cargoOf(order, order.description)],
  remark: unlessEmpty(order.remark),
  ...windowOf(order),
  commonChannelInfo: {
    channelCode: otherChannel,
    channelOrderCode: unlessEmpty(order.thr_order_id),
  },
  waybillCode: unlessEmpty(deliveryId),
  // Pushes are subscribed with the order, because a push can settle an order whose answer was lost.
  extendProps: { autoSubscribe: '1' },
});

/**
 * Body of orders/create. `deliveryId` is the waybill number that was fetched for the order, if
 * there is one. Fails with `invalid_input` if JDL would refuse the order.
 */
export const createBody = (
  account: OrderingAccount,
  order: CarrierOrder,
  deliveryId = '',
): string => {
  sendable(problemsOf(order));
  return bodyOf(
    orderContent(account, order, deliveryId, {
      sender: contactOf(order, 'sender').contact,
      receiver: contactOf(order, 'receive').contact,
    }),
  );
};

/**
 * Builds the body of orders/precheck with the two addresses. If a product is chosen, the body also
 * contains the goods, and JDL returns an estimate.
 */
export const precheckBody = (account: CarrierAccount, parcel: CarrierParcel): string =>
  bodyOf({
    ...belongingTo(account),
    senderContact: {
      fullAddress: addressOf(parcel, 'sender'),
      warehouseCode: unlessEmpty(account.warehouse_code),
    },
    receiverContact: { fullAddress: addressOf(parcel, 'receive') },
    ...(parcel.promise_id === ''
      ? {}
      : { productsReq: productsOf(parcel), cargoes: [cargoOf(parcel, '')] }),
  });

const changeable = [
  'package_count',
  'promise_id',
  'goods_type',
  'guarantee_value_amount',
  'remark',
  'receive_name',
  'receive_phone',
  'receive_province',
  'receive_city',
  'receive_county',
  'receive_address',
] as const;
/**
 * Fields that JDL cannot change after ordering. The weight is not listed: a changed weight is
 * ignored, because JDL weighs the parcel itself.
 */
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
] as const;

/**
 * Builds the body of orders/modify with the changed fields. A changed receiver or product is sent
 * completely, as JDL requires. Null if no field changed that JDL can change. Fails with
 * `invalid_input` if sender or goods changed, or if JDL would refuse the new order.
 */
export const modifyBody = (
  account: CarrierAccount,
  key: ParcelKey,
  before: CarrierOrder,
  after: CarrierOrder,
): string | null => {
  const differs = (name: keyof CarrierOrder): boolean => before[name] !== after[name];
  sendable(
    Object.fromEntries(
      fixed.filter(differs).map((name) => [name, { code: 'carrier_cannot_modify' }]),
    ),
  );
  if (!changeable.some(differs)) return null;
  sendable(problemsOf(after));
  const product =
    differs('promise_id') ||
    differs('guarantee_value_amount') ||
    (differs('goods_type') && needsWarmLayer(after.promise_id));
  const changes = {
    receiverContact: changeable.some((name) => name.startsWith('receive_') && differs(name))
      ? contactOf(after, 'receive').contact
      : undefined,
    productsReq: product ? productsOf(after) : undefined,
    cargoes: differs('package_count') ? [{ quantity: after.package_count }] : undefined,
    remark: differs('remark') ? after.remark || noRemark : undefined,
  };
  if (Object.values(changes).every((change) => change === undefined)) return null;
  return bodyOf({ waybillCode: key.delivery_id, ...belongingTo(account), ...changes });
};

/** Builds the body of a call about one waybill. `more` contains additional fields. */
export const aboutBody = (
  account: CarrierAccount,
  key: ParcelKey,
  more: Record<string, unknown> = {},
): string => bodyOf({ waybillCode: key.delivery_id, ...belongingTo(account), ...more });

/**
 * Body of orders/cancel. JDL cancels an order before the pickup. After the pickup, JDL intercepts
 * the parcel, immediately or later.
 */
export const cancelBody = (account: CarrierAccount, key: ParcelKey, reason: string): string =>
  aboutBody(account, key, {
    cancelReason: [...(reason.trim() || '用户取消')].slice(0, 30).join(''),
    cancelReasonCode: '1',
    cancelType: 1,
    subscribeIntercept: '1',
  });

/**
 * Body of PullDataService/pullData for at most `mostLabelWaybills` parcels. `objectId` is our own
 * number, a new one for each call.
 */
export const labelsBody = (
  account: CarrierAccount,
  parcels: readonly LabelKey[],
  objectId: string,
): string =>
  bodyOf({
    cpCode: 'JD',
    objectId,
    parameters: { ewCustomerCode: account.customer_code },
    wayBillInfos: parcels.map(({ order_id, delivery_id }) => ({
      orderNo: order_id,
      jdWayBillCode: delivery_id,
      popFlag: 0,
    })),
  });

/** Body of orders/pregetwaybillcodes, which requests waybill numbers. */
export const prefetchBody = (account: CarrierAccount, count: number): string =>
  bodyOf({ ...belongingTo(account), sum: count });
