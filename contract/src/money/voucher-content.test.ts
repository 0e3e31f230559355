import { describe, expect, test } from 'vitest';
import { provinceCodes } from '#parcels/provinces.ts';
import { mostWeight } from '#base/limits.ts';
import { dearest } from './voucher-content.ts';
import { templateContent } from './voucher-content.schema.ts';

interface Served {
  name: string;
  areas: unknown;
  not_served: unknown;
  first: { max_g: unknown; price: unknown };
  brackets: { up_to_g: unknown; step_g: unknown; price: unknown }[];
  minimum: unknown;
}

const served = (): Served => ({
  name: '全国',
  areas: [...provinceCodes],
  not_served: 0,
  first: { max_g: 1000, price: 1200 },
  brackets: [
    { up_to_g: 3000, step_g: 500, price: 100 },
    { up_to_g: 30_000, step_g: 1000, price: 200 },
  ],
  minimum: 0,
});

const content = (zone: unknown = served()) => ({
  divisor: 8000 as unknown,
  origins: [{ provinces: [] as unknown, zones: [zone] }] as unknown,
});

/** The first error of each field. */
const refusals = (value: unknown): Record<string, string> => {
  const result = templateContent.safeParse(value);
  return Object.fromEntries(
    (result.error?.issues ?? []).toReversed().map((issue) => [issue.path.join('.'), issue.message]),
  );
};

const changed = (change: (zone: Served) => void) => {
  const zone = served();
  change(zone);
  return content(zone);
};

const zonePath = 'origins.0.zones.0';

describe('the content of a freight template', () => {
  test('the content of a template is stored unchanged', () => {
    expect(templateContent.parse(content())).toEqual(content());
  });

  test('a template may ignore volume, have only a first-weight price in a zone, and exclude a zone', () => {
    const value = {
      divisor: null,
      origins: [
        {
          provinces: ['440000'],
          zones: [
            { ...served(), brackets: [] },
            { name: '', areas: ['540000', '540100'], not_served: 1 },
          ],
        },
      ],
    };
    expect(templateContent.parse(value)).toEqual(value);
  });

  test('unknown fields are removed from a template', () => {
    expect(templateContent.parse({ ...content(), colour: 'red' })).toEqual(content());
  });

  test.each([
    ['divisor', 999, 'too_small'],
    ['divisor', 30_001, 'too_big'],
    ['divisor', 8000.5, 'integer'],
    ['origins', [], 'required'],
    ['origins', 'all', 'invalid'],
    [
      'origins',
      Array.from({ length: 51 }, () => ({ provinces: [], zones: [served()] })),
      'too_long',
    ],
  ])('a template with a %s of %j is refused', (field, value, message) => {
    expect(refusals({ ...content(), [field]: value })).toEqual({ [field]: message });
  });

  test.each([
    ['440300', 'province_code'],
    ['990000', 'province_code'],
    ['44', 'province_code'],
    [' 440000', 'province_code'],
    [440_000, 'province_code'],
  ])('a template with the sender province %j is refused', (code, message) => {
    expect(refusals({ ...content(), origins: [{ provinces: [code], zones: [served()] }] })).toEqual(
      { 'origins.0.provinces.0': message },
    );
  });

  test('a template is refused if it has no zones, too many zones or too many sender provinces', () => {
    const origins = [
      { provinces: [], zones: [] },
      { provinces: 'all', zones: 'all' },
      { provinces: [...provinceCodes, '440000'], zones: Array.from({ length: 201 }, served) },
    ];
    expect(refusals({ ...content(), origins })).toEqual({
      'origins.0.zones': 'required',
      'origins.1.provinces': 'invalid',
      'origins.1.zones': 'invalid',
      'origins.2.provinces': 'too_long',
      'origins.2.zones': 'too_long',
    });
  });
});

describe('a zone of a freight template', () => {
  test.each([
    ['440305', 'area_code'],
    ['990000', 'area_code'],
    ['4403000', 'area_code'],
    [' 440300', 'area_code'],
    [null, 'invalid'],
  ])('a zone with the area %j is refused', (area, message) => {
    expect(refusals(changed((zone) => (zone.areas = [area])))).toEqual({
      [`${zonePath}.areas.0`]: message,
    });
  });

  test.each<[string, (zone: Served) => void, string]>([
    ['areas', (zone) => (zone.areas = []), 'required'],
    ['areas', (zone) => (zone.areas = 'all'), 'invalid'],
    ['areas', (zone) => (zone.areas = Array.from({ length: 501 }, () => '440000')), 'too_long'],
    ['name', (zone) => (zone.name = '区'.repeat(41)), 'too_long'],
    ['not_served', (zone) => (zone.not_served = 2), 'invalid'],
    ['first.max_g', (zone) => (zone.first.max_g = 0), 'too_small'],
    [
      'first.max_g',
      (zone) => ((zone.first.max_g = mostWeight + 1), (zone.brackets = [])),
      'too_big',
    ],
    ['first.price', (zone) => (zone.first.price = -1), 'too_small'],
    ['first.price', (zone) => (zone.first.price = dearest + 1), 'too_big'],
    ['first.price', (zone) => (zone.first.price = 12.5), 'integer'],
    ['minimum', (zone) => (zone.minimum = -1), 'too_small'],
    ['minimum', (zone) => (zone.minimum = dearest + 1), 'too_big'],
    ['brackets', (zone) => (zone.brackets = 'none' as never), 'invalid'],
    ['brackets.1.up_to_g', (zone) => (zone.brackets[1]!.up_to_g = 3000), 'not_ascending'],
    ['brackets.0.up_to_g', (zone) => (zone.brackets[0]!.up_to_g = 1000), 'not_ascending'],
    ['brackets.0.step_g', (zone) => (zone.brackets[0]!.step_g = 300), 'step_not_dividing'],
    ['brackets.1.step_g', (zone) => (zone.brackets[1]!.step_g = 2000), 'step_not_dividing'],
    ['brackets.0.step_g', (zone) => (zone.brackets[0]!.step_g = 9), 'too_small'],
    ['brackets.1.step_g', (zone) => (zone.brackets[1]!.step_g = mostWeight + 1), 'too_big'],
    ['brackets.1.up_to_g', (zone) => (zone.brackets[1]!.up_to_g = mostWeight + 1), 'too_big'],
    ['brackets.1.price', (zone) => (zone.brackets[1]!.price = dearest + 1), 'too_big'],
    ['brackets.1.price', (zone) => (zone.brackets[1]!.price = -dearest - 1), 'too_small'],
  ])('a zone with invalid %s is refused', (path, change, message) => {
    expect(refusals(changed(change))).toMatchObject({ [`${zonePath}.${path}`]: message });
  });

  test('a zone whose values are exactly at the limits is accepted', () => {
    const atTheLimit = changed((zone) => {
      zone.first = { max_g: 1, price: dearest };
      zone.minimum = dearest;
      zone.brackets = [
        { up_to_g: 11, step_g: 10, price: -dearest },
        { up_to_g: mostWeight, step_g: mostWeight - 11, price: dearest },
      ];
    });
    expect(refusals(atTheLimit)).toEqual({});
  });

  test('a zone with more than twenty weight brackets is refused', () => {
    const many = (count: number) =>
      changed(
        (zone) =>
          (zone.brackets = Array.from({ length: count }, (_, index) => ({
            up_to_g: (index + 2) * 1000,
            step_g: 1000,
            price: 1,
          }))),
      );
    expect(refusals(many(20))).toEqual({});
    expect(refusals(many(21))).toEqual({ [`${zonePath}.brackets`]: 'too_long' });
  });
});
