/** The rows of corpus.tsv, each with a pasted text and the people that must be found in it. */
import type { AddressCandidate } from '@waystation/contract/parcels/address.ts';
import { lastOf } from '@waystation/contract/base/present.ts';

export const corpusFields = [
  'name',
  'phone',
  'extension',
  'province',
  'city',
  'county',
  'address',
] as const;
export type CorpusPerson = Pick<AddressCandidate, (typeof corpusFields)[number]>;

export interface CorpusRow {
  line: number;
  text: string;
  people: CorpusPerson[];
}

const unescape = (cell: string): string =>
  cell.replace(/\\(.)/g, (_, letter: string) => ({ n: '\n', t: '\t' })[letter] ?? letter);

/** Parses the content of the corpus file; lines that begin with # describe the format. */
export const readCorpus = (content: string): CorpusRow[] => {
  const rows: CorpusRow[] = [];
  for (const [index, line] of content.split('\n').entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const [
      text = '',
      name = '',
      phone = '',
      extension = '',
      province = '',
      city = '',
      county = '',
      address = '',
    ] = line.split('\t');
    const person = { name, phone, extension, province, city, county, address };
    if (text === '') lastOf(rows).people.push(person);
    else rows.push({ line: index + 1, text: unescape(text), people: [person] });
  }
  return rows;
};
