import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import {
  day,
  fen,
  flag,
  id,
  integer,
  listInput,
  listOf,
  reason,
  searchText,
  text,
  time,
  version,
} from '#base/fields.schema.ts';
import { countedReason, offerChoice } from '#network/offer-rule.schema.ts';
import { provider } from '#network/provider.schema.ts';
import { pickupTime } from '#parcels/express.schema.ts';
import { countedPickup, importPickup } from './import-pickup.schema.ts';
import * as endpoints from './import.ts';
import { importFields, importLevels, importMarks, importStatuses, noTitles } from './import.ts';
import {
  mostImportCellChars,
  mostImportColumns,
  mostImportPickups,
  mostImportRows,
  noteLength,
  promiseCodeLength,
} from '#base/limits.ts';

const keysOf = <T extends object>(words: T) =>
  Object.keys(words) as [keyof T & string, ...(keyof T & string)[]];
const field = z.enum(importFields, 'invalid');
const status = z.enum(keysOf(importStatuses), 'invalid');
const mark = z.enum(keysOf(importMarks), 'invalid');
const nullableInt = z.nullable(z.int());

/** A column of the file: its title and a few of its values. */
export const importColumn = z.object({
  index: z.int(),
  title: z.string(),
  samples: z.array(z.string()),
});
export type ImportColumn = z.infer<typeof importColumn>;

/** The index of the column (from 0) that each field is read from. */
const mapping = z.partialRecord(field, integer(0, mostImportColumns - 1));
/** The texts that were typed into the cells, by field. */
const values = z.partialRecord(field, text(0, mostImportCellChars));
export type ImportValues = z.infer<typeof values>;

/**
 * A problem of a field, or of a whole row (`field` null). `was`: the text before a correction.
 * `fixes`: suggested texts, the likeliest first; a key press applies the first.
 */
export const importProblem = z.object({
  field: z.nullable(z.enum(importFields)),
  level: z.enum(importLevels),
  reason,
  was: z.optional(z.string()),
  fixes: z.optional(z.array(z.string())),
});
export type ImportProblem = z.infer<typeof importProblem>;

/** The total price of the rows that can be ordered. Fen, grams. */
export const importQuote = z.object({
  at: time,
  rows: z.int(),
  post_amount: z.int(),
  weight: z.int(),
  /**
   * The number and the total price of the rows for each province of the recipients, the province
   * with the most rows first. `promises` has the same for each product.
   */
  provinces: z.array(z.object({ province: z.string(), rows: z.int(), post_amount: z.int() })),
  promises: z.array(
    z.object({
      promise_id: z.string(),
      promise_name: z.string(),
      promise_name_en: z.string(),
      /** The carrier; absent in quotes of earlier versions, as is `why`. */
      provider: z.optional(provider),
      /** The number of rows for each reason of the choice, the most frequent reason first. */
      why: z.optional(z.array(countedReason)),
      rows: z.int(),
      post_amount: z.int(),
    }),
  ),
  /** The station's available amount now, and (`available_after`) after all rows are ordered. */
  available: z.int(),
  has_amount: flag,
  available_after: z.int(),
  /** The number of rows, from the top, that the balance can pay for, and their total price. */
  covered_rows: z.int(),
  covered_amount: z.int(),
  /**
   * Rows of carriers with pickup windows, grouped by carrier and pickup address, at most five
   * groups, the largest first; `row` is the first row. Absent in quotes of earlier versions.
   */
  pickups: z.optional(z.array(countedPickup)),
});
export type ImportQuote = z.infer<typeof importQuote>;

const counts = z.object({
  ok: z.int(),
  repaired: z.int(),
  warning: z.int(),
  error: z.int(),
  excluded: z.int(),
  waiting: z.int(),
  ordered: z.int(),
  refused: z.int(),
});

