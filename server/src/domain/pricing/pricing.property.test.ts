import { price as priceSchema } from '@waystation/contract/money/price.schema.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import { defaultNortheast, provinceOf } from '@waystation/contract/parcels/provinces.ts';
import { terms as termsSchema } from '@waystation/contract/money/terms.schema.ts';
import type { ChainLink, Terms } from '@waystation/contract/money/terms.ts';
import { templateContent } from '@waystation/contract/money/voucher-content.schema.ts';
import type {
  ServedZone,
  TemplateContent,
  Zone,
} from '@waystation/contract/money/voucher-content.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '#testing/slices.ts';
import { chainRate, compileTemplate, priceOf, sharesOf } from './pricing.ts';
import type { PricedParcel } from './pricing.ts';

const places = [
  '440000',
  '440100',
  '440300',
  '440305',
  '210000',
  '210100',
  '120101',
  '510104',
  '110105',
];
const regions = ['440000', '440300', '210000', '120000', '120100', '510000', '110000'];

const money = fc.integer({ min: 0, max: 100_000 });
const rate = fc.oneof(fc.integer({ min: 0, max: 10_000 }), fc.constant(10_000));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const discounts = fc.record({ discount: maybe(rate), northeast_discount: maybe(rate) });

const servedZone = (areas: string[]): fc.Arbitrary<ServedZone> =>
  fc
    .record({
      first: fc.record({ max_g: fc.integer({ min: 1, max: 3000 }), price: money }),
      widths: fc.array(
        fc.record({
          step_g: fc.integer({ min: 10, max: 1500 }),
          steps: fc.integer({ min: 1, max: 20 }),
          price: money,
        }),
        { maxLength: 4 },
      ),
      minimum: money,
    })
    .map(({ first, widths, minimum }) => {
      let at = first.max_g;
      const brackets = widths.map(({ step_g, steps, price }) => ({
        up_to_g: (at += step_g * steps),
        step_g,
        price,
      }));
      return { name: areas[0]!, areas, not_served: 0, first, brackets, minimum };
    });

const template = fc
  .record({
    divisor: maybe(fc.integer({ min: 1000, max: 30_000 })),
    zones: fc.shuffledSubarray(regions, { minLength: 4 }).chain((all) =>
      fc.tuple(
        ...all.map((area) =>
          fc.oneof(
            { weight: 5, arbitrary: servedZone([area]) },
            {
              weight: 1,
              arbitrary: fc.constant<Zone>({ name: '', areas: [area], not_served: 1 }),
            },
          ),
        ),
      ),
    ),
    senders: fc.constantFrom<string[][]>(
      [[]],
      [['210000'], []],
      [
        ['440000', '510000'],
        ['110000', '210000'],
      ],
    ),
  })
  .map(({ divisor, zones, senders }): TemplateContent => ({
    divisor,
    origins: senders.map((provinces) => ({ provinces, zones })),
  }));

const chain = fc
  .record({
    stations: fc.array(discounts, { minLength: 1, maxLength: 6 }),
    links: fc.array(
      fc.record({
        enable_profit: fc.constantFrom(0 as const, 1 as const),
        percent_type: fc.constantFrom(1 as const, 2 as const, 3 as const),
        profit: maybe(rate),
        fixed_profit: money,
      }),
      { minLength: 5, maxLength: 5 },
    ),
  })
  .map(({ stations, links }): ChainLink[] =>
    stations.slice(1).map((parent, index) => ({
      ...links[index]!,
      child_id: index + 1,
      parent_id: index + 2,
      child: stations[index]!,
      parent,
    })),
  );

const terms = fc
  .record({
    voucher: discounts,
    links: chain,
    own: discounts,
    tiers: fc.array(fc.record({ rise: fc.integer({ min: 1, max: 50_000 }), price: money }), {
      maxLength: 4,
    }),
    guarantee: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: money }),
    northeast: fc.constantFrom<string[][]>([...defaultNortheast], [], ['440000']),
  })
  .map(({ voucher, links, own, tiers, guarantee, northeast }): Terms => {
    let top = 0;
    return {
      voucher: { id: 7, version: 2, name: 'standard', ...voucher },
      station: { id: 1, ...(links[0]?.child ?? own) },
      northeast,
      tiers: tiers.map(({ rise, price }) => ({ money: (top += rise), price })),
      guarantee,
      links,
    };
  });

