/**
 * A program that bench/src/address.ts runs: reads the corpus and prints the results and their time
 * as JSON.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAddress } from './address.ts';
import { corpusFields, readCorpus } from './corpus.ts';

const rows = readCorpus(readFileSync(join(import.meta.dirname, 'corpus.tsv'), 'utf8'));

const found = rows.map(({ text, people }) => ({
  text,
  people,
  found: parseAddress(text).candidates.map((candidate) =>
    Object.fromEntries(corpusFields.map((field) => [field, candidate[field]])),
  ),
}));

const single = rows.filter(({ people }) => people.length === 1).map(({ text }) => text);

/** The average CPU time for one text in microseconds, over the whole corpus. */
const round = (): number => {
  const start = process.cpuUsage();
  for (const text of single) parseAddress(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / single.length;
};

for (let warm = 0; warm < 8; warm += 1) round();
const rounds = Array.from({ length: 9 }, round).toSorted((a, b) => a - b);
process.stdout.write(`${JSON.stringify({ rows: found, micros: rounds[4] })}\n`);
