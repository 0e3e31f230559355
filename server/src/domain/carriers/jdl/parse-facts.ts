import type { ActualFee, CarrierFee, Coverage, Measured } from '#domain/carriers/port.ts';
import { fenOf, fieldsOf, gramsOf, isFields, listOf, textOf, unwrapJson, volumeOf, wholeOf } from './reading.ts';
import type { Fields } from './reading.ts';
import { instantOf, momentOf } from './wall-clock.ts';

/** Fee codes, new and old, that our own templates price; any other code is a surcharge. */
const feeKinds: Record<string, CarrierFee['kind']> = { QIPSF: 'freight', YF: 'freight', QLBJ: 'insurance', BF: 'insurance' };
const feeNames: Record<string, string> = {
  QIPSF: '快递运费',
  QLBJ: '保价费',
  QLHCF: '包装耗材费',
  QLDS: '代收货款服务费',
  QLQDFH: '签单返还费',
  kkcccc: '超长超重费',
  YF: '运费',
  BF: '保价费',
  BZF: '包装费',
  DSSXF: '代收手续费',
  QDFHF: '签单返还费',
};

/** Fees per code, in their order; amounts of a repeated code are added. */
const feesOf = (rows: { code: string; name: string; amount: number }[]): CarrierFee[] => {
  const fees = new Map<string, CarrierFee>();
  for (const { code, name, amount } of rows) {
    const known = fees.get(code);
    if (known) known.amount += amount;
    else fees.set(code, { code, name: name || (feeNames[code] ?? code), kind: feeKinds[code] ?? 'surcharge', amount });
  }
  return [...fees.values()];
};

/** The carrier's charges. Null if there is no total or a fee is unreadable: an incomplete fee is worse than none. */
export const actualFeeOf = (data: Fields): ActualFee | null => {
  const jd_amount = fenOf(data['sumMoney']);
  const rows = listOf(unwrapJson(data['commonActualFeeInfoDetails'])).map((row) => {
    const fields = fieldsOf(row);
    return {
      code: textOf(fields['feeType'] ?? fields['costNo'], 40),
      name: textOf(fields['feeTypeName'] ?? fields['costName'], 100),
      amount: fenOf(fields['money'] ?? fields['amount']),
    };
  });
  if (jd_amount === null || rows.some(({ code, amount }) => code === '' || amount === null)) return null;
  return {
    jd_amount,
    estimate_amount: fenOf(data['estimateSumMoney']),
    jd_cal_weight: gramsOf(data['calWeight']),
    fees: feesOf(rows.map((row) => ({ ...row, amount: row.amount ?? 0 }))),
  };
};

/** The carrier's measurements: weights and volumes come as text, missing or 0 before it has measured. Null if the answer has no goods. */
export const measuredOf = (data: Fields): Measured | null => {
  const cargoes = unwrapJson(data['cargoes']);
  const cargo = Array.isArray(cargoes) ? (cargoes[0] as unknown) : cargoes;
  if (!isFields(cargo)) return null;
  return {
    jd_weight: gramsOf(cargo['againWeight']),
    jd_volume: volumeOf(cargo['againVolume']),
    package_count: wholeOf(cargo['quantity'], 1),
    order_id: textOf(data['orderId'], 60),
  };
};

/** A slice has full timestamps, or times of the day of its group. */
const sliceTime = (value: unknown, day: string): Date | null => momentOf(value) ?? (day === '' ? null : instantOf(`${day} ${textOf(value, 20)}`));

const windowsOf = (days: unknown): Coverage['pickup_windows'] =>
  listOf(unwrapJson(days)).flatMap((group) => {
    const { dateKey, pickupSliceTimes } = fieldsOf(group);
    const day = textOf(dateKey, 20);
    return listOf(pickupSliceTimes).flatMap((slice) => {
      const { startTime, endTime } = fieldsOf(slice);
      const starts_at = sliceTime(startTime, day);
      const ends_at = sliceTime(endTime, day);
      return starts_at && ends_at && starts_at < ends_at ? [{ starts_at, ends_at }] : [];
    });
  });

