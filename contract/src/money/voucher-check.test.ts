import { describe, expect, test } from 'vitest';
import { provinceCodes } from '#parcels/provinces.ts';
import { blockingFindings, checkTemplate } from './voucher-check.ts';
import type { Origin, ServedZone, TemplateContent, Zone } from './voucher-content.ts';

const served = (changes: Partial<ServedZone> = {}): ServedZone => ({
  name: '',
  areas: [...provinceCodes],
  not_served: 0,
  first: { max_g: 1000, price: 1200 },
  brackets: [{ up_to_g: 30_000, step_g: 1000, price: 200 }],
  minimum: 0,
  ...changes,
});

const content = (...origins: Partial<Origin>[]): TemplateContent => ({
  divisor: null,
  origins: origins.map((origin) => ({ provinces: [], zones: [served()], ...origin })),
});

const zones = (...all: Zone[]) => content({ zones: all });
const allBut = (...left: string[]) => provinceCodes.filter((code) => !left.includes(code));

describe('checking the regions of a freight template', () => {
  test('a template that prices every region has no findings', () => {
    expect(checkTemplate(content({}))).toEqual([]);
  });

  test('a template may exclude a region explicitly, and may give a city its own price', () => {
    const closed: Zone = { name: '', areas: ['540000'], not_served: 1 };
    expect(
      checkTemplate(
        zones(served({ areas: allBut('540000') }), closed, served({ areas: ['440300', '540100'] })),
      ),
    ).toEqual([]);
  });

  test('a template must price or exclude each province in each of its price grids', () => {
    const holed = { zones: [served({ areas: [...allBut('540000', '820000'), '540100'] })] };
    expect(checkTemplate(content({ provinces: ['440000'] }, { ...holed }))).toEqual([
      {
        severity: 'error',
        code: 'region_uncovered',
        path: 'origins.1',
        params: { count: 2, regions: '540000,820000' },
      },
    ]);
  });

  test('a template gets an error if one of its price grids lists a region twice, whether in one zone or in two zones', () => {
    expect(
      checkTemplate(
        zones(served(), { name: '', areas: ['440300', '310000', '440300'], not_served: 1 }),
      ),
    ).toEqual([
      {
        severity: 'error',
        code: 'area_twice',
        path: 'origins.0.zones.1.areas.1',
        params: {
          region: '310000',
          other: `origins.0.zones.0.areas.${provinceCodes.indexOf('310000')}`,
        },
      },
      {
        severity: 'error',
        code: 'area_twice',
        path: 'origins.0.zones.1.areas.2',
        params: { region: '440300', other: 'origins.0.zones.1.areas.0' },
      },
    ]);
  });

  test('a template may list a region again in another price grid', () => {
    expect(checkTemplate(content({ provinces: ['440000'] }, {}))).toEqual([]);
  });

  test('a template gets a warning if one of its zones lists both a city and the province of the city', () => {
    expect(checkTemplate(zones(served({ areas: [...provinceCodes, '440300'] })))).toEqual([
      {
        severity: 'warning',
        code: 'city_redundant',
        path: `origins.0.zones.0.areas.${provinceCodes.length}`,
        params: { region: '440300', province: '440000' },
      },
    ]);
  });
});

describe('checking the senders of a freight template', () => {
  test('a template gets an error if two of its price grids list the same sender province', () => {
    expect(
      checkTemplate(content({ provinces: ['440000', '450000'] }, { provinces: ['450000'] }, {})),
    ).toEqual([
      {
        severity: 'error',
        code: 'origin_twice',
        path: 'origins.1.provinces.0',
        params: { region: '450000', other: 'origins.0.provinces.1' },
      },
    ]);
  });

  test('a template gets an error if it has two or more price grids for “all other senders”', () => {
    expect(checkTemplate(content({}, { provinces: ['440000'] }, {}, {}))).toEqual([
      {
        severity: 'error',
        code: 'origin_default_twice',
        path: 'origins.2',
        params: { other: 'origins.0' },
      },
      {
        severity: 'error',
        code: 'origin_default_twice',
        path: 'origins.3',
        params: { other: 'origins.0' },
      },
    ]);
  });

  test('a template gets a warning if some senders have no price grid', () => {
    expect(checkTemplate(content({ provinces: allBut('440000', '460000') }))).toEqual([
      {
        severity: 'warning',
        code: 'origin_uncovered',
        path: 'origins',
        params: { count: 2, regions: '440000,460000' },
      },
    ]);
    expect(checkTemplate(content({ provinces: [...provinceCodes] }))).toEqual([]);
  });
});

