import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDecimal } from '@waystation/contract/base/decimal.ts';
import { errorText } from '@waystation/contract/base/errors.ts';
import { formatYuan, halfUp, parsePercent, parseYuan } from '@waystation/contract/money/money.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import { lineText, weightText } from '@waystation/contract/money/price-words.ts';
import {
  defaultNortheast,
  provinceCodes,
  provinces,
} from '@waystation/contract/parcels/provinces.ts';
import { terms as termsSchema } from '@waystation/contract/money/terms.schema.ts';
import type { ChainLink, Terms } from '@waystation/contract/money/terms.ts';
import { blockingFindings, findingCodes } from '@waystation/contract/money/voucher-check.ts';
import { sanityCodes } from '@waystation/contract/money/voucher-sanity.ts';
import { templateContent } from '@waystation/contract/money/voucher-content.schema.ts';
import type { Zone } from '@waystation/contract/money/voucher-content.ts';
import { parseKg } from '@waystation/contract/base/weight.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { joinedTables } from '#testing/markdown-tables.ts';
import type { Row } from '#testing/markdown-tables.ts';
import { choosePromise, compileTemplate, priceOf, sharesOf } from './pricing.ts';
import type { PricedParcel, PriceError, PromiseQuote } from './pricing.ts';

const page = joinedTables(
  readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'pricing.md'), 'utf8'),
  readFileSync(join(import.meta.dirname, 'golden-cases.md'), 'utf8'),
);
const read = new Set<string>();

const unread: (() => string[])[] = [];

/**
 * The rows of a table of docs/pricing.md. The test fails if a cell with content was never read, so
 * that none stays unchecked.
 */
const table = (name: string): Row[] => {
  const rows = page.get(name);
  if (!rows) throw new Error(`docs/pricing.md has no table ${name}`);
  read.add(name);
  return rows.map((row) => {
    const used = new Set<string>();
    unread.push(() =>
      Object.keys(row)
        .filter((column) => row[column] !== null && !used.has(column))
        .map((column) => `${column} of ${name}: ${Object.values(row).join(' | ')}`),
    );
    return new Proxy(row, {
      get: (cells, column: string) => {
        if (!(column in cells)) throw new Error(`table ${name} has no column ${column}`);
        used.add(column);
        return cells[column];
      },
    });
  });
};

/**
 * The rows, each with a test title from some of its columns. Building the title does not count as
 * reading these columns.
 */
const titled = (name: string, ...columns: string[]): [string, Row][] =>
  table(name).map((row, index) => [
    columns.map((column) => `${column} ${page.get(name)![index]![column] ?? '–'}`).join(', '),
    row,
  ]);

const fen = (cell: string | null | undefined): number => {
  const value = cell ? parseYuan(cell) : 0;
  if (value === null) throw new Error(`not yuan: ${cell}`);
  return value;
};
const grams = (cell: string | null | undefined): number | null => {
  const value = cell ? parseKg(cell) : null;
  if (cell && value === null) throw new Error(`not kilograms: ${cell}`);
  return value;
};
const rate = (cell: string | null | undefined): number | null => {
  const value = cell ? parsePercent(cell) : null;
  if (cell && value === null) throw new Error(`not per cent: ${cell}`);
  return value;
};
const list = (cell: string | null | undefined, separator = ', '): string[] =>
  cell ? cell.split(separator) : [];
const region = (cell: string): string => {
  const code = /\d{6}/.exec(cell)?.[0] ?? provinces.find(({ zh }) => zh === cell)?.code;
  if (!code) throw new Error(`no such region: ${cell}`);
  return code;
};
const regions = (cell: string): string[] =>
  /\d{6}/.test(cell) ? [region(cell)] : cell.split(' ').map(region);

