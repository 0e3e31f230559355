import { productOf } from './products.ts';
import type { Zone } from './places.ts';

/** Fee codes of the platform's table; amounts beside them are whole fen. */
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

/** What decides a fee. Weight in grams, volume in cm³, insured value and cash on delivery in fen, `rate` the contract's basis points. */
export type Charged = {
  zone: Zone;
  productCode: string;
  weight: number;
  volume: number;
  insured: number;
  cashOnDelivery: number;
  receiptReturned: boolean;
  rate: number;
};

/** First kilogram and each further started one, in fen, by zone: the carrier's own public list, invented but for the first line. */
const prices: readonly (readonly [number, number])[] = [
  [1200, 200],
  [1200, 300],
  [1300, 500],
  [1500, 800],
  [2200, 1400],
];

const halfUp = (value: number, divisor: number): number => Math.floor((2 * value + divisor) / (2 * divisor));

/** Whole kilograms that are billed: the heavier of weight and volume, every started kilogram counting. */
export const billedKilograms = (productCode: string, weight: number, volume: number): number => {
  const divisor = productOf(productCode)?.divisor ?? 8000;
  const byVolume = Math.ceil((volume * 1000) / divisor);
  return Math.max(1, Math.ceil(Math.max(weight, byVolume) / 1000));
};

/** Freight in fen at the list price. */
export const listFreight = (charged: Charged): number => {
  const [first, further] = prices[charged.zone] as readonly [number, number];
  const kilograms = billedKilograms(charged.productCode, charged.weight, charged.volume);
  return halfUp((first + (kilograms - 1) * further) * (productOf(charged.productCode)?.rate ?? 10_000), 10_000);
};

/** Freight in fen at the contract's price. */
export const contractFreight = (charged: Charged): number => halfUp(listFreight(charged) * charged.rate, 10_000);

/** Every fee known from the order and the scale alone; freight first. Insurance 0.5 % (at least 1 yuan), cash on delivery 1.5 % (at least 2). */
export const feesOf = (charged: Charged): FeeLine[] => {
  const lines: FeeLine[] = [{ code: 'QIPSF', name: feeName('QIPSF'), amount: contractFreight(charged) }];
  const add = (code: string, amount: number): void => {
    lines.push({ code, name: feeName(code), amount });
  };
  if (charged.insured > 0) add('QLBJ', Math.max(100, halfUp(charged.insured * 50, 10_000)));
  if (charged.cashOnDelivery > 0) add('QLDS', Math.max(200, halfUp(charged.cashOnDelivery * 150, 10_000)));
  if (charged.receiptReturned) add('QLQDFH', 500);
  return lines;
};

/** Fen as the yuan a JSON answer carries: 1450 → 14.5. */
export const yuan = (fen: number): number => fen / 100;
