import { workbookOf } from '@waystation/server/testing/workbooks.ts';
import { parcels, titles } from './parcels.ts';
import { xml, letter, cell, line, rowsXml, sheet } from './workbook-xml.ts';

export const orders = sheet(rowsXml([titles, ...parcels]));
export const [first, second, third] = parcels as [
  readonly string[],
  readonly string[],
  readonly string[],
];
/**
 * Makes a row whose phone cell is `phone`. The cells `more` follow after the columns that have
 * titles.
 */
export const withPhone = (phone: string, cells: readonly string[], at: number, more = ''): string =>
  line(
    at,
    cells.map((text, column) => (column === 1 ? phone : cell(text, at, column))).join('') + more,
  );

export const strict = (): Record<string, Buffer> => {
  const office = 'http://purl.oclc.org/ooxml';
  const relations = `${office}/officeDocument/relationships`;
  const parts = workbookOf(
    orders.replace('<worksheet>', `<worksheet xmlns="${office}/spreadsheetml/main">`),
  );
  return Object.fromEntries(
    Object.entries(parts).map(([name, bytes]) => [
      name,
      Buffer.from(
        bytes
          .toString()
          .replaceAll(
            'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
            relations,
          ),
      ),
    ]),
  );
};

export const sharedStrings = (): Record<string, Buffer> => {
  const all = [...titles, ...parcels.flat()];
  const items = all.map((text, at) => {
    if (at === titles.length)
      return '<si><t>张示例</t><rPh sb="0" eb="1"><t>zhang</t></rPh><phoneticPr fontId="1"/></si>';
    if (text.length > 4 && at % 2 === 1)
      return `<si><r><t xml:space="preserve">${xml(text.slice(0, 3))}</t></r><r><rPr><b/></rPr><t xml:space="preserve">${xml(text.slice(3))}</t></r></si>`;
    return `<si><t xml:space="preserve">${xml(text)}</t></si>`;
  });
  const rows = [0, 1, 2, 3].map((at) =>
    line(
      at + 1,
      titles
        .map(
          (_, column) =>
            `<c r="${letter(column)}${at + 1}" t="s"><v>${at * titles.length + column}</v></c>`,
        )
        .join(''),
    ),
  );
  return {
    ...workbookOf(sheet(rows.join(''))),
    'xl/sharedStrings.xml': Buffer.from(`<sst count="36" uniqueCount="36">${items.join('')}</sst>`),
  };
};