const zoneOf = (row: Row, others: string[]): Zone => {
  const named = {
    name: row['Zone'] ?? '',
    areas: row['Receivers'] === 'others' ? others : regions(row['Receivers']!),
  };
  const [first, then, least] = [row['First']!, list(row['Then']), fen(row['At least'])];
  if (first === 'not served') return { ...named, not_served: 1 };
  const [, max_g, price] = /^(\S+ kg) (\S+)$/.exec(first)!;
  const brackets = then.map((text) => {
    const [, up, each, step] = /^to (\S+ kg) (\S+) each (\S+ kg)$/.exec(text)!;
    return { up_to_g: grams(up)!, step_g: grams(step)!, price: fen(each) };
  });
  return {
    ...named,
    not_served: 0,
    first: { max_g: grams(max_g)!, price: fen(price) },
    brackets,
    minimum: least,
  };
};

const templateRows = table('templates');
const zoneRows = table('zones');
const contents = new Map(
  [...new Set(templateRows.map((row) => row['Template']!))].map((name) => {
    const grids = templateRows.filter((row) => row['Template'] === name);
    const origins = grids.map(({ Senders }) => {
      const rows = zoneRows.filter((row) => row['Template'] === name && row['Senders'] === Senders);
      const named = rows.flatMap((row) =>
        row['Receivers'] === 'others' ? [] : regions(row['Receivers']!),
      );
      const others = provinceCodes.filter((code) => !named.includes(code));
      return {
        provinces: Senders === 'all' ? [] : regions(Senders!),
        zones: rows.map((row) => zoneOf(row, others)),
      };
    });
    const divisor = grids[0]!['Divisor'] === null ? null : Number(grids[0]!['Divisor']);
    const ownRates = grids.map((row) => ({
      discount: rate(row['Discount']),
      northeast_discount: rate(row['North-east discount']),
    }));
    expect(grids.every((row) => row['Divisor'] === grids[0]!['Divisor'])).toBe(true);
    return [
      name,
      { content: templateContent.parse({ divisor, origins }), ...ownRates[0]! },
    ] as const;
  }),
);

const tiers = table('tiers').map((row) => ({ money: fen(row['Up to']), price: fen(row['Fee']) }));

const termsFor = (
  template: string,
  changes: {
    station?: Partial<Terms['station']>;
    voucher?: Partial<Terms['voucher']>;
    guarantee?: number;
  } = {},
): Terms => {
  const { discount, northeast_discount } = contents.get(template)!;
  return termsSchema.parse({
    voucher: {
      id: 7,
      version: 3,
      name: template,
      discount,
      northeast_discount,
      ...changes.voucher,
    },
    station: { id: 1, discount: null, northeast_discount: null, ...changes.station },
    northeast: defaultNortheast,
    tiers,
    guarantee: changes.guarantee ?? 0,
    links: [],
  });
};

const parcelOf = (changes: Partial<PricedParcel>): PricedParcel => ({
  sender_code: region('北京'),
  receive_code: region('四川'),
  weight: 1000,
  re_weight: null,
  jd_weight: null,
  jd_volume: null,
  length: null,
  width: null,
  height: null,
  package_count: 1,
  guarantee_value_amount: 0,
  surcharges: [],
  ...changes,
});

const quote = (template: string, parcel: Partial<PricedParcel>, terms = termsFor(template)) =>
  priceOf(parcelOf(parcel), compileTemplate(contents.get(template)!.content), terms);

const priced = (...args: Parameters<typeof quote>): Price => {
  const { price, error } = quote(...args);
  if (error) throw new Error(errorText(error.code, error.params, 'en'));
  return price;
};

const sizes = (cell: string | null | undefined): Partial<PricedParcel> => {
  if (!cell) return {};
  const [length, width, height] = cell.split('×').map(Number);
  return { length: length!, width: width!, height: height! };
};

const surcharges = (cell: string | null | undefined) =>
  list(cell).map((text) => {
    const [code, name, amount] = text.split(' ');
    return { code: code!, name: name!, amount: fen(amount) };
  });

