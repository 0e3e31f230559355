/**
 * `rate`: the price in basis points of the standard price. `quick`: by how many days it is faster.
 * `divisor`: the cm³ that count as one kg.
 */
export type Product = {
  code: string;
  name: string;
  rate: number;
  quick: number;
  divisor: number;
  cold: boolean;
};

const express = (code: string, name: string, rate = 10_000, quick = 0): Product => ({
  code,
  name,
  rate,
  quick,
  divisor: 8000,
  cold: false,
});
const cold = (code: string, name: string, rate: number): Product => ({
  ...express(code, name, rate),
  cold: true,
});
const freight = (code: string, name: string, rate: number): Product => ({
  ...express(code, name, rate),
  divisor: 6000,
});

const products: readonly Product[] = [
  express('ed-m-0001', '京东标快'),
  express('ed-m-0002', '京东特快', 13_500, 1),
  express('ed-m-0005', '同城急送', 18_000, 1),
  express('ed-m-0012', '特惠包裹', 8500),
  express('ed-m-0017', '函速达', 12_000, 1),
  express('ed-m-0019', '特惠小件', 8000),
  express('ed-m-0020', '特快包裹', 12_500, 1),
  express('ed-m-0059', '电商标快', 8200),
  cold('LL-HD-M', '生鲜标快', 14_000),
  cold('LL-SD-M', '生鲜特快', 17_000),
  cold('ll-m-0015', '冷链专送', 20_000),
  freight('fr-m-0001', '特快零担', 9000),
  freight('fr-m-0002', '特惠重货', 7500),
  freight('fr-m-0004', '特快重货', 9500),
  freight('fr-m-0007', '航空重货', 16_000),
  freight('fr-m-0017', '特惠专配', 7000),
];

const byCode = new Map(products.map((product) => [product.code, product]));

/**
 * Returns the product with a carrier's code; undefined if the carrier does not sell such a product.
 */
export const productOf = (code: string): Product | undefined => byCode.get(code);

/** The products in a quote if its request does not ask for one product. */
export const offeredProducts: readonly Product[] = products.filter(({ code }) =>
  ['ed-m-0001', 'ed-m-0002', 'ed-m-0012', 'ed-m-0019'].includes(code),
);

/** The temperature classes of fresh and frozen products. */
export const warmLayers: readonly string[] = [
  'common',
  'usual',
  'alive',
  'control',
  'cold',
  'freezing',
  'deepCool',
];

export const insuranceCode = 'ed-a-0002';
export const cashOnDeliveryCode = 'ed-a-0009';
/** The codes of the added services that the carrier accepts; it refuses all others. */
export const services: ReadonlySet<string> = new Set([
  insuranceCode,
  cashOnDeliveryCode,
  'ed-a-0005',
  'ed-a-0010',
  'ed-a-0032',
  'ed-a-0047',
  'ed-a-0097',
  'ed-a-0099',
]);