const weight = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 8000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 80_000 }) },
);
const side = maybe(fc.integer({ min: 1, max: 40 }));
const parcel: fc.Arbitrary<PricedParcel> = fc.record({
  sender_code: fc.constantFrom(...places),
  receive_code: fc.constantFrom(...places),
  weight,
  re_weight: maybe(weight),
  jd_weight: maybe(weight),
  jd_volume: maybe(fc.integer({ min: 0, max: 50_000 })),
  length: side,
  width: side,
  height: side,
  package_count: fc.integer({ min: 1, max: 3 }),
  guarantee_value_amount: fc.oneof(
    { weight: 2, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: money },
  ),
  surcharges: fc.array(
    fc.record({
      code: fc.constantFrom('QLHCF', 'kkcccc', 'RETURN'),
      name: fc.string(),
      amount: money,
    }),
    { maxLength: 4 },
  ),
});

const quoted = fc.record({ parcel, template, terms });
type Quoted = { parcel: PricedParcel; template: TemplateContent; terms: Terms };
const quote = ({ parcel: facts, template: content, terms: frozen }: Quoted) =>
  priceOf(facts, compileTemplate(content), frozen);

/**
 * Calls `check` for the price of each of many random quotes. Quotes without a price are skipped,
 * but must not be the majority.
 */
const everyPrice = (
  check: (price: Price, sample: Quoted) => void,
  numRuns = rounds(500, 1_500),
) => {
  let prices = 0;
  fc.assert(
    fc.property(quoted, (sample) => {
      const { price } = quote(sample);
      if (!price) return;
      prices += 1;
      check(price, sample);
    }),
    { numRuns },
  );
  expect(prices).toBeGreaterThan(numRuns / 10);
};

/**
 * A second implementation of docs/pricing.md, written literally, step by step with big integers. It
 * calls no code of the product.
 */
const byTheBook = ({
  parcel: p,
  template: content,
  terms: t,
}: Quoted): { code: string } | Record<string, bigint> => {
  const up = (amount: bigint, by: bigint) => (amount + by - 1n) / by;
  const origin =
    content.origins.find((o) => o.provinces.includes(provinceOf(p.sender_code))) ??
    content.origins.find((o) => o.provinces.length === 0);
  if (!origin) return { code: 'no_origin' };
  const zoneFor = (code: string) => origin.zones.find((zone) => zone.areas.includes(code));
  const zone = zoneFor(`${p.receive_code.slice(0, 4)}00`) ?? zoneFor(provinceOf(p.receive_code));
  if (!zone || zone.not_served) return { code: 'not_served' };
  let grams = BigInt(p.jd_weight ?? p.re_weight ?? p.weight);
  if (content.divisor !== null) {
    const volume =
      p.jd_volume !== null
        ? BigInt(p.jd_volume)
        : BigInt(p.length ?? 0) *
          BigInt(p.width ?? 0) *
          BigInt(p.height ?? 0) *
          BigInt(p.package_count);
    const volumetric = up(volume * 1000n, BigInt(content.divisor));
    if (volumetric > grams) grams = volumetric;
  }
  if (grams > BigInt(zone.brackets.at(-1)?.up_to_g ?? zone.first.max_g))
    return { code: 'over_weight' };
  const value = BigInt(Math.max(p.guarantee_value_amount, t.guarantee));
  const tier = t.tiers
    .toReversed()
    .reduce<(typeof t.tiers)[number] | undefined>(
      (low, each) => (BigInt(each.money) >= value ? each : low),
      undefined,
    );
  if (value > 0n && !tier) return { code: t.tiers.length === 0 ? 'no_tiers' : 'above_top_tier' };
  let billed = BigInt(zone.first.max_g);
  let freight = BigInt(zone.first.price);
  for (const bracket of zone.brackets) {
    while (billed < grams && billed < BigInt(bracket.up_to_g)) {
      billed += BigInt(bracket.step_g);
      freight += BigInt(bracket.price);
    }
  }
  if (freight < BigInt(zone.minimum)) freight = BigInt(zone.minimum);
  const special = t.northeast.includes(provinceOf(p.receive_code))
    ? (t.station.northeast_discount ?? t.voucher.northeast_discount)
    : null;
  const basis = BigInt(special ?? t.station.discount ?? t.voucher.discount ?? 10_000);
  const paid = (freight * basis * 2n + 10_000n) / 20_000n;
  const insurance = value > 0n ? BigInt(tier!.price) : 0n;
  const current = Object.fromEntries(
    p.surcharges.map(({ code, amount }) => [code, BigInt(amount)]),
  );
  const extra = Object.values(current).reduce((sum, amount) => sum + amount, 0n);
  return {
    cal_weight: billed,
    freight_amount: freight,
    guarantee_amount: insurance,
    surcharge_amount: extra,
    pre_amount: freight + insurance + extra,
    discount: basis,
    discount_amount: freight - paid,
    post_amount: paid + insurance + extra,
  };
};

