import { present } from '@waystation/contract/base/present.ts';
import { safeSum } from '#domain/carriers/port.ts';
import type {
  ActualFee,
  CarrierFee,
  Coverage,
  FeeService,
  Measured,
} from '#domain/carriers/port.ts';
import {
  fenOf,
  fieldsOf,
  gramsOf,
  isFields,
  listOf,
  shortened,
  textOf,
  unwrapJson,
  volumeOf,
  wholeOf,
} from '#domain/carriers/reading.ts';
import type { Fields } from '#domain/carriers/reading.ts';
import { instantOf, momentOf } from '#domain/carriers/wall-clock.ts';

/**
 * The known fee codes, old and new. The services carriage and insurance are priced by our own
 * templates, so they are not surcharges.
 */
const feeCodes: Record<string, { name: string; service: FeeService }> = {
  QIPSF: { name: '快递运费', service: 'carriage' },
  QLBJ: { name: '保价费', service: 'insurance' },
  QLHCF: { name: '包装耗材费', service: 'packaging' },
  QLDS: { name: '代收货款服务费', service: 'cash_on_delivery' },
  QLQDFH: { name: '签单返还费', service: 'receipt' },
  kkcccc: { name: '超长超重费', service: 'oversize' },
  YF: { name: '运费', service: 'carriage' },
  BF: { name: '保价费', service: 'insurance' },
  BZF: { name: '包装费', service: 'packaging' },
  DSSXF: { name: '代收手续费', service: 'cash_on_delivery' },
  QDFHF: { name: '签单返还费', service: 'receipt' },
};
const kinds: Partial<Record<FeeService, CarrierFee['kind']>> = {
  carriage: 'freight',
  insurance: 'insurance',
};

interface FeeRow {
  code: string;
  name: string;
  amount: number;
}

/** One fee for each code, in the order of the rows; the amounts of a repeated code are added. */
const feesOf = (rows: readonly FeeRow[]): CarrierFee[] => {
  const fees = new Map<string, CarrierFee>();
  for (const { code, name, amount } of rows) {
    const found = fees.get(code);
    const known = Object.hasOwn(feeCodes, code) ? present(feeCodes[code]) : null;
    const service = known?.service ?? 'unknown';
    if (found) found.amount = safeSum(found.amount, amount);
    else
      fees.set(code, {
        code,
        name: name || (known?.name ?? code),
        kind: kinds[service] ?? 'surcharge',
        service,
        amount,
      });
  }
  return [...fees.values()];
};

/** The largest number of fees in one answer; a real answer has only a few. */
const mostFees = 50;
const mostUnreadable = 5;

/** A value that cannot be read, as text for admins. */
const shown = (...parts: unknown[]): string =>
  parts
    .map((part) => textOf(typeof part === 'object' ? JSON.stringify(part) : part, 40))
    .filter((part) => part !== '')
    .join(' ') || '–';

/** Reads a row as a fee; returns the text of the row if it cannot be read. */
const feeRowOf = (row: unknown): FeeRow | string => {
  const fields = fieldsOf(row);
  const code = textOf(fields['feeType'] ?? fields['costNo'], 40);
  const money = fields['money'] ?? fields['amount'];
  const amount = fenOf(money);
  if (code === '' || amount === null)
    return shown(code, money === undefined ? shortened(row) : money);
  return { code, name: textOf(fields['feeTypeName'] ?? fields['costName'], 100), amount };
};

/**
 * The carrier's charges, and the parts that cannot be read. Null if the answer has neither a total
 * nor a fee, because nothing is charged yet.
 */
export const actualFeeOf = (data: Fields): ActualFee | null => {
  const details = unwrapJson(data['commonActualFeeInfoDetails']) ?? [];
  const isList = Array.isArray(details);
  const rows = listOf(details).slice(0, mostFees).map(feeRowOf);
  const total = data['sumMoney'] ?? null;
  if (total === null && isList && rows.length === 0) return null;
  const jd_amount = fenOf(total);
  const unreadable = [
    ...(jd_amount === null ? [shown('sumMoney', total)] : []),
    ...(isList ? [] : [shown('commonActualFeeInfoDetails', shortened(details))]),
    ...(listOf(details).length > mostFees ? [`> ${mostFees}`] : []),
    ...rows.filter((row) => typeof row === 'string'),
  ];
  return {
    jd_amount: jd_amount ?? 0,
    estimate_amount: fenOf(data['estimateSumMoney']),
    jd_cal_weight: gramsOf(data['calWeight']),
    fees: feesOf(rows.filter((row) => typeof row !== 'string')),
    unreadable: unreadable.slice(0, mostUnreadable),
  };
};

