import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressCandidate } from '@waystation/contract/parcels/address.schema.ts';
import { expect, test } from 'vitest';
import { divisions, parseAddress } from './address.ts';
import { corpusFields, readCorpus } from './corpus.ts';

const rows = readCorpus(readFileSync(join(import.meta.dirname, 'corpus.tsv'), 'utf8'));

test('the address corpus has more than 1,500 texts, and addresses in all 34 provinces', () => {
  expect(rows.length).toBeGreaterThan(1_500);
  expect(
    new Set(rows.flatMap((row) => row.people.map((person) => person.province)).filter(Boolean))
      .size,
  ).toBe(34);
  expect(divisions.provinces).toHaveLength(34);
});

test.each(rows.map((row) => [row.line, row] as const))(
  'line %i of the address corpus is parsed as its author expects',
  (_, row) => {
    const { candidates } = parseAddress(row.text);
    expect(
      candidates.map((candidate) =>
        Object.fromEntries(corpusFields.map((field) => [field, candidate[field]])),
      ),
    ).toEqual(row.people);
    for (const candidate of candidates)
      expect(addressCandidate.safeParse(candidate).success).toBe(true);
  },
);
