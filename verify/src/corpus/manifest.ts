import { readFile } from 'node:fs/promises';
import { errorText } from '@waystation/contract/base/errors.ts';
import { libreOffice } from './by-libreoffice.ts';
import { gnumeric } from './by-gnumeric.ts';
import { javaScript } from './by-javascript.ts';
import { python } from './by-python.ts';
import { byHand, ourselves } from './by-us.ts';
import type { Expected, ExpectedRow, Maker } from './parcels.ts';

export const makers: readonly Maker[] = [
  libreOffice,
  gnumeric,
  python,
  javaScript,
  ourselves,
  byHand,
];
export const corpusFolder = new URL('../../corpus/', import.meta.url);
export const manifestFile = new URL('manifest.json', corpusFolder);

/** The entry of a file in the manifest. It contains either `rows` or `refused`. */
export interface Entry {
  file: string;
  upload?: string;
  what: string;
  made_by: string;
  rows?: readonly ExpectedRow[];
  asks?: true;
  sheet?: string;
  refused?: { zh: string; en: string };
}

/** The text of a refusal, in both languages. */
export const refusalOf = (
  code: string,
  params: Record<string, unknown> = {},
): { zh: string; en: string } => ({
  zh: errorText(code, params as Record<string, string | number>, 'zh'),
  en: errorText(code, params as Record<string, string | number>, 'en'),
});

export const outcomeOf = (expected: Expected): Pick<Entry, 'rows' | 'asks' | 'sheet' | 'refused'> =>
  'refused' in expected ? { refused: refusalOf(expected.refused, expected.params) } : expected;

export const readManifest = async (): Promise<Entry[]> =>
  JSON.parse(await readFile(manifestFile, 'utf8')) as Entry[];
