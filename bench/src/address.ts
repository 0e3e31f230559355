/**
 * S11: the number of wrongly read fields of pasted addresses, and the time for one text. Two
 * parsers from the registry read the same texts in the same run for comparison. This product's
 * parser runs in a program of the server, which this program starts. Texts with several people are
 * left out, because the other parsers read only one person.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import addressParse from 'address-parse';
import zhAddressParse from 'zh-address-parse';

const fields = ['name', 'phone', 'extension', 'province', 'city', 'county', 'address'] as const;
type Person = Record<(typeof fields)[number], string>;
interface Report {
  rows: { text: string; people: Person[]; found: Person[] }[];
  micros: number;
}

/**
 * Runs a program in the folder of the address parser, and returns the JSON that the program prints.
 */
const reportOf = <T>(name: string): T => {
  const program = join(import.meta.dirname, '..', '..', 'server', 'src', 'domain', 'address', name);
  const run = spawnSync(process.execPath, [program], {
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (run.status !== 0) {
    console.log(`S11 address failed: ${run.error?.message ?? `exit ${run.status ?? run.signal}`}`);
    process.exit(1);
  }
  return JSON.parse(run.stdout) as T;
};
const { rows, micros } = reportOf<Report>('address.bench.ts');
interface Growth {
  growth: number;
  unit: string;
}
const { patterns, worst, whole } = reportOf<{
  patterns: number;
  worst: (Growth & { pattern: string })[];
  whole: Growth;
}>('growth.bench.ts');
const single = rows.filter((row) => row.people.length === 1);

const person = (part: Partial<Person>): Person => ({
  name: '',
  phone: '',
  extension: '',
  province: '',
  city: '',
  county: '',
  address: '',
  ...part,
});
const peers: { title: string; parse(text: string): Person }[] = [
  {
    title: 'zh-address-parse',
    parse: (text) => {
      const { name, phone, province, city, area, detail } = zhAddressParse(text);
      return person({ name, phone, province, city, county: area, address: detail });
    },
  },
  {
    title: 'address-parse',
    parse: (text) => {
      const [best] = addressParse.default.parse(text);
      return best
        ? person({
            name: best.name,
            phone: best.mobile || best.phone,
            province: best.province,
            city: best.city,
            county: best.area,
            address: best.details,
          })
        : person({});
    },
  },
];

/**
 * Normalizes a text for a comparison: removes punctuation and spaces, and converts full-width
 * characters to half-width characters.
 */
const plain = (text: string | undefined): string =>
  (text ?? '').normalize('NFKC').replace(/[\s,，、。;；:：/|()[\]【】-]/g, '');
const municipality = /^(?:北京|上海|天津|重庆)/;
const beyond = /^(?:香港|澳门|台湾)/;

/**
 * Returns the names of the fields that were read wrongly. Two spellings with the same meaning count
 * as equal. This favours the compared library.
 */
const wrongFields = (want: Person, got: Person): string[] => {
  const same = (field: keyof Person) => plain(want[field]) === plain(got[field]);
  // The library may return 仙桃 as a county of 省直辖县. It may also return a town as the county of a
  // city that has no counties.
  const oneLevelDown = want.county === '' && plain(want.city) === plain(got.county);
  const townAsCounty =
    want.county === '' &&
    plain(want.city) === plain(got.city) &&
    plain(want.address) === plain(got.county) + plain(got.address);
  const right: Record<(typeof fields)[number], boolean> = {
    name: same('name'),
    phone: same('phone'),
    extension:
      same('extension') ||
      (want.extension !== '' && plain(got.phone) === plain(want.phone) + want.extension),
    province: plain(want.province).slice(0, 2) === plain(got.province).slice(0, 2),
    city:
      same('city') ||
      municipality.test(want.province) ||
      beyond.test(want.province) ||
      oneLevelDown ||
      (want.city === '' && want.county === ''),
    county: same('county') || oneLevelDown || townAsCounty,
    address: same('address') || townAsCounty,
  };
  // If an extension is expected and is right, the phone number may contain the extension as well.
  right.phone ||=
    right.extension && want.extension !== '' && plain(got.phone).startsWith(plain(want.phone));
  return fields.filter((field) => !right[field]);
};

interface Score {
  wrong: number;
  fields: Map<string, number>;
  micros: number;
}

const judge = (found: Person[]): Omit<Score, 'micros'> => {
  const byField = new Map<string, number>();
  for (const [at, row] of single.entries())
    for (const field of wrongFields(row.people[0]!, found[at]!))
      byField.set(field, (byField.get(field) ?? 0) + 1);
  return { wrong: [...byField.values()].reduce((sum, count) => sum + count, 0), fields: byField };
};

const safely = (parse: (text: string) => Person, text: string): Person => {
  try {
    return parse(text);
  } catch {
    return person({});
  }
};

/**
 * Measures the median time of nine rounds over all texts, after eight warm-up rounds. The numbers
 * of rounds are the same as in address.bench.ts.
 */
const timeOf = (parse: (text: string) => Person): number => {
  const round = () => {
    const start = process.cpuUsage();
    for (const { text } of single) safely(parse, text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / single.length;
  };
  for (let warm = 0; warm < 8; warm += 1) round();
  return Array.from({ length: 9 }, round).toSorted((a, b) => a - b)[4]!;
};

// Printing is disabled, because a library may print texts while it works.
const { log, error, warn } = console;
const quiet = <T>(work: () => T): T => {
  Object.assign(console, { log: () => {}, error: () => {}, warn: () => {} });
  try {
    return work();
  } finally {
    Object.assign(console, { log, error, warn });
  }
};

const ours: Score = { ...judge(single.map((row) => row.found[0] ?? person({}))), micros };
// If a compared library cannot read even the simplest text, the fault is in this program's use of
// the library, and not in the library.
for (const { title, parse } of peers) {
  if (parse('张三 13800000001 广东省深圳市南山区示例路1号').county !== '南山区')
    throw new Error(`${title} is not called as it wants to be`);
}
const theirs = peers.map(({ title, parse }) =>
  quiet(() => ({
    title,
    ...judge(single.map(({ text }) => safely(parse, text))),
    micros: timeOf(parse),
  })),
);
const several = rows.filter((row) => row.people.length > 1);
const severalRight = several.filter(
  (row) =>
    row.found.length === row.people.length &&
    row.people.every((each, at) => wrongFields(each, row.found[at]!).length === 0),
).length;

const best = theirs.toSorted((a, b) => a.wrong - b.wrong)[0]!;
const fastest = theirs.toSorted((a, b) => a.micros - b.micros)[0]!;
const fewer = ours.wrong * 10 <= best.wrong;
const faster = ours.micros < fastest.micros;
const detail = (score: Score) =>
  [...score.fields].map(([field, count]) => `${field} ${count}`).join(', ') || 'none';
const total = single.length * fields.length;
for (const each of [{ title: 'waystation', ...ours }, ...theirs])
  console.log(
    `    ${each.title}: ${each.wrong} of ${total} fields wrong (${detail(each)}), ${each.micros.toFixed(0)} µs a text`,
  );
console.log(`    texts of several people read whole: ${severalRight} of ${several.length}`);
console.log(
  `S11 address wrong fields vs ${best.title} ${ours.wrong} : ${best.wrong} (≥ 10 × fewer) ${fewer ? 'ok' : 'MISSED'}`,
);
console.log(
  `S11 address time vs ${fastest.title} ${(ours.micros / fastest.micros).toFixed(2)} (< 1) ${faster ? 'ok' : 'MISSED'}`,
);
/**
 * The maximum factor by which the time may grow if a text becomes four times as long. A factor of 4
 * is linear growth, and 16 is quadratic growth.
 */
const mostGrowth = 10;
const [slowest] = worst;
const linear = whole.growth <= mostGrowth && (slowest?.growth ?? 0) <= mostGrowth;
console.log(
  `S11 address growth: a text four times as long takes ${whole.growth.toFixed(1)} ×, the steepest of ${patterns} patterns ${(slowest?.growth ?? 0).toFixed(1)} × ` +
    `(≤ ${mostGrowth}) ${linear ? 'ok' : `MISSED: ${slowest?.pattern} on ${JSON.stringify(slowest?.unit)}`}`,
);
process.exitCode = fewer && faster && linear ? 0 : 1;
