import { readFileSync } from 'node:fs';
import { errorText } from '@waystation/contract/base/errors.ts';
import type { Import, ImportRow } from '@waystation/contract/imports/import.ts';
import { openImports } from '@waystation/server/testing/import-sheets.ts';
import type { TestImports } from '@waystation/server/testing/import-sheets.ts';
import { sampled } from '@waystation/server/testing/slices.ts';
import { openTestSystem } from '@waystation/server/testing/test-system.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { corpusFolder, makers, manifestFile, outcomeOf, refusalOf } from './manifest.ts';
import type { Entry } from './manifest.ts';
import type { ExpectedRow } from './parcels.ts';

const entries = JSON.parse(readFileSync(manifestFile, 'utf8')) as Entry[];

let system: TestSystem;
let imports: TestImports;
beforeAll(async () => {
  system = await openTestSystem();
  imports = await openImports(system);
});
afterAll(() => system.close());

const said = ({ field, reason }: ImportRow['problems'][number]): string =>
  `${field ?? 'row'}: ${errorText(reason.code, reason.params, 'zh')}`;
/**
 * Converts a row for the comparison. If the sheet has no sender, the station provides it, so the
 * sender is not compared.
 */
const rowOf = (
  { line, mark, values, problems, reason }: ImportRow,
  mapping: Import['mapping'],
): ExpectedRow => ({
  line,
  mark,
  values: Object.fromEntries(
    Object.entries(values).filter(
      ([field, text]) => text !== '' && (!field.startsWith('sender_') || field in mapping),
    ),
  ),
  says: [...(reason ? [errorText(reason.code, reason.params, 'zh')] : []), ...problems.map(said)],
});

/**
 * Uploads a file and returns its result with the fields of the manifest. Proposed columns are
 * confirmed without changes. If a required column is missing, no row is read.
 */
const play = async ({
  file,
  upload = file,
  sheet,
}: Entry): Promise<Pick<Entry, 'rows' | 'asks' | 'sheet' | 'refused'>> => {
  const bytes = readFileSync(new URL(file, corpusFolder));
  const form = new FormData();
  form.append('file', new File([new Uint8Array(bytes)], upload));
  const answer = await imports.call<Import>('POST', '', form);
  if (answer.status !== 200) {
    const { fields, code } = answer.data as unknown as {
      code?: string;
      fields?: { file?: { code: string; params?: object } };
    };
    return {
      refused: refusalOf(fields?.file?.code ?? code ?? String(answer.status), {
        ...fields?.file?.params,
      }),
    };
  }
  let found = await imports.settled(answer.data.id);
  if (found.status === 'failed')
    return { refused: refusalOf(found.reason!.code, found.reason!.params) };
  const asks = found.status === 'mapping';
  if (asks) {
    const { version, header_at, mapping } = found;
    const accepted = await imports.call('POST', `/${found.id}/mapping`, {
      version,
      header_at,
      mapping,
      defaults: {},
    });
    if (accepted.status !== 200) return { rows: [], asks };
    found = await imports.settled(found.id);
  }
  const rows = (await imports.rows(found.id)).map((row) => rowOf(row, found.mapping));
  await imports.call('POST', `/${found.id}/cancel`, { version: found.version });
  return {
    rows,
    ...(asks && { asks }),
    ...(sheet !== undefined && { sheet: found.sheets[found.sheet!]?.name ?? '' }),
  };
};

describe('a file of the corpus', () => {
  it.each(sampled(entries, 6).map((entry) => [`${entry.file}: ${entry.what}`, entry] as const))(
    'the corpus file %s is read as expected',
    async (_title, entry) => {
      const { rows, asks, sheet, refused } = entry;
      expect(await play(entry)).toEqual(JSON.parse(JSON.stringify({ rows, asks, sheet, refused })));
    },
  );
});

describe('the corpus', () => {
  it('the corpus has at least sixty files from ten programs, is smaller than two megabytes, and is listed completely in the manifest', () => {
    expect(entries.length).toBeGreaterThanOrEqual(60);
    expect(new Set(entries.map(({ made_by }) => made_by)).size).toBeGreaterThanOrEqual(10);
    expect(
      entries.reduce((sum, { file }) => sum + readFileSync(new URL(file, corpusFolder)).length, 0),
    ).toBeLessThan(2_000_000);
    const cases = makers.flatMap((maker) =>
      maker.cases.map(({ file, expected }) => ({ file, ...outcomeOf(expected) })),
    );
    expect(
      entries.map(({ file, rows, asks, sheet, refused }) => ({ file, rows, asks, sheet, refused })),
    ).toEqual(
      cases.map(({ file, rows, asks, sheet, refused }) => ({ file, rows, asks, sheet, refused })),
    );
  });
});
