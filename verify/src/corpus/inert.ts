import { bytesOfSheet } from '@waystation/server/testing/written-sheets.ts';
import { chanceOf } from '#chance.ts';
import { byLibreOffice } from './programs.ts';

const starts = [
  '=',
  '+',
  '-',
  '@',
  '\t=',
  '\r=',
  ' =',
  '＝',
  '＋',
  '－',
  '＠',
  '\ufeff=',
  "'=",
  '"=',
  ';=',
  '|=',
  ',=',
  '\n=',
];
const bodies = [
  '1+1',
  'SUM(A1:A9)',
  'HYPERLINK("http://example.com","a")',
  "cmd|'/c calc'!A1",
  'A1',
  'DDE("a";"b";"c")',
  '1',
  '"a"',
];

/** Returns the formulas that LibreOffice finds in a file. */
const formulasIn = async (name: string, bytes: Buffer): Promise<string[]> => {
  const flat = (
    await byLibreOffice({ name, bytes }, 'fods:OpenDocument Spreadsheet Flat XML')
  ).toString();
  if (!flat.includes('<table:table-row')) throw new Error(`LibreOffice did not open ${name}`);
  return [...flat.matchAll(/table:formula="([^"]*)"/g)].map(([, formula]) => formula!);
};

/**
 * Checks the product's exports of texts that a spreadsheet would run as formulas, and returns the
 * faults. Also checks that LibreOffice would run such texts if they were not protected.
 */
export const formulasOfExports = async (): Promise<string[]> => {
  const chance = chanceOf('inert');
  const texts = starts.flatMap((start) => bodies.map((body) => start + body));
  const rows = texts.map((text) => [text, chance.pick(texts), 'a']);
  const found: string[] = [];
  for (const format of ['xlsx', 'csv'] as const)
    for (const formula of await formulasIn(
      `export.${format}`,
      await bytesOfSheet(format, ['=1+1', '备注', 'a'], rows),
    ))
      found.push(`${format}: ${formula}`);
  if ((await formulasIn('bare.csv', Buffer.from('a,b\n=1+1,c\n'))).length === 0)
    found.push('LibreOffice calculates no cell at all: nothing is shown');
  console.log(
    `${rows.length * 4 + 2} cells of exports that begin as formulas, opened by LibreOffice: ${found.length} calculated`,
  );
  return found;
};