const linesOf = <R extends Price['lines'][number]['rule']>(price: Price, rule: R) =>
  price.lines.filter(
    (line): line is Extract<Price['lines'][number], { rule: R }> => line.rule === rule,
  );

const stations = (row: Row) => ({
  discount: rate(row['Station']),
  northeast_discount: rate(row['Station, north-east']),
});

describe('rounding money to the fen', () => {
  test.each(titled('half-up', 'Amount', 'Rate', 'Rounded'))(
    'money is rounded half up, to the fen: %s',
    (_, row) => {
      const [amount, share] = [fen(row['Amount']), rate(row['Rate'])!];
      expect(halfUp(amount, share)).toBe(fen(row['Rounded']));
      expect(parseDecimal(row['Exactly']!, 6)).toBe(amount * share);
    },
  );
});

test.each([...contents])(
  'the template check has no blocking finding for the template %s of the pricing documentation',
  (_, { content }) => {
    expect(blockingFindings(content)).toEqual([]);
  },
);

describe('the billed weight', () => {
  test.each(titled('weights', 'Decided by', 'Before rounding', 'Billed'))(
    'the billed weight is the one in the pricing documentation: %s',
    (_, row) => {
      const price = priced('standard', {
        ...sizes(row['Size in cm']),
        weight: grams(row['Declared'])!,
        re_weight: grams(row['Re-weighed']),
        jd_weight: grams(row["Carrier's"]),
        jd_volume: row["Carrier's cm³"] === null ? null : Number(row["Carrier's cm³"]),
        package_count: Number(row['Pieces']),
      });
      expect(price.cal_weight).toBe(grams(row['Billed']));
      expect(price.weight_message.code).toBe(row['Decided by']);
      expect(price.weight_message.params.actual_weight).toBe(grams(row['Before rounding']));
      expect(price.weight_message.params.billed_weight).toBe(price.cal_weight);
    },
  );
});

describe('the list freight', () => {
  test.each(titled('freight', 'From', 'To', 'Weight', 'Freight'))(
    'the list freight is the one in the pricing documentation: %s',
    (_, row) => {
      const price = priced(row['Template']!, {
        sender_code: region(row['From']!),
        receive_code: region(row['To']!),
        weight: grams(row['Weight'])!,
      });
      expect(price.cal_weight).toBe(grams(row['Billed']));
      expect(linesOf(price, 'first').map((line) => line.result)).toEqual([fen(row['First'])]);
      const steps = linesOf(price, 'step').map(
        ({ input }) => `${input.steps} × ${formatYuan(input.step_amount)}`,
      );
      expect(steps.join(' + ') || null).toBe(row['Steps']);
      expect(linesOf(price, 'minimum').map((line) => line.result)).toEqual(
        row['Raised by'] ? [fen(row['Raised by'])] : [],
      );
      expect(price.freight_amount).toBe(fen(row['Freight']));
    },
  );
});

describe('the discount', () => {
  test.each(titled('discounts', 'To', 'Rate', 'Whose'))(
    'the discount is the one in the pricing documentation: %s',
    (_, row) => {
      const voucher = {
        discount: rate(row['Template']),
        northeast_discount: rate(row['Template, north-east']),
      };
      const terms = termsFor('standard', { station: stations(row), voucher });
      const price = priced('standard', { receive_code: region(row['To']!), weight: 5000 }, terms);
      expect(price.freight_amount).toBe(2000);
      expect(price.discount).toBe(rate(row['Rate']));
      expect(linesOf(price, 'discount').map((line) => line.input.source)).toEqual(
        row['Whose'] ? [row['Whose']] : [],
      );
      expect(price.discount_amount).toBe(fen(row['Taken off']));
    },
  );
});