/** An uploaded sheet, with the state of its import. */
export const importAnswer = z.object({
  id,
  station_id: z.int(),
  station_name: z.string(),
  user_id: z.int(),
  user_nickname: z.string(),
  /**
   * 1: this reader sees whole phones. 0: phones are masked in every response; the reader can reveal
   * them row by row, and each reveal is audited.
   */
  phones_shown: flag,
  file_name: z.string(),
  file_bytes: z.int(),
  status: z.enum(keysOf(importStatuses)),
  /** Why the import failed or is paused; null otherwise. */
  reason: z.nullable(reason),
  /**
   * The number of rows read so far; `rows_total` is their total when it is known. `rows_checked`:
   * the number of rows checked so far while the import is `checking`.
   */
  rows_read: z.int(),
  rows_total: nullableInt,
  rows_checked: z.int(),
  /** The sheets that have rows; `sheet` is the index of the sheet that was read. Empty for CSV. */
  sheets: z.array(z.object({ name: z.string(), hidden: flag })),
  sheet: nullableInt,
  /**
   * The index of the row with the column titles in the sheet, from 0, without empty rows. −1: the
   * sheet has no titles; null until the row is known.
   */
  header_at: nullableInt,
  /** The number of hidden rows in the sheet; they are excluded until a user includes them. */
  hidden_rows: z.int(),
  columns: z.array(importColumn),
  mapping,
  /** Texts for fields that have no column, or whose cell is empty. */
  defaults: values,
  counts,
  /** The current price quote of the rows; null if they were not priced since the last change. */
  quote: z.nullable(importQuote),
  /** The pickups of the quote; null if the import has no quote, and in lists. */
  pickups: z.nullable(z.array(importPickup)),
  /** 1: the same user or a colleague has already ordered a file with this content. */
  again: flag,
  /**
   * The numbers of ordered rows by the state of their parcel: refused by the carrier, awaiting the
   * carrier's answer, awaiting funds. Null in lists.
   */
  failed_parcels: nullableInt,
  pending_parcels: nullableInt,
  on_hold_parcels: nullableInt,
  /** The number of edits that can be undone; `redo_steps`: the number that can be redone. */
  undo_steps: z.int(),
  redo_steps: z.int(),
  created_at: time,
  confirmed_at: z.nullable(time),
  finished_at: z.nullable(time),
  version: z.int(),
});
export type Import = z.infer<typeof importAnswer>;

export const importRow = z.object({
  /**
   * The ordinal number of the row, counted from 1 below the title row. `line` is its row number in
   * a spreadsheet.
   */
  no: z.int(),
  line: z.int(),
  mark: z.enum(keysOf(importMarks)),
  /** The text of each matched field, after edits and corrections. */
  values,
  problems: z.array(importProblem),
  post_amount: nullableInt,
  cal_weight: nullableInt,
  /** Why the rule chose the product; null: not priced, or the sheet contains the product. */
  choice: z.nullable(offerChoice),
  express_id: nullableInt,
  order_id: z.nullable(z.string()),
  delivery_id: z.nullable(z.string()),
  state_code: nullableInt,
  state_txt: z.nullable(z.string()),
  /** Why the row was refused. */
  reason: z.nullable(reason),
  version: z.int(),
});
export type ImportRow = z.infer<typeof importRow>;

const rowNos = z.array(integer(1, mostImportRows));
/**
 * The rows of an edit: the rows with these numbers, or every row with one of these marks; if both
 * are absent, all rows.
 */
const whichRows = {
  nos: z.optional(
    rowNos.check(z.minLength(1, 'required'), z.maxLength(mostImportRows, 'too_long')),
  ),
  marks: z.optional(z.array(mark).check(z.maxLength(keysOf(importMarks).length, 'too_long'))),
};

/**
 * `changed`: the number of rows whose texts were set back by undo, or set again by redo. `first`:
 * the first of these rows, with the field that differs. Many rows are checked in the background, as
 * after an edit.
 */
const stepAnswer = z.object({
  changed: z.int(),
  first: z.nullable(z.object({ no: z.int(), field: z.nullable(z.enum(importFields)) })),
  import: importAnswer,
});

