/**
 * A program that bench/src/quote.ts runs. It measures how many quotes one CPU core calculates in a
 * second, and prints the result as JSON. Each quote is calculated as on the order screen: zone,
 * billed weight, freight over several brackets, discount, insurance, and lines with their reasons.
 */
import { defaultNortheast, provinceCodes } from '@waystation/contract/parcels/provinces.ts';
import type { Terms } from '@waystation/contract/money/terms.ts';
import type { TemplateContent } from '@waystation/contract/money/voucher-content.ts';
import { compileTemplate, priceOf } from './pricing.ts';
import type { PricedParcel } from './pricing.ts';

const content: TemplateContent = {
  divisor: 8000,
  origins: [
    {
      provinces: [],
      zones: provinceCodes.map((code, index) => ({
        name: '',
        areas: [code, `${code.slice(0, 2)}0100`].slice(0, 1 + (index % 2)),
        not_served: 0,
        first: { max_g: 1000, price: 600 + index * 20 },
        brackets: [
          { up_to_g: 3000, step_g: 500, price: 90 + index },
          { up_to_g: 10_000, step_g: 1000, price: 150 + index },
          { up_to_g: 60_000, step_g: 1000, price: 140 + index },
        ],
        minimum: 700,
      })),
    },
  ],
};

const terms: Terms = {
  voucher: { id: 1, version: 1, name: 'standard', discount: 9500, northeast_discount: 9800 },
  station: { id: 1, discount: 8500, northeast_discount: null },
  northeast: [...defaultNortheast],
  tiers: [50_000, 100_000, 500_000, 2_000_000].map((money, index) => ({
    money,
    price: 100 * (index + 1),
  })),
  guarantee: 0,
  links: [],
};

// Parcels of every weight from 0.1 to 20 kg to every province: a quarter with sizes, a third
// insured, a seventh with a surcharge, a third re-weighed.
const parcels = Array.from({ length: 4000 }, (_, index): PricedParcel => ({
  sender_code: '440305',
  receive_code: `${provinceCodes[index % 34]!.slice(0, 2)}010${index % 9}`,
  weight: 100 + ((index * 37) % 20_000),
  re_weight: null,
  jd_weight: index % 3 === 0 ? 110 + ((index * 41) % 20_000) : null,
  jd_volume: null,
  length: index % 4 === 0 ? 30 : null,
  width: index % 4 === 0 ? 20 : null,
  height: index % 4 === 0 ? 10 + (index % 50) : null,
  package_count: 1,
  guarantee_value_amount: index % 3 === 1 ? (index * 977) % 2_000_000 : 0,
  surcharges: index % 7 === 0 ? [{ code: 'QLHCF', name: '包装费', amount: 200 }] : [],
}));

const template = compileTemplate(content);

const round = (): number => {
  let sum = 0;
  for (const parcel of parcels) {
    const { price, error } = priceOf(parcel, template, terms);
    if (error) throw new Error(`a parcel of the benchmark has no price: ${error.code}`);
    sum += price.post_amount;
  }
  return sum;
};

const checksum = round();

/**
 * Measures the quotes per second of CPU time (helper threads included) and of real time, over at
 * least `seconds`.
 */
const measure = (seconds: number) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  let quotes = 0;
  do {
    if (round() !== checksum) throw new Error('the same parcels have other prices');
    quotes += parcels.length;
  } while (performance.now() - start < seconds * 1000);
  const spent = process.cpuUsage(cpu);
  return {
    cpu: quotes / ((spent.user + spent.system) / 1e6),
    clock: quotes / ((performance.now() - start) / 1000),
  };
};

measure(0.5);
const rounds = Array.from({ length: 7 }, () => measure(0.3)).toSorted((a, b) => a.cpu - b.cpu);
const median = rounds[3]!;
process.stdout.write(
  `${JSON.stringify({
    quotes_per_cpu_second: Math.floor(median.cpu),
    slowest_per_cpu_second: Math.floor(rounds[0]!.cpu),
    quotes_per_clock_second: Math.floor(median.clock),
    parcels: parcels.length,
    checksum,
  })}\n`,
);