describe('the insurance fee', () => {
  test.each(titled('insurance', 'Declared value', "Merchant's least", 'Fee'))(
    'the insurance fee is the one in the pricing documentation: %s',
    (_, row) => {
      const terms = termsFor('standard', { guarantee: fen(row["Merchant's least"]) });
      const price = priced(
        'standard',
        { guarantee_value_amount: fen(row['Declared value']) },
        terms,
      );
      expect(price.guarantee_amount).toBe(fen(row['Fee']));
      const shown = linesOf(price, 'guarantee').map(({ input }) => [
        input.value_amount,
        input.source,
        input.tier_amount,
      ]);
      expect(shown).toEqual(
        row['Insured for'] ? [[fen(row['Insured for']), row['Because of'], fen(row['Tier'])]] : [],
      );
    },
  );
});

const cases = new Map(
  table('prices').map((row) => {
    const parcel: Partial<PricedParcel> = {
      ...sizes(row['Size in cm']),
      sender_code: region(row['From']!),
      receive_code: region(row['To']!),
      weight: grams(row['Declared'])!,
      jd_weight: grams(row["Carrier's"]),
      guarantee_value_amount: fen(row['Insured']),
      surcharges: surcharges(row['Surcharges']),
    };
    const terms = termsFor(row['Template']!, { station: stations(row) });
    return [row['Case']!, { row, parcel, terms, price: priced(row['Template']!, parcel, terms) }];
  }),
);

describe('the whole price of a parcel', () => {
  test.each([...cases])(
    'the price of the documentation’s case %s is the sum of its lines',
    (_, { row, price }) => {
      expect(price.cal_weight).toBe(grams(row['Billed']));
      expect(price.freight_amount).toBe(fen(row['Freight']));
      expect(price.pre_amount).toBe(fen(row['pre_amount']));
      expect(price.discount_amount).toBe(fen(row['discount_amount']));
      expect(price.post_amount).toBe(fen(row['post_amount']));
    },
  );

  const lines = table('lines');
  test.each([...cases])(
    'the weight and each line of the price in documentation case %s are explained in the documented words, in both languages',
    (name, { price }) => {
      const actual = [
        {
          rule: 'weight',
          en: weightText(price.weight_message, 'en'),
          zh: weightText(price.weight_message, 'zh'),
          sum: null as number | null,
        },
        ...price.lines.map((line) => ({
          rule: line.rule as string,
          en: lineText(line, 'en'),
          zh: lineText(line, 'zh'),
          sum: line.result,
        })),
      ];
      const written = lines
        .filter((row) => row['Case'] === name)
        .map((row) => ({
          rule: row['Rule'],
          en: row['In English'],
          zh: row['In Chinese'],
          sum: row['Sum'] === null ? null : fen(row['Sum']),
        }));
      expect(actual).toEqual(written);
    },
  );
});

test('re-pricing under the same terms posts only the difference from the earlier price', () => {
  const { parcel, terms } = cases.get('A')!;
  let before: number | null = null;
  for (const row of table('repricing')) {
    const facts = {
      ...parcel,
      jd_weight: grams(row["Carrier's"]),
      surcharges: surcharges(row['Surcharges']),
    };
    const { cal_weight, post_amount } = priced('standard', facts, terms);
    expect(cal_weight, row['Known now']!).toBe(grams(row['Billed']));
    expect(post_amount, row['Known now']!).toBe(fen(row['post_amount']));
    expect(before === null ? null : post_amount - before).toBe(
      row['Difference'] === null ? null : fen(row['Difference']),
    );
    before = post_amount;
  }
});