export const schemas = {
  listImports: {
    input: z.object({
      ...listInput,
      station_id: z.optional(id),
      user_id: z.optional(id),
      status: z.optional(status),
      q: z.optional(searchText),
      created_from: z.optional(day),
      created_to: z.optional(day),
    }),
    output: listOf(importAnswer),
  },
  createImport: {
    input: z.object({ station_id: z.optional(id), again: z.optional(flag) }),
    /** `existed` 1: nothing was stored; the response is the earlier import of the same file. */
    output: z.extend(importAnswer, { existed: flag }),
  },
  getImport: { input: z.object({ id }), output: importAnswer },
  importMarksOf: {
    input: z.object({ id }),
    /**
     * `marks`: one letter of `importMarks` for each row. `version`: the version of the import to
     * which these marks belong.
     */
    output: z.object({ marks: z.string(), version: z.int() }),
  },
  listImportRows: {
    input: z.object({
      id,
      ...listInput,
      /** Row numbers, separated by commas. */
      nos: z.optional(z.string().check(z.regex(/^\d{1,6}(,\d{1,6}){0,199}$/, 'invalid'))),
      mark: z.optional(mark),
      q: z.optional(searchText),
    }),
    output: listOf(importRow),
  },
  changeImportRow: {
    input: z.object({
      id,
      row: integer(1, mostImportRows),
      version,
      values: z.optional(values),
      excluded: z.optional(flag),
    }),
    /**
     * `import_version`, `counts`: the values after the change. `touched`: at most `mostTouchedRows`
     * other rows whose problems changed because they repeat this row.
     */
    output: z.object({
      row: importRow,
      touched: z.array(z.object({ no: z.int(), mark: z.enum(keysOf(importMarks)) })),
      counts,
      undo_steps: z.int(),
      redo_steps: z.int(),
      import_version: z.int(),
    }),
  },
  revealImportRow: {
    input: z.object({ id, row: integer(1, mostImportRows) }),
    output: importRow,
  },
  changeImportRows: {
    input: z.object({
      id,
      version,
      ...whichRows,
      /**
       * `set` and `fill` write `value` into `field`. `take` applies the first suggestion for
       * `field` to problems with `code`. `replace` replaces `find` by `value` in `field` (absent:
       * in every field). `recheck` changes no text. It checks again the rows that have an error in
       * `field` and the text `find` there; `version` is then ignored.
       */
      action: z.enum(['set', 'take', 'replace', 'recheck', 'exclude', 'include'], 'invalid'),
      field: z.optional(field),
      code: z.optional(text(1, promiseCodeLength)),
      find: z.optional(text(1, noteLength)),
      value: z.optional(text(0, mostImportCellChars)),
    }),
    /**
     * `changed`: the number of rows whose texts changed, or that were checked again. The import is
     * `checking` while more than `mostImportRowsAtOnce` rows wait.
     */
    output: z.object({ changed: z.int(), import: importAnswer }),
  },
  undoImportEdit: { input: z.object({ id, version }), output: stepAnswer },
  redoImportEdit: { input: z.object({ id, version }), output: stepAnswer },
  importHead: {
    input: z.object({ id }),
    /**
     * The first twenty rows, including the title row `header_at`; long texts are cut. Empty for a
     * sheet that was read by an older version.
     */
    output: z.object({ rows: z.array(z.object({ line: z.int(), cells: z.array(z.string()) })) }),
  },
  sampleImport: {
    input: z.object({
      id,
      header_at: z.optional(integer(noTitles, mostImportRows)),
      mapping: z.optional(mapping),
      defaults: z.optional(values),
    }),
    output: z.object({
      header_at: z.int(),
      columns: z.array(importColumn),
      /**
       * The mapping of columns: the mapping in the input, or else the stored mapping for these
       * column titles, or else the detected mapping.
       */
      mapping,
      rows: z.array(z.object({ line: z.int(), values, problems: z.array(importProblem) })),
    }),
  },
  mapImport: {
    input: z.object({
      id,
      version,
      /** Another sheet of the workbook to read instead; the given columns are then ignored. */
      sheet: z.optional(integer(0, mostImportColumns)),
      /** The index of another row with the titles: the file is read again from the row below it. */
      header_at: z.optional(integer(noTitles, mostImportRows)),
      mapping,
      defaults: z.optional(values),
    }),
    output: importAnswer,
  },
  quoteImport: { input: z.object({ id, version }), output: importAnswer },
  confirmImport: {
    input: z.object({
      id,
      version,
      /**
       * The amount that the user saw, for all rows or for the covered rows. The call is refused if
       * the present amount differs.
       */
      expected_amount: fen,
      rows: z.enum(['all', 'covered'], 'invalid'),
      /**
       * The chosen pickup windows; `row` is the first row of the pickup. A pickup that is not
       * listed takes place as soon as possible.
       */
      pickups: z.optional(
        z
          .array(
            z.object({
              row: integer(1, mostImportRows),
              pickup_from: pickupTime,
              pickup_until: pickupTime,
            }),
          )
          .check(z.maxLength(mostImportPickups, 'invalid')),
      ),
    }),
    output: importAnswer,
  },
  pauseImport: { input: z.object({ id }), output: importAnswer },
  resumeImport: { input: z.object({ id }), output: importAnswer },
  cancelImport: { input: z.object({ id }), output: importAnswer },
  failedImportRows: {
    input: z.object({ id, language: z.optional(z.enum(['zh', 'en'], 'invalid')) }),
    output: z.unknown(),
  },
  importTemplate: {
    input: z.object({
      station_id: z.optional(id),
      language: z.optional(z.enum(['zh', 'en'], 'invalid')),
    }),
    output: z.unknown(),
  },
};

export const calls = withSchemas(endpoints, schemas);
