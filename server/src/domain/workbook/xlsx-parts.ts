import { cellKinds, numberFormats } from './cells.ts';
import type { CellKind } from './cells.ts';

/**
 * The parts of a workbook with one sheet, except the sheet itself. They are the smallest part of
 * ECMA-376 that Excel, WPS and LibreOffice open without a warning.
 */

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const schemas = 'http://schemas.openxmlformats.org';
export const mainNamespace = `${schemas}/spreadsheetml/2006/main`;
const relations = `${schemas}/officeDocument/2006/relationships`;
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '_x000D_',
};
/**
 * Escapes a text for an XML element or attribute. A carriage return is written as Excel writes it,
 * because XML would read it as a line feed.
 */
export const xmlText = (text: string): string =>
  /[&<>"\r]/.test(text) ? text.replaceAll(/[&<>"\r]/g, (character) => escapes[character]!) : text;

/** The number of the workbook's cell format for a kind of cell; 0 is the general format. */
export const styleOf = (kind: CellKind): number => cellKinds.indexOf(kind) + 1;

/** Our own number formats begin with this number. */
const firstFormat = 164;

const styles = (): string => {
  const formats = cellKinds
    .map(
      (kind, at) =>
        `<numFmt numFmtId="${firstFormat + at}" formatCode="${xmlText(numberFormats[kind])}"/>`,
    )
    .join('');
  const cells = cellKinds
    .map(
      (_, at) =>
        `<xf numFmtId="${firstFormat + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    )
    .join('');
  return [
    `<styleSheet xmlns="${mainNamespace}"><numFmts count="${cellKinds.length}">${formats}</numFmts>`,
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>',
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${cellKinds.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${cells}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('');
};

const relation = (id: number, type: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${relations}/${type}" Target="${target}"/>`;
const relationsOf = (all: readonly string[]): string =>
  `<Relationships xmlns="${schemas}/package/2006/relationships">${all.join('')}</Relationships>`;

export const sheetPart = 'xl/worksheets/sheet1.xml';
/** A hidden sheet with the choices for the cells of the first sheet. */
export const choicesPart = 'xl/worksheets/sheet2.xml';
export const choicesName = 'choices';

const sheetType = (part: string): string =>
  `<Override PartName="/${part}" ContentType="${contentType}.worksheet+xml"/>`;

/** The name and XML of every part except the sheets, in the order in which they are written. */
export const workbookParts = (
  sheetName: string,
  withChoices: boolean,
): (readonly [name: string, xml: string])[] =>
  (
    [
      [
        '[Content_Types].xml',
        `<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
          `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
          `<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/>${sheetType(sheetPart)}${withChoices ? sheetType(choicesPart) : ''}</Types>`,
      ],
      ['_rels/.rels', relationsOf([relation(1, 'officeDocument', 'xl/workbook.xml')])],
      [
        'xl/workbook.xml',
        `<workbook xmlns="${mainNamespace}" xmlns:r="${relations}"><sheets><sheet name="${xmlText(sheetName)}" sheetId="1" r:id="rId1"/>` +
          `${withChoices ? `<sheet name="${choicesName}" sheetId="2" state="veryHidden" r:id="rId3"/>` : ''}</sheets></workbook>`,
      ],
      [
        'xl/_rels/workbook.xml.rels',
        relationsOf([
          relation(1, 'worksheet', 'worksheets/sheet1.xml'),
          relation(2, 'styles', 'styles.xml'),
          ...(withChoices ? [relation(3, 'worksheet', 'worksheets/sheet2.xml')] : []),
        ]),
      ],
      ['xl/styles.xml', styles()],
    ] as const
  ).map(([name, xml]) => [name, xmlDeclaration + xml] as const);
