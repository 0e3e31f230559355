/**
 * A cell of a flat OpenDocument sheet. `rows` is the number of rows over which the cell extends.
 */
export type FlatCell =
  | string
  | number
  | { date: string }
  | { formula: string }
  | { text: string; rows: number }
  | { covered: true };
export interface FlatRow {
  cells: readonly FlatCell[];
  hidden?: 'by hand' | 'by a filter';
}
export interface FlatSheet {
  name: string;
  rows: readonly FlatRow[];
  hidden?: boolean;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const paragraphs = (text: string): string =>
  text
    .split('\n')
    .map((line) => `<text:p>${escaped(line)}</text:p>`)
    .join('');

const cellXml = (cell: FlatCell): string => {
  if (typeof cell === 'number')
    return `<table:table-cell office:value-type="float" office:value="${cell}"/>`;
  if (typeof cell === 'string')
    return cell === ''
      ? '<table:table-cell/>'
      : `<table:table-cell office:value-type="string">${paragraphs(cell)}</table:table-cell>`;
  if ('date' in cell)
    return `<table:table-cell table:style-name="day" office:value-type="date" office:date-value="${cell.date}"/>`;
  if ('formula' in cell) return `<table:table-cell table:formula="of:${escaped(cell.formula)}"/>`;
  if ('covered' in cell) return '<table:covered-table-cell/>';
  return `<table:table-cell office:value-type="string" table:number-columns-spanned="1" table:number-rows-spanned="${cell.rows}">${paragraphs(cell.text)}</table:table-cell>`;
};

const rowXml = ({ cells, hidden }: FlatRow): string => {
  const visibility =
    hidden === undefined
      ? ''
      : ` table:visibility="${hidden === 'by hand' ? 'collapse' : 'filter'}"`;
  return `<table:table-row${visibility}>${cells.map(cellXml).join('')}</table:table-row>`;
};

const spaces = ['office', 'table', 'text', 'style', 'number']
  .map(
    (name) =>
      `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name === 'number' ? 'datastyle' : name}:1.0"`,
  )
  .join(' ');

/** Returns sheets as one XML text that LibreOffice can open. */
export const flatSheets = (sheets: readonly FlatSheet[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${spaces} xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" office:version="1.2"
  office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>
  <number:date-style style:name="N1"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>
  <style:style style:name="day" style:family="table-cell" style:data-style-name="N1"/>
  <style:style style:name="away" style:family="table"><style:table-properties table:display="false"/></style:style>
  </office:automatic-styles><office:body><office:spreadsheet>${sheets
    .map(
      ({ name, rows, hidden }) =>
        `<table:table table:name="${name}"${hidden ? ' table:style-name="away"' : ''}>${rows.map(rowXml).join('')}</table:table>`,
    )
    .join('')}</office:spreadsheet></office:body></office:document>`;