const productOf = (row: unknown): Coverage['products'][number] => {
  const product = fieldsOf(row);
  const trade = fieldsOf(product['productTradeAttr']);
  return {
    promise_id: textOf(product['productCode'], 40),
    promise_name: textOf(product['productName'], 100),
    amount: fenOf(product['freightPre']),
    delivery_promise_at: momentOf(product['deliveryPromiseTime']),
    max_weight: wholeOf(fieldsOf(trade['cargoLimit'])['maxWeight'], 1),
  };
};

const estimateOf = (data: Fields): Coverage['estimate'] => {
  const info = fieldsOf(unwrapJson(data['commonFeeInfoResponse']));
  const amount = fenOf(info['totalPreAmount'] ?? data['totalFreightPre'] ?? info['totalAmount']);
  if (amount === null) return null;
  const rows = listOf(info['feeDetailInfoResponseList']).flatMap((row) => {
    const fields = fieldsOf(row);
    const code = textOf(fields['costNo'], 40);
    const preAmount = fenOf(fields['preAmount'] ?? fields['amount']);
    return code === '' || preAmount === null ? [] : [{ code, name: textOf(fields['costName'], 100), amount: preAmount }];
  });
  return { amount, cal_weight: gramsOf(info['calWeight']), fees: feesOf(rows) };
};

/** What is no place, though a refusal may use the words of one: the account, its money and contract, the goods, their weight and size, a time. */
const otherWords = [
  /[账帐][号户]|余额|欠费|合同|合约|商品|品类|货物|物品|托寄物|重量|超重|尺寸|体积|长度|时间|时段/,
  /\b(?:accounts?|balance|contracts?|goods|weight|size|dimensions?|time)\b/i,
];
/** A place that it does not serve for a while, as against one that it never serves. */
const suspendedWords = /暂停|停发|停收|停派|管控|封控|疫情|不可抗力/;
const outOfAreaWords = [
  /超区/,
  /(?:超出|不在)(?:本|该|京东|快递|物流)?(?:服务|配送|派送|揽收|取件|收寄|收件|寄递|送货|营业|覆盖|运营)的?(?:范围|区域)/,
  /(?:服务|配送|派送|揽收|取件|收寄|收件|寄递|送货|营业|覆盖|运营)的?(?:范围|区域)[之以]?外/,
  /(?:地址|地区|区域)已?(?:超出|不在)(?:范围|区域)/,
  /(?:不支持|无法|不能|未开通|不提供)(?:上门)?(?:送达|到达|派送|配送|揽收|收寄|寄递|取件|送货)/,
  /(?:out of|outside|beyond) (?:of )?(?:the |our )?(?:service |delivery |pickup |coverage )?(?:area|range)\b/i,
];

/** What a refusal says of the two places. The carrier's business codes are not public, so its words decide; other words mean another reason. */
export const refusedCoverage = (text: string): 'out_of_area' | 'suspended' | 'refused' => {
  if (otherWords.some((words) => words.test(text))) return 'refused';
  if (suspendedWords.test(text)) return 'suspended';
  return outOfAreaWords.some((words) => words.test(text)) ? 'out_of_area' : 'refused';
};

/** Coverage and estimate; `promiseId` empty asks whether anything is served. */
export const coverageOf = (data: Fields, promiseId: string): Coverage => {
  const products = listOf(unwrapJson(data['productInfos']))
    .map(productOf)
    .filter(({ promise_id }) => promise_id !== '');
  const ends = fieldsOf(unwrapJson(data['shipmentInfo']));
  return {
    served: promiseId === '' ? products.length > 0 : products.some(({ promise_id }) => promise_id === promiseId),
    start_station_name: textOf(ends['startStationName'], 100),
    end_station_name: textOf(ends['endStationName'], 100),
    products,
    pickup_windows: windowsOf(data['pickupSliceTimes']),
    estimate: estimateOf(data),
  };
};