test('a price calculated again from the stored template and terms equals the original price', () => {
  everyPrice((price, { parcel: facts, template: content, terms: frozen }) => {
    const stored = {
      parcel: facts,
      template: templateContent.parse(JSON.parse(JSON.stringify(content))),
      terms: termsSchema.parse(JSON.parse(JSON.stringify(frozen))),
    };
    expect(quote(stored).price).toEqual(price);
  }, 300);
});

test('the price rules give the same price, or the same refusal, as a second implementation that follows the rules literally', () => {
  const refusals = new Set<string>();
  fc.assert(
    fc.property(quoted, (sample) => {
      const { price, error } = quote(sample);
      const expected = byTheBook(sample);
      if (error) {
        refusals.add(error.code);
        expect(expected).toEqual({ code: error.code });
        return;
      }
      expect(
        Object.fromEntries(
          Object.keys(expected).map((name) => [name, BigInt(price[name as 'cal_weight'])]),
        ),
      ).toEqual(expected);
    }),
    { numRuns: rounds(1_000, 4_000) },
  );
  expect(refusals.size).toBe(5);
});

test('the amounts of a price’s lines add up to the amount due', () => {
  everyPrice((price) => {
    expect(price.lines.reduce((sum, line) => sum + line.result, 0)).toBe(price.post_amount);
    expect(price.pre_amount - price.discount_amount).toBe(price.post_amount);
    expect(price.freight_amount + price.guarantee_amount + price.surcharge_amount).toBe(
      price.pre_amount,
    );
  });
});

test('the numbers in a price are whole, and not negative except in a discount line', () => {
  everyPrice((price) => {
    const { weight_message, lines, ...amounts } = price;
    for (const value of Object.values(amounts))
      expect(Number.isSafeInteger(value) && value >= 0).toBe(true);
    for (const value of Object.values(weight_message.params))
      expect(value === 'first' || value === 'step' || Number.isSafeInteger(value)).toBe(true);
    for (const line of lines) {
      expect(Number.isSafeInteger(line.result)).toBe(true);
      expect(line.result >= 0 || line.rule === 'discount').toBe(true);
      for (const value of Object.values(line.input))
        expect(typeof value === 'string' || Number.isSafeInteger(value)).toBe(true);
    }
  });
});

test('a price matches the contract’s schema', () => {
  everyPrice(
    (price) => expect(priceSchema.parse(JSON.parse(JSON.stringify(price)))).toEqual(price),
    300,
  );
});

test('a heavier parcel never has a lower price or a lower billed weight; no billed weight is less than the actual weight', () => {
  let pairs = 0;
  fc.assert(
    fc.property(quoted, fc.integer({ min: 1, max: 20_000 }), (sample, more) => {
      const heavier = {
        ...sample.parcel,
        weight: sample.parcel.weight + more,
        re_weight: null,
        jd_weight: null,
      };
      const [light, heavy] = [
        quote({ ...sample, parcel: { ...heavier, weight: sample.parcel.weight } }),
        quote({ ...sample, parcel: heavier }),
      ];
      if (light.price)
        expect(light.price.cal_weight).toBeGreaterThanOrEqual(
          light.price.weight_message.params.actual_weight,
        );
      // A parcel that is too heavy is also too heavy at any higher weight.
      if (light.error?.code === 'over_weight') expect(heavy.error?.code).toBe('over_weight');
      if (!light.price || !heavy.price) return;
      pairs += 1;
      expect(heavy.price.cal_weight).toBeGreaterThanOrEqual(light.price.cal_weight);
      expect(heavy.price.freight_amount).toBeGreaterThanOrEqual(light.price.freight_amount);
      expect(heavy.price.post_amount).toBeGreaterThanOrEqual(light.price.post_amount);
    }),
    { numRuns: rounds(1_000, 3_000) },
  );
  expect(pairs).toBeGreaterThan(100);
});

