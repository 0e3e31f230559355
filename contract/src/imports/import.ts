import { endpoint } from '#base/endpoint.ts';
import { mostImportBytes } from '#base/limits.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './import.schema.ts';
export type { ImportPickup } from './import-pickup.schema.ts';
export type {
  Import,
  ImportColumn,
  ImportProblem,
  ImportQuote,
  ImportRow,
  ImportValues,
} from './import.schema.ts';

const base = '/api/arco/imports';

/**
 * The statuses of an import. `reading`: the file is being read. `mapping`: a user must match its
 * columns. `checking`: its rows are being checked. `ready`: the user can correct rows and confirm
 * the order. `ordering`, `done`. `paused`: by a user, or because orders cannot continue (`reason`).
 * `failed`: the file cannot be read. `cancelled`: the remaining rows are never ordered.
 */
export const importStatuses = {
  reading: { zh: '读取中', en: 'Reading' },
  mapping: { zh: '待匹配列', en: 'Columns to match' },
  checking: { zh: '检查中', en: 'Checking' },
  ready: { zh: '待下单', en: 'Ready to order' },
  ordering: { zh: '下单中', en: 'Ordering' },
  paused: { zh: '已暂停', en: 'Paused' },
  done: { zh: '已完成', en: 'Done' },
  cancelled: { zh: '已取消', en: 'Cancelled' },
  failed: { zh: '失败', en: 'Failed' },
} as const;
export type ImportStatus = keyof typeof importStatuses;

/**
 * The fields that a column of a sheet can be matched to. `receive_text` is one free text with some
 * or all of name, phone and address of the recipient.
 */
export const importFields = [
  'receive_text',
  'receive_name',
  'receive_phone',
  'receive_province',
  'receive_city',
  'receive_county',
  'receive_address',
  'goods',
  'weight',
  'package_count',
  'promise_id',
  'guarantee_value_amount',
  'length',
  'width',
  'height',
  'thr_order_id',
  'remark',
  'description',
  'sender_name',
  'sender_phone',
  'sender_province',
  'sender_city',
  'sender_county',
  'sender_address',
] as const;
export type ImportField = (typeof importFields)[number];

/**
 * The marks of rows, one letter each. Before the order: the row is correct, was corrected (the old
 * value is shown), has a warning, has an error, or was excluded by the user. Afterwards: it waits
 * for its order, was ordered (even if its parcel awaits funds), or was refused (for the reason in
 * `reason`).
 */
export const importMarks = {
  ok: 'o',
  repaired: 'r',
  warning: 'w',
  error: 'e',
  excluded: 'x',
  waiting: 'q',
  ordered: 'd',
  refused: 'f',
} as const;
export type ImportMark = keyof typeof importMarks;

/** The value of `title_row` if the sheet has no title row. */
export const noTitles = -1;

/**
 * The severity of a problem in a cell. `error`: the row cannot be ordered. `warning`: it is shown,
 * and the row can be ordered. `repaired`: the text was corrected.
 */
export const importLevels = ['error', 'warning', 'repaired'] as const;

export const listImports = endpoint<typeof schemas.listImports>({
  method: 'GET',
  path: base,
  roles: everyone,
  summary: 'Imports within the caller’s scope, newest first.',
});

/**
 * Uploads a sheet as .xlsx or .csv (UTF-8, UTF-16, GB18030; comma, semicolon or tab, as when pasted
 * from a spreadsheet). At most 20 MB and 100,000 rows, as multipart/form-data with the fields below
 * and the `file`. The sheet is read in the background. If the same user uploads the same file for
 * the same station again, the call returns the existing import, unless `again` is 1.
 */
export const createImport = endpoint<typeof schemas.createImport>({
  method: 'POST',
  path: base,
  roles: everyone,
  takes: 'form',
  bodyLimit: mostImportBytes + 1024 * 1024,
  summary: 'Upload a sheet of parcels.',
});

export const getImport = endpoint<typeof schemas.getImport>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'An import with its progress, columns, counts and quote.',
});

export const importMarksOf = endpoint<typeof schemas.importMarksOf>({
  method: 'GET',
  path: `${base}/{id}/marks`,
  roles: everyone,
  summary: 'What every row is, one letter a row in the order of the file.',
});

export const listImportRows = endpoint<typeof schemas.listImportRows>({
  method: 'GET',
  path: `${base}/{id}/rows`,
  roles: everyone,
  summary:
    'Rows of an import in the order of the file: by their numbers (at most 200), or page by page with a filter.',
});

