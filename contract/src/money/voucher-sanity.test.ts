import { describe, expect, it } from 'vitest';
import { provinceCodes, provinces } from '#parcels/provinces.ts';
import { neighboursOf, regions } from '#parcels/regions.ts';
import { lookOver, outliers, zoneFreight } from './voucher-sanity.ts';
import { changedCells } from './voucher-diff.ts';
import type { ServedZone, TemplateContent } from './voucher-content.ts';

const zone = (areas: string[], price: number, step = 100): ServedZone => ({
  name: '',
  areas,
  not_served: 0,
  first: { max_g: 1_000, price },
  brackets: [{ up_to_g: 30_000, step_g: 1_000, price: step }],
  minimum: 0,
});
const content = (...zones: ServedZone[]): TemplateContent => ({
  divisor: null,
  origins: [
    {
      provinces: [],
      zones: [
        ...zones,
        zone(
          provinceCodes.filter((code) => !zones.some(({ areas }) => areas.includes(code))),
          1_000,
        ),
      ],
    },
  ],
});

describe('the regions and neighbours of the provinces', () => {
  it('the regions together contain each of the 34 provinces exactly once', () => {
    expect(regions.flatMap((region) => region.provinces).toSorted()).toEqual(
      provinces.map(({ code }) => code).toSorted(),
    );
  });

  it('if a province is listed as a neighbour of another, the other is listed as its neighbour too; Taiwan has no neighbours', () => {
    for (const code of provinceCodes)
      for (const other of neighboursOf(code))
        expect(neighboursOf(other), `${other} beside ${code}`).toContain(code);
    expect(neighboursOf('710000')).toEqual([]);
    expect(neighboursOf('460000')).toEqual(['440000', '450000']);
  });
});

describe('a suspicious price in a freight template', () => {
  it('a price is suspicious if it is above twice the highest price of the neighbouring provinces or below half of their lowest price', () => {
    expect(outliers(content())).toEqual([]);
    expect(
      outliers(content(zone(['510000'], 12_000))).map(({ code, params }) => [
        code,
        params['region'],
        params['own_amount'],
      ]),
    ).toEqual([['outlier_dear', '510000', 12_000]]);
    expect(
      outliers(content(zone(['510000'], 120))).map(({ code, params }) => [
        code,
        params['at_weight'],
      ]),
    ).toEqual([['outlier_cheap', 1_000]]);
    expect(
      outliers(content(zone(['510000'], 1_000, 1_000))).map(({ code, params }) => [
        code,
        params['at_weight'],
      ]),
    ).toEqual([['outlier_dear', 5_000]]);
    expect(outliers(content(zone(['510000'], 2_000)))).toEqual([]);
  });

  it('a suspicious price is a warning, and is listed together with the errors that prevent publishing', () => {
    const bare: TemplateContent = {
      divisor: null,
      origins: [
        {
          provinces: [],
          zones: [zone(['510000'], 100), zone(['500000', '520000', '530000'], 1_000)],
        },
      ],
    };
    expect(lookOver(bare).map(({ code, severity }) => [code, severity])).toEqual([
      ['region_uncovered', 'error'],
      ['outlier_cheap', 'warning'],
    ]);
  });

  it('the price check uses the price before discounts, charges every started step in full and applies the minimum charge', () => {
    const priced = { ...zone(['510000'], 1_000, 200), minimum: 1_300 };
    expect([500, 1_000, 2_001, 30_000, 30_001].map((grams) => zoneFreight(priced, grams))).toEqual([
      1_300,
      1_300,
      1_400,
      6_800,
      null,
    ]);
  });
});

describe('the comparison of two versions of a freight template', () => {
  it('the comparison of two template versions lists each changed value of each region once, even if the zones group the regions differently', () => {
    const before = {
      discount: null,
      northeast_discount: 9_500,
      weight: content(zone(['510000'], 1_200)),
    };
    const regrouped = content(zone(['510000'], 1_200), zone(['440000'], 1_000));
    expect(changedCells(before, { ...before, weight: regrouped })).toEqual([]);
    const after = {
      discount: 9_000,
      northeast_discount: 9_500,
      weight: { ...content(zone(['510000'], 1_300)), divisor: 8_000 },
    };
    expect(
      changedCells(before, after).map(({ area, field, before: was, after: is }) => [
        area,
        field,
        was,
        is,
      ]),
    ).toEqual([
      ['', 'discount', 10_000, 9_000],
      ['', 'divisor', null, 8_000],
      ['510000', 'first.price', 1_200, 1_300],
    ]);
  });

  it('the comparison of two template versions shows a price grid for new senders as added', () => {
    const before = { discount: null, northeast_discount: null, weight: content() };
    const origins = [
      ...before.weight.origins,
      { provinces: ['460000'], zones: [{ name: '', areas: ['460000'], not_served: 1 as const }] },
    ];
    expect(changedCells(before, { ...before, weight: { divisor: null, origins } })).toEqual([
      { senders: ['460000'], area: '460000', field: 'not_served', before: null, after: 1 },
    ]);
  });
});