test('the discount of a price is the north-east rate if the receiver is in the north-east and a rate is set, otherwise the ordinary rate', () => {
  everyPrice((price, sample) => {
    const special =
      sample.terms.station.northeast_discount ?? sample.terms.voucher.northeast_discount;
    const ordinary = sample.terms.station.discount ?? sample.terms.voucher.discount ?? 10_000;
    expect(price.northeast).toBe(
      sample.terms.northeast.includes(provinceOf(sample.parcel.receive_code)) ? 1 : 0,
    );
    expect(price.discount).toBe(price.northeast ? (special ?? ordinary) : ordinary);
  });
});

test('a price does not change if the surcharges come in another order or if the price is calculated again', () => {
  everyPrice((price, sample) => {
    const current = [
      ...new Map(sample.parcel.surcharges.map((each) => [each.code, each])).values(),
    ];
    expect(
      quote({ ...sample, parcel: { ...sample.parcel, surcharges: current.toReversed() } }).price,
    ).toEqual(price);
  }, 500);
});

const everyShare = (
  check: (shares: ReturnType<typeof sharesOf>, price: Price, frozen: Terms) => void,
) => everyPrice((price, sample) => check(sharesOf(price, sample.terms), price, sample.terms));

test('the profit shares and the platform’s part add up exactly to the amount due', () => {
  everyShare(({ shares, platform_amount, base_amount }, price) => {
    expect(shares.reduce((sum, { amount }) => sum + amount, platform_amount)).toBe(
      price.post_amount,
    );
    expect(platform_amount).toBeGreaterThanOrEqual(price.guarantee_amount + price.surcharge_amount);
    expect(base_amount).toBe(price.post_amount - price.guarantee_amount - price.surcharge_amount);
  });
});

test('profit shares are whole fen and never negative; a share is reduced only to the money that is left', () => {
  everyShare(({ shares, base_amount }) => {
    let left = base_amount;
    for (const { amount, wanted_amount } of shares) {
      expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true);
      expect(amount === wanted_amount || amount === left).toBe(true);
      expect(amount).toBeLessThanOrEqual(wanted_amount);
      left -= amount;
    }
  });
});

test('each station that shares its profit pays one share to its parent station, in the order of the station chain', () => {
  everyShare(({ shares }, _, { links }) => {
    expect(
      shares.map(({ child_id, parent_id, percent_type }) => [child_id, parent_id, percent_type]),
    ).toEqual(
      links
        .filter(({ enable_profit }) => enable_profit === 1)
        .map(({ child_id, parent_id, percent_type }) => [child_id, parent_id, percent_type]),
    );
  });
});

test('a profit share by difference is the price at the child station minus the price at the parent station', () => {
  everyPrice((_, sample) => {
    const links = sample.terms.links.map((link) => ({
      ...link,
      enable_profit: 1 as const,
      percent_type: 3 as const,
    }));
    const paidBy = (own: ChainLink['child']) =>
      quote({ ...sample, terms: { ...sample.terms, station: { id: 1, ...own } } }).price!
        .post_amount;
    const { shares } = sharesOf(quote(sample).price!, { ...sample.terms, links });
    expect(shares.map(({ wanted_amount }) => wanted_amount)).toEqual(
      links.map(({ child, parent }) => Math.max(0, paidBy(child) - paidBy(parent))),
    );
  }, 500);
});

test('profit shares whose percentages add up to at most 100 % are reduced by no more than the rounding', () => {
  everyShare((_, price, frozen) => {
    const links = frozen.links.map((link) => ({ ...link, percent_type: 1 as const }));
    if (chainRate(links) > 10_000) return;
    const { shares } = sharesOf(price, { ...frozen, links });
    const short = shares.reduce(
      (sum, { wanted_amount, amount }) => sum + wanted_amount - amount,
      0,
    );
    expect(short).toBeLessThanOrEqual(shares.length / 2);
  });
});