export const changeImportRow = endpoint<typeof schemas.changeImportRow>({
  method: 'PATCH',
  path: `${base}/{id}/rows/{row}`,
  roles: everyone,
  summary:
    'Change cells of a row, or leave it out; this row alone is checked again, and those that repeat it.',
});

export const revealImportRow = endpoint<typeof schemas.revealImportRow>({
  method: 'POST',
  path: `${base}/{id}/rows/{row}/reveal`,
  roles: everyone,
  summary: 'A row with its phones whole; audited.',
});

/**
 * Rows that were changed with `set`, `fill` or `replace` are checked again; if there are more than
 * 2,000, in the background.
 */
export const changeImportRows = endpoint<typeof schemas.changeImportRows>({
  method: 'POST',
  path: `${base}/{id}/edits`,
  roles: everyone,
  summary:
    'Set a field of many rows, take a suggested correction in all of them, find and replace, or leave rows out.',
});

/**
 * Undoes the last edit of an import: changed texts, or excluded or included rows. At most the last
 * 100 edits can be undone, and together they may change at most 100,000 rows.
 */
export const undoImportEdit = endpoint<typeof schemas.undoImportEdit>({
  method: 'POST',
  path: `${base}/{id}/undo`,
  roles: everyone,
  summary:
    'Take back the last edit of rows, also one of another user. Rows that were ordered since stay.',
});

export const redoImportEdit = endpoint<typeof schemas.redoImportEdit>({
  method: 'POST',
  path: `${base}/{id}/redo`,
  roles: everyone,
  summary: 'Make the edit again that was taken back last.',
});

export const importHead = endpoint<typeof schemas.importHead>({
  method: 'GET',
  path: `${base}/{id}/head`,
  roles: everyone,
  summary:
    'The first rows of the sheet, of which one may have the titles, while its columns can be matched.',
});

export const sampleImport = endpoint<typeof schemas.sampleImport>({
  method: 'POST',
  path: `${base}/{id}/sample`,
  roles: everyone,
  summary: 'What the first rows become with these columns and this row of titles. Changes nothing.',
});

export const mapImport = endpoint<typeof schemas.mapImport>({
  method: 'POST',
  path: `${base}/{id}/mapping`,
  roles: everyone,
  summary:
    'Say which column is what, and which row has the titles; then every row is checked. The choice is remembered for sheets alike. Another sheet, and the rows below another row of titles, are read anew.',
});

export const quoteImport = endpoint<typeof schemas.quoteImport>({
  method: 'POST',
  path: `${base}/{id}/quote`,
  roles: everyone,
  summary:
    'Price every row that can be ordered, in the background; `quote` of the import then says what it comes to and what the balance covers.',
});

export const confirmImport = endpoint<typeof schemas.confirmImport>({
  method: 'POST',
  path: `${base}/{id}/confirm`,
  roles: everyone,
  idempotency: 'required',
  summary:
    'Order all rows that can be ordered, or those that the balance covers, in the order of the file.',
});

export const pauseImport = endpoint<typeof schemas.pauseImport>({
  method: 'POST',
  path: `${base}/{id}/pause`,
  roles: everyone,
  summary: 'Order no further row for now.',
});

export const resumeImport = endpoint<typeof schemas.resumeImport>({
  method: 'POST',
  path: `${base}/{id}/resume`,
  roles: everyone,
  summary: 'Go on with a paused import.',
});

/**
 * The parcels of the import are not cancelled with it. Until their pickup they can be cancelled in
 * the parcel list, which finds them by `import_id`.
 */
export const cancelImport = endpoint<typeof schemas.cancelImport>({
  method: 'POST',
  path: `${base}/{id}/cancel`,
  roles: everyone,
  summary: 'Order no further row, and let the same file be uploaded again.',
});

export const failedImportRows = endpoint<typeof schemas.failedImportRows>({
  method: 'GET',
  path: `${base}/{id}/failed.xlsx`,
  roles: everyone,
  answers: 'file',
  summary:
    'Rows that were refused, by the carrier too, or cannot be ordered, in the layout of the file, with a last column that says why.',
});

export const importTemplate = endpoint<typeof schemas.importTemplate>({
  method: 'GET',
  path: `${base}/template.xlsx`,
  roles: everyone,
  answers: 'file',
  summary: 'An empty sheet with titles, lists of what may be chosen, and examples.',
});
