/**
 * Measures the product with many parcels; bench/src/scale.ts runs it. It creates the network if no
 * kept one exists, and starts the product's process on it. Then it requests everything that a
 * person waits for, and compares the times with the same SQL through bare `pg`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureClosing, measureProof } from './books.ts';
import { casesOf } from './cases.ts';
import { measureCounts } from './count-jobs.ts';
import { measureBulk, measureExport } from './jobs.ts';
import { openNetwork } from './kept.ts';
import type { KeptNetwork } from './kept.ts';
import { lineOf, measure, tailOf } from './measure.ts';
import type { Figure } from './measure.ts';
import { compareRates } from './rates.ts';
import { comparePages, ratioLine } from './ratios.ts';
import { roles, samplesOf } from './samples.ts';
import type { Role } from './samples.ts';
import { closeSide, openSide } from './sides.ts';
import type { Side } from './sides.ts';
import { printSizes } from './size.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '1000000' },
    /**
     * The network with which S2 compares. It is a number of parcels, or the name of a database in
     * the kept cluster.
     */
    beside: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    role: { type: 'string', multiple: true, default: [] },
    /**
     * The name of an existing database in the kept PostgreSQL cluster. The database is measured
     * without changes.
     */
    database: { type: 'string' },
    /** The path of the checkout whose product is measured. By default it is this checkout. */
    checkout: { type: 'string', default: root },
  },
});

const wants = (name: string): boolean =>
  values.only.length === 0 ||
  values.only.some((part) => (part.startsWith('=') ? name === part.slice(1) : name.includes(part)));
const wanted = roles.filter(({ name }) => values.role.length === 0 || values.role.includes(name));
const limits = { first: 1.15, search: 50, rate: 0.5, numbers: 5 };

/**
 * One value for each limit; true means that the limit was kept. The command fails if a value is
 * false.
 */
const verdicts: boolean[] = [];
const judged = (ok: boolean): string => {
  verdicts.push(ok);
  return ok ? 'ok' : 'MISSED';
};

/** Measures each figure of a role, on one network after the other. */
const measureRole = async (sides: readonly Side[], role: Role): Promise<Figure[]> => {
  const tokens = new Map<Side, string>();
  const cases = new Map<Side, ReturnType<typeof casesOf>>();
  for (const side of sides) {
    tokens.set(side, await side.api.logIn(role.username));
    cases.set(side, casesOf(role, await samplesOf(side.owner, role.username)));
  }
  const figures: Figure[] = [];
  for (const { name } of cases.get(sides[0]!)!.filter((one) => wants(one.name))) {
    const both: [Side, Figure][] = [];
    for (const side of sides) {
      const figure = await measure(
        side,
        role.name,
        tokens.get(side)!,
        cases.get(side)!.find((one) => one.name === name)!,
      );
      console.log(figure === null ? `   ${role.name} ${name}: there is none` : lineOf(figure));
      if (figure) both.push([side, figure]);
    }
    if (both.length === 2) console.log(ratioLine(both[0]!, both[1]!));
    figures.push(...both.map(([, figure]) => figure));
  }
  if (sides.length === 2 && (wants('S2') || wants('first page')))
    for (const [what, path] of Object.entries({
      parcels: 'expresses',
      ...(role.name !== 'clerk' && { statements: 'statements' }),
    })) {
      const [one, other] = sides.map((side): [Side, string] => [side, tokens.get(side)!]);
      const { ratio, text } = await comparePages(one!, other!, `/api/arco/${path}?page_size=20`);
      console.log(
        `S2 first page ${ratio.toFixed(2)} × (≤ ${limits.first}) ${judged(ratio <= limits.first)}, ${role.name}, ${what}: ${text}`,
      );
    }
  return figures;
};

const measureRates = async (side: Side): Promise<void> => {
  for (const role of wanted) {
    const { ratio, ours, bare, node } = await compareRates(side.api, side.owner, side.config, role);
    console.log(
      `S1 list vs pg ${ratio.toFixed(2)} (≥ ${limits.rate.toFixed(2)}) ${judged(ratio >= limits.rate)}, ${role.name}: ${ours.toFixed(0)}/s beside ${bare.toFixed(0)}/s at 16 connections, node ${node.toFixed(2)} ms a page`,
    );
  }
};

