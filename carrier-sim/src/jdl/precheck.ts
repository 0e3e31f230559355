import { wallClock } from '#wall-clock.ts';
import { Refusal } from './answers.ts';
import { principalOf } from './call.ts';
import { billedKilograms, contractFreight, feeName, feesOf, listFreight, yuan } from './fees.ts';
import { pickupPromiseOf, promiseOf } from './journey.ts';
import { keywords, says } from './keywords.ts';
import { readAddress, readCargo, readProducts } from './order-input.ts';
import { placeOf } from './places.ts';
import { offeredProducts, productOf } from './products.ts';
import { stationOf } from './stations.ts';
import type { Call, Reply } from './call.ts';
import type { Charged, FeeLine } from './fees.ts';
import type { Place } from './places.ts';
import type { Product } from './products.ts';

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Returns pickup windows of two hours between 9:00 and 19:00: the remaining ones of today, and all
 * of the next two days.
 */
const pickupWindows = (now: number): Record<string, unknown>[] => {
  const midnight = now - ((now + 8 * hour) % day);
  return [0, 1, 2].map((ahead) => {
    const start = midnight + ahead * day;
    const windows = [9, 11, 13, 15, 17]
      .map((from) => ({ startTime: start + from * hour, endTime: start + (from + 2) * hour }))
      .filter(({ endTime }) => endTime > now + hour)
      .map((window) => ({
        name: `${wallClock(window.startTime).slice(11, 16)}-${wallClock(window.endTime).slice(11, 16)}`,
        ...window,
      }));
    return {
      dateKey: wallClock(start).slice(0, 10),
      dayOpenTime: start + 8 * hour,
      dayCloseTime: start + 20 * hour,
      dayStartTime: start,
      dayEndTime: start + day - 1000,
      timeInterval: 120,
      pickupSliceTimes: windows,
    };
  });
};

type Quoted = {
  from: Place;
  to: Place;
  base: Omit<Charged, 'productCode'>;
  addresses: { sender: { address: string }; receiver: { address: string } };
};

const productInfo = (
  call: Call,
  quoted: Quoted,
  product: Product,
  priced: boolean,
): Record<string, unknown> => {
  const charged = { ...quoted.base, productCode: product.code };
  const promise = promiseOf({
    created_at: call.world.clock.now(),
    product_code: product.code,
    ...quoted.addresses,
  });
  return {
    productCode: product.code,
    productName: product.name,
    feeType: 'QIPSF',
    feeTypeName: feeName('QIPSF'),
    ...(priced
      ? { freightPre: yuan(contractFreight(charged)), freightStandard: yuan(listFreight(charged)) }
      : {}),
    deliveryPromiseTime: promise.at,
    productAgingInfo: {
      agingTime: promise.at,
      cutoffTime: '18:00',
      cutoffEndTime: '20:00',
      pickUpDeadlineTime: pickupPromiseOf({ created_at: call.world.clock.now() }),
    },
    productTradeAttr: {
      cargoLimit: { maxWeight: 10_000_000 },
      pickupTypeList: [1, 2],
      settlementTypeList: [1, 2, 3],
    },
    addedProducts: [],
  };
};

const feeAnswer = (
  lines: readonly FeeLine[],
  product: Product,
  kilograms: number,
): Record<string, unknown> => {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return {
    calWeight: kilograms,
    currency: 'CNY',
    totalAmount: yuan(total),
    totalPreAmount: yuan(total),
    feeDetailInfoResponseList: lines.map(({ code, name, amount }) => ({
      costNo: code,
      costName: name,
      amount: yuan(amount),
      preAmount: yuan(amount),
      currency: 'CNY',
      productCode: product.code,
      productName: product.name,
    })),
  };
};

const readQuoted = (call: Call): Quoted & { priced: boolean; product: Product | undefined } => {
  const { body, world } = call;
  const sender = { address: readAddress(body.inside('senderContact')) };
  const receiver = { address: readAddress(body.inside('receiverContact')) };
  if (says({ remark: '', sender, receiver }, 'out_of_area'))
    throw new Refusal(`收件地址${keywords.out_of_area}，不在服务范围内`);
  const from = placeOf(sender.address) as Place;
  const to = placeOf(receiver.address) as Place;
  const products = body.has('productsReq') ? readProducts(body) : undefined;
  const cargo = body.has('cargoes') ? readCargo(body) : undefined;
  const base = {
    to: to.province,
    weight: cargo?.weight ?? 0,
    volume: cargo?.volume ?? 0,
    insured: products?.insured ?? 0,
    cashOnDelivery: products?.cash_on_delivery ?? 0,
    receiptReturned: products?.services.includes('ed-a-0010') ?? false,
    rate: world.settings().contract_rate,
  };
  const priced = cargo !== undefined && products !== undefined;
  return {
    from,
    to,
    base,
    addresses: { sender, receiver },
    priced,
    product: products === undefined ? undefined : productOf(products.product_code),
  };
};

/**
 * Returns coverage, pickup windows and products for two addresses. If the request contains cargo
 * and product, also returns the price.
 */
export const precheck = (call: Call): Reply => {
  principalOf(call);
  const quoted = readQuoted(call);
  const { priced, product } = quoted;
  const start = stationOf(quoted.from);
  const end = stationOf(quoted.to);
  const offered = product === undefined ? offeredProducts : [product];
  const data: Record<string, unknown> = {
    shipmentInfo: {
      startStationNo: start.number,
      startStationCode: start.code,
      startStationName: start.name,
      endStationNo: end.number,
      endStationCode: end.code,
      endStationName: end.name,
    },
    pickupSliceTimes: pickupWindows(call.world.clock.now()),
    productInfos: offered.map((one) => productInfo(call, quoted, one, priced)),
  };
  if (priced && product !== undefined) {
    const charged = { ...quoted.base, productCode: product.code };
    data['commonFeeInfoResponse'] = feeAnswer(
      feesOf(charged),
      product,
      billedKilograms(product.code, charged.weight, charged.volume),
    );
    data['totalFreightPre'] = yuan(contractFreight(charged));
    data['totalFreightStandard'] = yuan(listFreight(charged));
  }
  return { data };
};