/**
 * A list with the text of a weight that is negative, too large for its column, or not a number. The
 * list is empty if the weight is valid or missing.
 */
const unreadableWeight = (value: unknown): string[] => {
  const text = shown(value);
  const isNone =
    value === undefined || value === null || /^[-+]?0*\.?0*$/.test(text) || text === '–';
  return isNone || gramsOf(value) !== null ? [] : [shown('againWeight', value)];
};

/**
 * Reads the carrier's measurements. Weight and volume come as text, and are missing or 0 before the
 * carrier has measured them. Null if the answer has no goods.
 */
export const measuredOf = (data: Fields): Measured | null => {
  const cargoes = unwrapJson(data['cargoes']);
  const cargo = Array.isArray(cargoes) ? (cargoes[0] as unknown) : cargoes;
  if (!isFields(cargo)) return null;
  return {
    jd_weight: gramsOf(cargo['againWeight']),
    jd_volume: volumeOf(cargo['againVolume']),
    package_count: wholeOf(cargo['quantity'], 1),
    order_id: textOf(data['orderId'], 60),
    unreadable: unreadableWeight(cargo['againWeight']),
  };
};

/** The time of a pickup slice: a complete timestamp, or a time on the day of the slice's group. */
const sliceTime = (value: unknown, day: string): Date | null =>
  momentOf(value) ?? (day === '' ? null : instantOf(`${day} ${textOf(value, 20)}`));

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
    return code === '' || preAmount === null
      ? []
      : [{ code, name: textOf(fields['costName'], 100), amount: preAmount }];
  });
  return { amount, cal_weight: gramsOf(info['calWeight']), fees: feesOf(rows) };
};

/**
 * Words of refusals whose reason is not the place. The reason is the account, its money or
 * contract, the goods, their weight or size, or the time.
 */
const otherWords = [
  /[账帐][号户]|余额|欠费|合同|合约|商品|品类|货物|物品|托寄物|重量|超重|尺寸|体积|长度|时间|时段/,
  /\b(?:accounts?|balance|contracts?|goods|weight|size|dimensions?|time)\b/i,
];
/**
 * Matches texts about a place that the carrier temporarily does not serve, but not texts about a
 * place that it never serves.
 */
const suspendedWords = /暂停|停发|停收|停派|管控|封控|疫情|不可抗力/;
const outOfAreaWords = [
  /超区/,
  /(?:超出|不在)(?:本|该|京东|快递|物流)?(?:服务|配送|派送|揽收|取件|收寄|收件|寄递|送货|营业|覆盖|运营)的?(?:范围|区域)/,
  /(?:服务|配送|派送|揽收|取件|收寄|收件|寄递|送货|营业|覆盖|运营)的?(?:范围|区域)[之以]?外/,
  /(?:地址|地区|区域)已?(?:超出|不在)(?:范围|区域)/,
  /(?:不支持|无法|不能|未开通|不提供)(?:上门)?(?:送达|到达|派送|配送|揽收|收寄|寄递|取件|送货)/,
  /(?:out of|outside|beyond) (?:of )?(?:the |our )?(?:service |delivery |pickup |coverage )?(?:area|range)\b/i,
];

/**
 * The reason why JDL does not serve the sender's or the recipient's place. JDL does not publish its
 * codes, so the words of the text decide. A text without known words means another reason.
 */
export const refusedCoverage = (text: string): 'out_of_area' | 'suspended' | 'refused' => {
  if (otherWords.some((words) => words.test(text))) return 'refused';
  if (suspendedWords.test(text)) return 'suspended';
  return outOfAreaWords.some((words) => words.test(text)) ? 'out_of_area' : 'refused';
};

/**
 * The coverage and estimate in JDL's answer. With an empty `promiseId`, a place is served if any
 * product is offered.
 */
export const coverageOf = (data: Fields, promiseId: string): Coverage => {
  const products = listOf(unwrapJson(data['productInfos']))
    .map(productOf)
    .filter(({ promise_id }) => promise_id !== '');
  const ends = fieldsOf(unwrapJson(data['shipmentInfo']));
  return {
    served:
      promiseId === ''
        ? products.length > 0
        : products.some(({ promise_id }) => promise_id === promiseId),
    start_station_name: textOf(ends['startStationName'], 100),
    end_station_name: textOf(ends['endStationName'], 100),
    products,
    pickup_windows: windowsOf(data['pickupSliceTimes']),
    estimate: estimateOf(data),
  };
};
