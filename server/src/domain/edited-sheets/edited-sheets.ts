/**
 * Sheets that users export, edit and upload again. The functions read the rows below the titles and
 * collect the problems of cells.
 */
import { columnLetters } from '@waystation/contract/base/column-letters.ts';
import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import { mostPriceSheetProblems } from '@waystation/contract/base/limits.ts';
import type { SheetProblem } from '@waystation/contract/base/sheet.schema.ts';
import { UnreadableFile, formatOf, readSheet } from '#domain/workbook/workbook.ts';
import type { SheetRow, WorkbookFormat } from '#domain/workbook/workbook.ts';
import { fail, failFields } from '#platform/fail.ts';

/**
 * The number of first rows in which the titles are searched, because a heading may be above the
 * titles.
 */
export const lookAhead = 20;

export interface SheetFile {
  name: string;
  bytes: Buffer;
}

interface Limits {
  bytes: { most: number; code: ErrorCode };
  /** The largest number of rows of the file, including titles and heading. */
  rows: { most: number; code: ErrorCode; params: { limit: number } };
}

/** The format of an uploaded file. Throws if the file is empty, too large or of no known format. */
export const requireFormat = (file: SheetFile, bytes: Limits['bytes']): WorkbookFormat => {
  if (file.bytes.length === 0) failFields({ file: { code: 'file_empty' } });
  if (file.bytes.length > bytes.most) fail(bytes.code, { limit: bytes.most / 1024 / 1024 });
  const format = formatOf(file);
  return typeof format === 'string' ? format : failFields({ file: { code: format.refused } });
};

/** Throws a Failure if no later attempt can read the file; throws any other error unchanged. */
export const failUnreadable = (error: unknown): never => {
  if (error instanceof UnreadableFile)
    failFields({ file: { code: error.code, params: error.params } });
  throw error;
};

/**
 * Reads the rows below the titles. `open` creates a reader from the row of titles, and returns null
 * for any other row. Throws a Failure if the file cannot be read.
 */
export const readEditedSheet = async <Reader extends { read: (row: SheetRow) => void }>(
  file: SheetFile,
  { bytes, rows }: Limits,
  isBusy: () => boolean,
  open: (row: SheetRow) => Reader | null,
): Promise<Reader | null> => {
  const format = requireFormat(file, bytes);
  let reader: Reader | null = null;
  let count = 0;
  try {
    for await (const row of readSheet(format, file.bytes, { isBusy })) {
      if (++count > rows.most) failFields({ file: { code: rows.code, params: rows.params } });
      if (reader) reader.read(row);
      else {
        reader = open(row);
        if (reader === null && count === lookAhead) break;
      }
    }
  } catch (error) {
    return failUnreadable(error);
  }
  return reader;
};

interface Titles<Field> {
  /** The field for a title; null if the column is ignored, undefined if the title is unknown. */
  fieldOf: (title: string) => Field | null | undefined;
  codes: { repeated: ErrorCode; unknown: ErrorCode };
}

/**
 * The columns of a sheet by the fields to which its titles belong. All problems of titles and cells
 * are collected, so that a user can correct them together.
 */
export const sheetCells = <Field extends string>(
  header: SheetRow,
  { fieldOf, codes }: Titles<Field>,
) => {
  const problems: SheetProblem[] = [];
  const places = new Map<Field, number>();
  const found = { problems, problems_total: 0 };
  const addAt = (line: number, at: number, value: string, reason: SheetProblem['reason']): void => {
    found.problems_total++;
    if (problems.length < mostPriceSheetProblems)
      problems.push({
        line,
        column: columnLetters(at),
        title: header.cells[at] ?? '',
        value,
        reason,
      });
  };
  for (const [at, title] of header.cells.entries()) {
    const field = title === '' ? null : fieldOf(title);
    if (field === null) continue;
    if (field !== undefined && !places.has(field)) places.set(field, at);
    else
      addAt(header.line, at, title, {
        code: field === undefined ? codes.unknown : codes.repeated,
        params: {},
      });
  }
  const textOf = ({ cells }: SheetRow, field: Field): string =>
    cells[places.get(field) ?? -1] ?? '';
  return {
    found,
    fields: places as ReadonlyMap<Field, number>,
    /** The text of a field in a row; empty if the sheet has no column for the field. */
    textOf,
    /** Records a problem with the value of a field in a line. */
    add: (line: number, field: Field, value: string, reason: SheetProblem['reason']): void =>
      addAt(line, places.get(field) ?? 0, value, reason),
  };
};
