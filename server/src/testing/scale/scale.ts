/**
 * How the product answers when there are many parcels: run by bench/src/scale.ts. Makes the network where it is not kept, starts the product's own process
 * on it and asks for everything a person waits for, beside the same SQL by bare `pg`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startApi } from './api.ts';
import { openBare } from './bare.ts';
import { casesOf, roles, samplesOf } from './cases.ts';
import { measureBulk, measureExport } from './jobs.ts';
import { openNetwork } from './kept.ts';
import { lineOf, measure } from './measure.ts';
import type { Figure } from './measure.ts';
import { compareRates } from './rates.ts';
import type { OwnerConnection } from '#platform/embedded/embedded.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '1000000' },
    /** The second size of S2. */
    beside: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    role: { type: 'string', multiple: true, default: [] },
    /** A database of the kept cluster that is measured as it is. */
    database: { type: 'string' },
    /** Another checkout, whose product is measured. */
    checkout: { type: 'string', default: root },
  },
});

const wants = (name: string): boolean =>
  values.only.length === 0 || values.only.some((part) => (part.startsWith('=') ? name === part.slice(1) : name.includes(part)));
const judged = (ok: boolean): string => (ok ? 'ok' : 'MISSED');
const wanted = roles.filter(({ name }) => values.role.length === 0 || values.role.includes(name));
const searchLimit = 50;
const rateLimit = 0.7;
const numbersLimit = 5;

const measureOn = async (config: OwnerConnection): Promise<Figure[]> => {
  const owner = new pg.Client(config);
  await owner.connect();
  const api = await startApi(values.checkout, config);
  const figures: Figure[] = [];
  try {
    const bare = await openBare(config);
    for (const role of wanted) {
      const token = await api.logIn(role.username);
      const cases = casesOf(role, await samplesOf(owner, role.username)).filter(({ name }) => wants(name));
      for (const one of cases) {
        const figure = await measure(api, bare, owner, role.name, token, one);
        figures.push(figure);
        console.log(lineOf(figure));
      }
    }
    await bare.client.end();
    if (wants('S1'))
      for (const role of wanted.filter(({ many }) => many !== null)) {
        const { ours, bare: plain } = await compareRates(api, owner, config, role);
        console.log(
          `S1 list vs pg ${(ours / plain).toFixed(2)} (≥ ${rateLimit.toFixed(2)}) ${judged(ours / plain >= rateLimit)}, ${role.name}: ${ours.toFixed(0)}/s beside ${plain.toFixed(0)}/s at 16 connections`,
        );
      }
    if (wants('bulk')) await measureBulk(api, owner);
    if (wants('export')) await measureExport(api, owner, config, values.checkout);
    if (wants('S3')) console.log('S3 is `npm run bench -- commit`');
    return figures;
  } finally {
    await api.stop();
    await owner.end();
  }
};

/** The promises of docs/performance.md that follow from the single figures. */
const summarize = (figures: readonly Figure[]): void => {
  for (const role of wanted) {
    const searches = figures.filter((one) => one.role === role.name && one.name.startsWith('search') && one.status === 200);
    const slowest = searches.toSorted((a, b) => b.p99 - a.p99)[0];
    if (slowest)
      console.log(`S8 search p99 ${slowest.p99} ms (≤ ${searchLimit}) ${judged(slowest.p99 <= searchLimit)}, ${role.name}: the slowest is "${slowest.name}"`);
    const numbers = figures.find((one) => one.role === role.name && one.name === 'workplace');
    if (numbers?.looked)
      console.log(
        `S7 workplace ${numbers.looked.ms.toFixed(1)} ms of the database (≤ ${numbersLimit}) ${judged(numbers.looked.ms <= numbersLimit)}, ${role.name}`,
      );
  }
  const missed = figures.filter(({ isMiss }) => isMiss);
  console.log(`   ${missed.length} of ${figures.length} read more than 50 × what they answer, or fail`);
};

const keep = (figures: readonly Figure[], name: string): void => {
  const folder = join(root, '.build');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `scale-${name}.json`), JSON.stringify(figures, null, 1));
};

const kept = await openNetwork(Number(values.parcels), values.database);
try {
  const figures = await measureOn(kept.connection);
  keep(figures, kept.connection.database);
  summarize(figures);
} finally {
  await kept.close();
}
