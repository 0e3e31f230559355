import { errorText } from '@waystation/contract/base/errors.ts';
import type { Language } from '@waystation/contract/base/errors.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { CellKind, CellValue } from '#domain/workbook/workbook.ts';
import type { ListSource } from '#platform/http/list-walk.ts';

type ExportRow = Readonly<Record<string, unknown>>;
/**
 * A cell whose value is calculated from the listed fields of a row. A test checks that `make` reads
 * no other field.
 */
export interface MadeColumn {
  fields: readonly string[];
  make(row: ExportRow, language: Language): CellValue;
}

/**
 * The way a field of a row is written to a file: a kind of cell, or a text calculated from the row.
 */
export type ExportColumn = CellKind | MadeColumn;

/** A list that can be exported, with the source of its rows and its columns. */
export interface ExportList<App> {
  source: ListSource<App>;
  columns: Readonly<Record<string, ExportColumn>>;
}
export type ExportLists<App> = Readonly<Record<string, ExportList<App>>>;

/**
 * A column whose cells are calculated from several fields. `fields` lists these fields, separated
 * by spaces.
 */
export const madeOf = (fields: string, make: MadeColumn['make']): MadeColumn => ({
  fields: fields.split(' '),
  make,
});

/** The names of the row's fields from which an export column is calculated. */
export const fieldsOf = (key: string, column: ExportColumn): readonly string[] =>
  typeof column === 'string' ? [key] : column.fields;

/**
 * Creates the same kind of column for several fields. `fields` lists the fields, separated by
 * spaces.
 */
export const columnsOf = (kind: ExportColumn, fields: string): Record<string, ExportColumn> =>
  Object.fromEntries(fields.split(' ').map((field) => [field, kind]));

/** Columns that show several 1/0 flags as text. `fields` lists the flags, separated by spaces. */
export const flags = (fields: string): Record<string, ExportColumn> =>
  Object.fromEntries(fields.split(' ').map((field) => [field, yesNo(field)]));

type Words = Readonly<Record<string | number, { zh: string; en: string }>>;

/**
 * A column that shows the text for a code in the reader's language; an unknown code is shown
 * unchanged.
 */
export const words = (field: string, known: Words): ExportColumn =>
  madeOf(field, (row, language) => {
    const value = row[field] as string | number | null | undefined;
    return value === null || value === undefined
      ? null
      : (known[value]?.[language] ?? String(value));
  });

/** A column that shows a 1/0 flag as text. */
export const yesNo = (field: string): ExportColumn =>
  words(field, { 0: { zh: '否', en: 'No' }, 1: { zh: '是', en: 'Yes' } });
/** A column that shows the status of a row as text. */
export const onOff: ExportColumn = words('status', {
  0: { zh: '停用', en: 'Disabled' },
  1: { zh: '启用', en: 'Enabled' },
});

/**
 * A column with the text of our own reason in the reader's language, or else the carrier's text.
 */
export const reasoned = (reasonField: string, textField: string): ExportColumn =>
  madeOf(`${reasonField} ${textField}`, (row, language) => {
    const text = (row[textField] as string | null | undefined) ?? null;
    const reason = row[reasonField] as Reason | null | undefined;
    return reason ? errorText(reason.code, reason.params, language) : text;
  });

/** A column that shows several fields as one text. */
export const joined = (fields: readonly string[]): ExportColumn => ({
  fields,
  make: (row) =>
    fields
      .map((field) => row[field])
      .filter(Boolean)
      .join(' '),
});