describe('checking the prices of a freight template', () => {
  test('if the price falls while the weight rises, a template gets an error at the weight bracket in which the price falls', () => {
    const brackets = [
      { up_to_g: 3000, step_g: 500, price: 100 },
      { up_to_g: 5000, step_g: 2000, price: -50 },
      { up_to_g: 7000, step_g: 1000, price: -1 },
      { up_to_g: 8000, step_g: 1000, price: 0 },
    ];
    const found = checkTemplate(zones(served({ brackets })));
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([
      {
        severity: 'error',
        code: 'price_falls',
        path: 'origins.0.zones.0.brackets.1',
        params: { at_weight: 3000, from_amount: 1600, to_amount: 1550 },
      },
      {
        severity: 'error',
        code: 'price_falls',
        path: 'origins.0.zones.0.brackets.2',
        params: { at_weight: 5000, from_amount: 1550, to_amount: 1549 },
      },
    ]);
  });

  test('a template gets a warning if a step costs more per gram than a step of the previous weight bracket', () => {
    const brackets = [
      { up_to_g: 3000, step_g: 500, price: 100 },
      { up_to_g: 30_000, step_g: 1000, price: 200 },
      { up_to_g: 50_000, step_g: 2000, price: 401 },
    ];
    expect(checkTemplate(zones(served({ brackets })))).toEqual([
      {
        severity: 'warning',
        code: 'step_dearer',
        path: 'origins.0.zones.0.brackets.2',
        params: { from_weight: 30_000, step_amount: 401, step_weight: 2000 },
      },
    ]);
  });

  test.each([
    [7000, 1],
    [7001, 1],
    [6999, 0],
  ])(
    'if the highest price is 7000 and the minimum charge is %i, a template gets %i warnings that all weights cost the same',
    (minimum, count) => {
      const found = checkTemplate(
        zones(served({ minimum, brackets: [{ up_to_g: 30_000, step_g: 1000, price: 200 }] })),
      );
      expect(found).toEqual(
        count === 0
          ? []
          : [
              {
                severity: 'warning',
                code: 'minimum_hides_steps',
                path: 'origins.0.zones.0',
                params: { minimum_amount: minimum, top_amount: 7000 },
              },
            ],
      );
    },
  );

  test('a zone with only a first-weight price may have a price below its minimum charge', () => {
    expect(checkTemplate(zones(served({ minimum: 5000, brackets: [] })))).toEqual([]);
  });

  test('a price of zero gets a warning', () => {
    const free = {
      first: { max_g: 500, price: 0 },
      brackets: [{ up_to_g: 1000, step_g: 500, price: 0 }],
    };
    expect(checkTemplate(zones(served(free)))).toEqual([
      {
        severity: 'warning',
        code: 'free_of_charge',
        path: 'origins.0.zones.0',
        params: { first_weight: 500 },
      },
    ]);
    expect(checkTemplate(zones(served({ ...free, minimum: 1, brackets: [] })))).toEqual([]);
  });
});

test('a template with warnings can be published, and a template with errors cannot', () => {
  const value = content({
    provinces: ['440000'],
    zones: [served({ areas: [...allBut('820000'), '440300'] })],
  });
  expect(checkTemplate(value).map(({ code }) => code)).toEqual([
    'origin_uncovered',
    'region_uncovered',
    'city_redundant',
  ]);
  expect(blockingFindings(value).map(({ code }) => code)).toEqual(['region_uncovered']);
});
