import { productOf } from './products.ts';

/** A fee: its code in the carrier's table, its name, and its amount in whole fen. */
export type FeeLine = { code: string; name: string; amount: number };

const names: Record<string, string> = {
  QIPSF: '快递运费',
  QLBJ: '保价费',
  QLHCF: '包装耗材费',
  QLDS: '代收货款手续费',
  QLQDFH: '签单返还费',
  kkcccc: '超长超重附加费',
};

export const feeName = (code: string): string => names[code] ?? code;

/**
 * The facts from which a fee is calculated: `weight` in grams, `volume` in cm³, `insured` and
 * `cashOnDelivery` in fen, and `rate`, the contract's rate in basis points.
 */
export type Charged = {
  /**
   * The receiver's province, because the price list groups prices by province. An empty text counts
   * as one of the nearest provinces.
   */
  to: string;
  productCode: string;
  weight: number;
  volume: number;
  insured: number;
  cashOnDelivery: number;
  receiptReturned: boolean;
  rate: number;
};

/** The price factors of destinations, in tenths of the price to the nearest provinces. */
const factors: readonly (readonly [number, string])[] = [
  [10, '广东省 广西壮族自治区 海南省'],
  [12, '上海市 江苏省 浙江省 安徽省 福建省 江西省 湖北省 湖南省 北京市 天津市'],
  [14, '河北省 山西省 山东省 河南省 重庆市 四川省 贵州省 云南省 陕西省'],
  [16, '内蒙古自治区 辽宁省 吉林省 黑龙江省'],
  [
    22,
    '西藏自治区 甘肃省 青海省 宁夏回族自治区 新疆维吾尔自治区 香港特别行政区 澳门特别行政区 台湾省',
  ],
];
const factorOf = new Map(
  factors.flatMap(([factor, provinces]) =>
    provinces.split(' ').map((province) => [province, factor] as const),
  ),
);

type List = { first: number; further: number };
const standard: List = { first: 1000, further: 180 };
/**
 * The products that have a price list of their own, in fen for the nearest provinces. The price of
 * any other product is the standard price list multiplied by the product's rate.
 */
const lists: Record<string, List> = {
  'ed-m-0001': standard,
  'ed-m-0002': { first: 1500, further: 420 },
  'ed-m-0012': { first: 800, further: 150 },
};
/**
 * The number of kilograms up to which each further kilogram costs the full price. Each kilogram
 * above this number costs nine tenths of it.
 */
const fullPriceTo = 10;

const halfUp = (value: number, divisor: number): number =>
  Math.floor((2 * value + divisor) / (2 * divisor));

/**
 * Returns the billed kilograms: the larger of the weight and the volumetric weight, rounded up to a
 * whole kilogram.
 */
export const billedKilograms = (productCode: string, weight: number, volume: number): number => {
  const divisor = productOf(productCode)?.divisor ?? 8000;
  const byVolume = Math.ceil((volume * 1000) / divisor);
  return Math.max(1, Math.ceil(Math.max(weight, byVolume) / 1000));
};

/**
 * Returns the freight in fen at the list price: a price for the first kilogram plus a price for
 * each further started kilogram.
 */
export const listFreight = (charged: Charged): number => {
  const own = lists[charged.productCode];
  const { first, further } = own ?? standard;
  const factor = factorOf.get(charged.to) ?? 10;
  const scaled = (fen: number): number => halfUp(fen * factor, 100) * 10;
  const kilograms = billedKilograms(charged.productCode, charged.weight, charged.volume);
  const full = Math.min(kilograms, fullPriceTo) - 1;
  const list =
    scaled(first) +
    full * scaled(further) +
    Math.max(0, kilograms - fullPriceTo) * scaled(halfUp(further * 9, 10));
  return own ? list : halfUp(list * (productOf(charged.productCode)?.rate ?? 10_000), 10_000);
};

/** Returns the freight in fen at the contract's price. */
export const contractFreight = (charged: Charged): number =>
  halfUp(listFreight(charged) * charged.rate, 10_000);

/**
 * Returns every fee that follows only from the order and the scale; freight is the first. Insurance
 * costs 0.11 % (at least half a yuan), and cash on delivery 1.5 % (at least 2 yuan).
 */
export const feesOf = (charged: Charged): FeeLine[] => {
  const lines: FeeLine[] = [
    { code: 'QIPSF', name: feeName('QIPSF'), amount: contractFreight(charged) },
  ];
  const add = (code: string, amount: number): void => {
    lines.push({ code, name: feeName(code), amount });
  };
  if (charged.insured > 0) add('QLBJ', Math.max(50, halfUp(charged.insured * 11, 10_000)));
  if (charged.cashOnDelivery > 0)
    add('QLDS', Math.max(200, halfUp(charged.cashOnDelivery * 150, 10_000)));
  if (charged.receiptReturned) add('QLQDFH', 500);
  return lines;
};

/** Converts fen to yuan, as in JSON responses: 1450 → 14.5. */
export const yuan = (fen: number): number => fen / 100;
