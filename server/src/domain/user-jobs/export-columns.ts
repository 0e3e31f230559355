import { errorText } from '@waystation/contract/errors.ts';
import type { Language } from '@waystation/contract/errors.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import type { CellKind, CellValue } from '#domain/workbook/workbook.ts';
import type { ListSource } from '#platform/http/list-walk.ts';

type ExportRow = Readonly<Record<string, unknown>>;
/** Words made of some fields of a row; a test checks that it reads no others. */
export interface MadeColumn {
  fields: readonly string[];
  make(row: ExportRow, language: Language): CellValue;
}

/** How a field of a row appears in a file: a kind of cell, or words made of the row. */
export type ExportColumn = CellKind | MadeColumn;

/** A list that can be exported: where its rows come from, and its fields. */
export interface ExportList<App> {
  source: ListSource<App>;
  columns: Readonly<Record<string, ExportColumn>>;
}
export type ExportLists<App> = Readonly<Record<string, ExportList<App>>>;

/** A cell made of these fields, named in one text with spaces between. */
export const madeOf = (fields: string, make: MadeColumn['make']): MadeColumn => ({ fields: fields.split(' '), make });

/** The fields of a row that a column is read from. */
export const fieldsOf = (key: string, column: ExportColumn): readonly string[] => (typeof column === 'string' ? [key] : column.fields);

/** The same kind of cell for several fields, named in one text with spaces between. */
export const columnsOf = (kind: ExportColumn, fields: string): Record<string, ExportColumn> =>
  Object.fromEntries(fields.split(' ').map((field) => [field, kind]));

/** Several 1/0 flags in words. */
export const flags = (fields: string): Record<string, ExportColumn> => Object.fromEntries(fields.split(' ').map((field) => [field, yesNo(field)]));

type Words = Readonly<Record<string | number, { zh: string; en: string }>>;

/** The words of a code in the reader's language; a code without words as it is. */
export const words = (field: string, known: Words): ExportColumn =>
  madeOf(field, (row, language) => {
    const value = row[field] as string | number | null | undefined;
    return value === null || value === undefined ? null : (known[value]?.[language] ?? String(value));
  });

/** A 1/0 flag in words. */
export const yesNo = (field: string): ExportColumn => words(field, { 0: { zh: '否', en: 'No' }, 1: { zh: '是', en: 'Yes' } });
/** The status of a resource in words. */
export const onOff: ExportColumn = words('status', { 0: { zh: '停用', en: 'Disabled' }, 1: { zh: '启用', en: 'Enabled' } });

/** The text of our own reason in the reader's language, or the carrier's text beside it. */
export const reasoned = (reasonField: string, textField: string): ExportColumn =>
  madeOf(`${reasonField} ${textField}`, (row, language) => {
    const text = (row[textField] as string | null | undefined) ?? null;
    const reason = row[reasonField] as Reason | null | undefined;
    return reason ? errorText(reason.code, reason.params, language) : text;
  });

/** Several fields as one text. */
export const joined = (fields: readonly string[]): ExportColumn => ({
  fields,
  make: (row) =>
    fields
      .map((field) => row[field])
      .filter(Boolean)
      .join(' '),
});