/** Measures the tasks that take longer than one request. */
const measureWork = async (side: Side): Promise<void> => {
  const names = wanted.map(({ username }) => username);
  // Only super admins and partners see the transactions of several stations.
  const wide = wanted
    .filter(({ name }) => name === 'super' || name === 'partner')
    .map(({ username }) => username);
  if (wants('size')) await printSizes(side.owner);
  if (wants('S1')) await measureRates(side);
  if (wants('bulk')) for (const name of names) verdicts.push(await measureBulk(side, name));
  if (wants('exact counts')) verdicts.push(await measureCounts(side, values.checkout, wide));
  if (wants('export'))
    for (const name of names) verdicts.push(await measureExport(side, values.checkout, name));
  if (wants('proof')) verdicts.push(await measureProof(side.config));
  if (wants('closing')) verdicts.push(await measureClosing(side.config));
  if (wants('S3')) console.log('S3 is `npm run bench -- commit`');
};

const measureOn = async (networks: readonly KeptNetwork[]): Promise<Figure[]> => {
  const sides: Side[] = [];
  try {
    for (const { connection } of networks) sides.push(await openSide(values.checkout, connection));
    const figures: Figure[] = [];
    for (const role of wanted) figures.push(...(await measureRole(sides, role)));
    await measureWork(sides[0]!);
    return figures;
  } finally {
    for (const side of sides) await closeSide(side);
  }
};

/** Prints the limits of docs/performance.md that follow from the individual figures. */
const summarize = (figures: readonly Figure[]): void => {
  for (const role of wanted) {
    const own = figures.filter((one) => one.role === role.name && one.status === 200);
    const slowest = own
      .filter(({ name }) => name.startsWith('search'))
      .toSorted((a, b) => b.p99 - a.p99)[0];
    if (slowest)
      console.log(
        `S8 search ${slowest.p99} ms (≤ ${limits.search}) ${judged(slowest.p99 <= limits.search)}, ${role.name}: "${slowest.name}", ${tailOf(slowest)}`,
      );
    for (const { looked } of own.filter(({ name }) => name === 'workplace'))
      if (looked)
        console.log(
          `S7 workplace ${looked.ms.toFixed(1)} ms of the database (≤ ${limits.numbers}) ${judged(looked.ms <= limits.numbers)}, ${role.name}`,
        );
  }
  const unanswered = figures.filter(
    ({ status, looked, statements }) => status !== 200 || looked === null || statements === 0,
  );
  if (unanswered.length > 0) verdicts.push(false);
  const missed = figures.filter(({ isMiss }) => isMiss);
  const many = missed.filter((one) => !unanswered.includes(one));
  console.log(
    `   ${missed.length} of ${figures.length} MISSED: ${many.length} read more than 50 × what they answer, ${many.filter(({ isBounded }) => isBounded).length} of them within their days; ${unanswered.length} could not be measured`,
  );
};

const keep = (figures: readonly Figure[], name: string): void => {
  const folder = join(root, '.build');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `scale-${name}.json`), JSON.stringify(figures, null, 1));
};

const named = (words: string | undefined): [number, string | undefined] | null =>
  words === undefined ? null : /^\d+$/.test(words) ? [Number(words), undefined] : [0, words];
const beside = named(values.beside);
// The second network is created before the first one is opened, because the creation of a network
// needs other PostgreSQL settings.
if (beside) await (await openNetwork(...beside)).close();
const kept = [await openNetwork(Number(values.parcels), values.database)];
try {
  if (beside) kept.push(await openNetwork(...beside));
  const figures = await measureOn(kept);
  keep(figures, kept[0]!.connection.database);
  summarize(figures);
} finally {
  for (const { close } of kept.toReversed()) await close();
}
process.exitCode = verdicts.includes(false) ? 1 : 0;
