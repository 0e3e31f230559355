import type { TemplateContent, Zone } from '@waystation/contract/money/voucher-content.ts';

/** The recipients' regions, grouped by distance from the example network as in price lists. */
const groups = [
  { name: '本区', provinces: ['440000', '450000', '460000'], factor: 10 },
  {
    name: '一区',
    provinces: [
      '310000',
      '320000',
      '330000',
      '340000',
      '350000',
      '360000',
      '420000',
      '430000',
      '110000',
      '120000',
    ],
    factor: 12,
  },
  {
    name: '二区',
    provinces: [
      '130000',
      '140000',
      '370000',
      '410000',
      '500000',
      '510000',
      '520000',
      '530000',
      '610000',
    ],
    factor: 14,
  },
  { name: '三区', provinces: ['150000', '210000', '220000', '230000'], factor: 16 },
  { name: '四区', provinces: ['540000', '620000', '630000', '640000', '650000'], factor: 22 },
] as const;
const notServed = ['710000', '810000', '820000'];

interface List {
  /** The price of the first kilogram in the nearest region, in fen. */
  first: number;
  /** The price of each further kilogram in the nearest region, in fen. */
  step: number;
  divisor: number;
}

const zoneOf = (
  { name, provinces, factor }: (typeof groups)[number],
  { first, step }: List,
): Zone => {
  const scaled = (fen: number): number => Math.round((fen * factor) / 100) * 10;
  return {
    name,
    areas: [...provinces],
    not_served: 0,
    first: { max_g: 1_000, price: scaled(first) },
    brackets: [
      { up_to_g: 10_000, step_g: 1_000, price: scaled(step) },
      { up_to_g: 50_000, step_g: 1_000, price: scaled(Math.round(step * 0.9)) },
    ],
    minimum: scaled(first),
  };
};

/** A complete price list for all 34 regions, with invented prices. */
export const exampleTemplate = (list: List): TemplateContent => ({
  divisor: list.divisor,
  origins: [
    {
      provinces: [],
      zones: [
        ...groups.map((group) => zoneOf(group, list)),
        { name: '暂不送达', areas: notServed, not_served: 1 },
      ],
    },
  ],
});