describe('profit shares', () => {
  const linkOf = (cell: string, index: number, pays: (number | null)[]): ChainLink => {
    const percent = cell.endsWith('%') ? rate(cell.replace(' %', '')) : null;
    const own = (at: number) => ({ discount: pays[at]!, northeast_discount: null });
    return {
      child_id: index + 1,
      parent_id: index + 2,
      enable_profit: cell === 'off' ? 0 : 1,
      percent_type: cell === 'difference' ? 3 : percent !== null || cell === 'off' ? 1 : 2,
      profit: cell === 'off' ? 5000 : percent,
      fixed_profit: /^[\d.]+$/.test(cell) ? fen(cell) : 0,
      child: own(index),
      parent: own(index + 1),
    };
  };
  test.each(titled('shares', 'Pays', 'Links', 'Shares', 'Platform'))(
    'the profit shares are those in the pricing documentation: %s',
    (_, row) => {
      const pays = list(row['Pays']).map((cell) => (cell === '–' ? null : rate(cell)));
      const { parcel, terms } = cases.get('A')!;
      const links = list(row['Links']).map((cell, index) => linkOf(cell, index, pays));
      const own = termsSchema.parse({
        ...terms,
        station: { ...terms.station, discount: pays[0]! },
        links,
      });
      const shares = sharesOf(priced('standard', parcel, own), own);
      expect(shares.base_amount).toBe(fen(row['Base']));
      expect(shares.shares.map((share) => formatYuan(share.amount)).join(', ') || null).toBe(
        row['Shares'],
      );
      expect(shares.platform_amount).toBe(fen(row['Platform']));
    },
  );
});

describe('the delivery time', () => {
  test.each(titled('choices', 'Options', 'allow_select', 'Wanted', 'Chosen'))(
    'the delivery time is chosen as in the pricing documentation: %s',
    (_, row) => {
      const { price } = cases.get('A')!;
      const refusals: Record<string, PriceError> = {
        not_served: { code: 'not_served', params: { province: '四川', receive_code: '510000' } },
        over_weight: { code: 'over_weight', params: { actual_weight: 2, limit_weight: 1 } },
      };
      const quotes = list(row['Options']).map((text): PromiseQuote => {
        const [promise_id, result] = text.split(' ') as [string, string];
        const error = refusals[result];
        return {
          promise_id,
          priced: error ? { error } : { price: { ...price, post_amount: fen(result) } },
        };
      });
      const choice = choosePromise(
        quotes,
        row['allow_select'] === '1' ? 1 : 0,
        row['Wanted'] ?? null,
      );
      expect(choice.options.map(({ promise_id }) => promise_id)).toEqual(
        quotes.map(({ promise_id }) => promise_id),
      );
      expect(
        choice.options.filter(({ selectable }) => selectable).map(({ promise_id }) => promise_id),
      ).toEqual(list(row['May pick'], ' '));
      for (const { selectable, reason } of choice.options)
        expect(reason === null).toBe(selectable === 1);
      expect(choice.chosen).toBe(row['Chosen']);
      expect(choice.notice?.code ?? null).toBe(row['Notice']);
    },
  );
});

describe('a price that is refused', () => {
  test.each(titled('errors', 'From', 'To', 'Weight', 'Code'))(
    'a price is refused as in the pricing documentation: %s',
    (_, row) => {
      const { price, error } = quote(row['Template']!, {
        sender_code: region(row['From']!),
        receive_code: region(row['To']!),
        weight: grams(row['Weight'])!,
        guarantee_value_amount: fen(row['Insured']),
      });
      expect(price).toBeUndefined();
      expect(error?.code).toBe(row['Code']);
      expect(errorText(error!.code, error!.params, 'en')).toBe(row['In English']);
    },
  );
});

test('the pricing documentation lists the finding codes of the template check with their severity, and its sanity codes', () => {
  const rows = table('findings');
  expect(Object.fromEntries(rows.map((row) => [row['Code'], row['Severity']]))).toEqual(
    findingCodes,
  );
  const odd = table('sanity');
  expect(odd.map((row) => row['Code'])).toEqual(Object.keys(sanityCodes));
  expect([...rows, ...odd].every((row) => row['Meaning']!.length > 20)).toBe(true);
});

afterAll(() => {
  expect(
    [...page.keys()].filter((name) => !read.has(name)),
    'tables nobody checks',
  ).toEqual([]);
  expect(
    unread.flatMap((cells) => cells()),
    'cells nobody checks',
  ).toEqual([]);
});
