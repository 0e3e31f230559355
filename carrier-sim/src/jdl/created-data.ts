import { contractFreight, yuan } from './fees.ts';
import { pickupPromiseOf, promiseOf, zoneOf } from './journey.ts';
import { says } from './keywords.ts';
import { placeOf } from './places.ts';
import { productOf } from './products.ts';
import {
  bagPlaceOf,
  coverCodeOf,
  distributeCodeOf,
  roadOf,
  sortCentreOf,
  stationOf,
} from './stations.ts';
import type { Settings } from '#settings.ts';
import type { Order } from './order.ts';
import type { Place } from './places.ts';

type Context = { settings(): Settings };

/** Returns the values from which the fee of an order is calculated before the parcel is weighed. */
export const declaredCharge = (context: Context, order: Order) => ({
  to: placeOf(order.receiver.address)?.province ?? '',
  productCode: order.product_code,
  weight: order.weight,
  volume: order.volume,
  insured: order.insured,
  cashOnDelivery: order.cash_on_delivery,
  receiptReturned: order.services.includes('ed-a-0010'),
  rate: context.settings().contract_rate,
});

const placesOf = (order: Order): { from: Place; to: Place } => {
  const nowhere: Place = { province: '', city: '', county: '', rest: '' };
  return {
    from: placeOf(order.sender.address) ?? nowhere,
    to: placeOf(order.receiver.address) ?? nowhere,
  };
};

const presortResult = (order: Order, from: Place, to: Place): Record<string, unknown> => {
  const start = stationOf(from);
  const end = stationOf(to);
  const sorted = order.presorted ? '1' : '0';
  return {
    startStationNo: start.number,
    startStationName: start.name,
    startStationCode: start.code,
    startStationType: 4,
    startRoadArea: roadOf(from),
    startStationPresortResultType: '1',
    endStationNo: order.presorted ? end.number : '',
    endStationName: order.presorted ? end.name : '',
    endStationCode: order.presorted ? end.code : '',
    endStationType: 4,
    endRoadArea: order.presorted ? roadOf(to) : '',
    endDeliveryType: 1,
    endAoiCode: order.presorted ? `AOI${end.number}` : '',
    endStationPresortResultType: sorted,
  };
};

/** Returns the product that the carrier uses, which may be slower than the ordered product. */
const carriedProduct = (order: Order): { code: string; downgraded: boolean } => {
  const downgraded = order.product_code !== 'ed-m-0001' && says(order, 'downgraded');
  return { code: downgraded ? 'ed-m-0001' : order.product_code, downgraded };
};

/** Returns the data of a label. Orders with the same addresses get the same data. */
const faceSheetInfo = (
  context: Context,
  order: Order,
  from: Place,
  to: Place,
): Record<string, unknown> => {
  const start = stationOf(from);
  const end = stationOf(to);
  const source = sortCentreOf(from);
  const target = sortCentreOf(to);
  const { hide_name: hideName, hide_phone: hidePhone } = context.settings();
  const { aging, agingName } = promiseOf(order);
  const carried = carriedProduct(order);
  return {
    startSiteId: start.number,
    startSiteName: start.name,
    endSiteId: order.presorted ? end.number : '',
    endSiteName: order.presorted ? end.name : '',
    road: order.presorted ? roadOf(to) : '',
    sourceSortCenterName: source.name,
    originalCrossCode: source.crossCode,
    originalTabletrolleyCode: source.trolleyCode,
    targetSortCenterName: target.name,
    destinationCrossCode: target.crossCode,
    destinationTabletrolleyCode: target.trolleyCode,
    aging,
    agingName,
    siteType: 4,
    isHideName: hideName,
    isHideContractNumbers: hidePhone,
    transType:
      order.product_code === 'ed-m-0002' && zoneOf(order) >= 3 && !carried.downgraded ? 1 : 0,
    preSortCode: order.presorted ? `${target.crossCode}-${roadOf(to)}` : '',
    deliveryType: 1,
    truckSpot: `${target.crossCode}${target.trolleyCode}`,
    mainProductCode: carried.code,
    mainProductDownGrade: carried.downgraded ? 1 : 0,
    orderId: order.order_id,
    expressOperationMode: 1,
    goodsType: 1,
    collectionAddress: bagPlaceOf(to),
    distributeCode: distributeCodeOf(to),
    coverCode: coverCodeOf(to),
    qrcodeUrl: `https://carrier.example/w/${order.waybill_code}`,
  };
};

/** Returns the `data` of the response to a created order, from the order's present state. */
export const createdData = (context: Context, order: Order): Record<string, unknown> => {
  const { from, to } = placesOf(order);
  const carried = carriedProduct(order);
  return {
    orderCode: order.order_code,
    waybillCode: order.waybill_code,
    pickupPromiseTime: pickupPromiseOf(order),
    deliveryPromiseTime: promiseOf(order).at,
    freightPre: yuan(contractFreight(declaredCharge(context, order))),
    needRetry: !order.presorted,
    presortResult: presortResult(order, from, to),
    productsResponse: {
      productCode: carried.code,
      productName: productOf(carried.code)?.name ?? '',
    },
    faceSheetResponse: { faceSheetInfo: faceSheetInfo(context, order, from, to) },
  };
};
