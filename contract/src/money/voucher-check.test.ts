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

  test('a template that lists a region twice in the same price grid, in one zone or in two zones, gets an error', () => {
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

  test('a template with a zone that lists a city together with the city’s own province gets a warning', () => {
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
  test('a template that lists a sender’s province in two price grids gets an error', () => {
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

  test('a template with more than one price grid for all other senders gets an error', () => {
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
  test('a template whose price falls at a higher weight gets an error at the bracket in which the price falls', () => {
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

  test('a template gets a warning if a step costs more per gram than in the bracket before', () => {
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
    'a template with a minimum charge of %i and a highest price of 7000 gets %i warnings that the weight does not change the price',
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
