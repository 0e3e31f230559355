/**
 * Calculates the cost and the shares of a parcel of the example network directly from its price
 * list. It uses no code of the product, no freight template and no frozen terms. Amounts are in fen
 * and weights in grams.
 */
export interface Place {
  province: string;
  city: string;
  county: string;
  /**
   * The factor by which the list's price for the nearest place is multiplied, in tenths. For
   * example, 12 means 1.2 times that price.
   */
  factor: number;
  northeast: boolean;
}

export const places: readonly Place[] = [
  { province: '上海市', city: '上海市', county: '浦东新区', factor: 12, northeast: false },
  { province: '广东省', city: '广州市', county: '天河区', factor: 10, northeast: false },
  { province: '辽宁省', city: '沈阳市', county: '和平区', factor: 16, northeast: true },
  { province: '四川省', city: '成都市', county: '武侯区', factor: 14, northeast: false },
];

export const promises = {
  'ed-m-0001': { first: 1_000, step: 180, divisor: 8_000 },
  'ed-m-0012': { first: 800, step: 150, divisor: 6_000 },
  /** SF's product. The function `offerSf` offers it with the price list of ed-m-0002. */
  '2': { first: 1_500, step: 420, divisor: 8_000 },
} as const;
export type PromiseId = keyof typeof promises;

export const promisesOf = {
  jdl: ['ed-m-0001', 'ed-m-0012'],
  sf: ['2'],
} as const satisfies Record<string, readonly PromiseId[]>;

/**
 * The discounts of the southern partner and the stations below it, and the shares that the stations
 * above them earn. All values are in basis points.
 */
export const payers = {
  south: { discount: 7_500, northeast: 8_000, earners: [] },
  nanshan: { discount: 8_500, northeast: 9_000, earners: [{ key: 'south', rate: 400 }] },
  keji: {
    discount: 9_000,
    northeast: 9_500,
    earners: [
      { key: 'nanshan', rate: 300 },
      { key: 'south', rate: 400 },
    ],
  },
  tianhe: { discount: 8_800, northeast: 9_300, earners: [{ key: 'south', rate: 400 }] },
} as const;
export type PayerKey = keyof typeof payers;

const tenFen = (fen: number): number => Math.round(fen / 10) * 10;
const part = (amount: number, rate: number): number => Math.floor((amount * rate + 5_000) / 10_000);
const insurance = (value: number): number =>
  value === 0 ? 0 : value <= 50_000 ? 100 : value <= 100_000 ? 200 : 400;

export interface PlainParcel {
  payer: PayerKey;
  place: Place;
  promise: PromiseId;
  insured: number;
}

/**
 * The weight and volume that determine the price. They are the carrier's values if the carrier has
 * weighed the parcel, and otherwise the declared values.
 */
export interface Scale {
  weight: number;
  volume: number;
  surcharges: number;
}

/** Returns the price that the station pays, and the profit share of each station above it. */
export const plainPrice = (
  { payer, place, promise, insured }: PlainParcel,
  scale: Scale,
): { pays: number; earns: Map<string, number> } => {
  const { first, step, divisor } = promises[promise];
  const kilograms = Math.max(
    1,
    Math.ceil(Math.max(scale.weight, Math.ceil((scale.volume * 1_000) / divisor)) / 1_000),
  );
  const near = tenFen((step * place.factor) / 10);
  const far = tenFen((Math.round(step * 0.9) * place.factor) / 10);
  const list =
    tenFen((first * place.factor) / 10) +
    Math.min(kilograms - 1, 9) * near +
    Math.max(kilograms - 10, 0) * far;
  const { discount, northeast, earners } = payers[payer];
  const freight = part(list, place.northeast ? northeast : discount);
  return {
    pays: freight + insurance(insured) + scale.surcharges,
    earns: new Map(earners.map(({ key, rate }) => [key, part(freight, rate)])),
  };
};
