/**
 * Sheets of parcels that people upload: read in a thread, their columns found, every row checked and repaired, priced, and ordered in the order of the file,
 * each row once. Callers open their transactions with the actor's scope; weights in grams, amounts in fen.
 */
import type { Task } from '#platform/jobs/jobs.ts';
import { checkImport, giveUpChecking } from './checking.ts';
import { giveUpPricing, quoteImport } from './pricing.ts';
import { failImport, readImport } from './reading.ts';
import { pauseImport, runImport } from './running.ts';
import type { ImportContext } from './store.ts';

export { headRows, mapColumns, sampleOf } from './columns.ts';
export { changeRow, changeRows } from './edits.ts';
export { failedFile } from './files.ts';
export { maskTexts, phonesIn, requireNoPhoneSearch, searchedFields, showsPhones, unmaskedValues } from './masking.ts';
export { atPace } from './pacing.ts';
export { templateFile } from './template.ts';
export { requestPrices } from './pricing.ts';
export { cancel, confirm, pause, resume } from './running.ts';
export { takeStep } from './steps.ts';
export type { ReadImport } from './store.ts';
export { importOf, importsOf, marksOf, readStored, rowOf, rowsOf } from './store.ts';
export { removeOldImports, storeImport } from './uploads.ts';

/** Task name → what it does; a task may run twice, its effect happens once. */
export const importTasks = {
  read_import: readImport,
  check_import: checkImport,
  quote_import: quoteImport,
  run_import: runImport,
} as unknown as Readonly<Record<string, Task<ImportContext>>>;

/** What a task leaves of its import when it is given up: somebody can go on with it. */
export const abandonedImports = { read_import: failImport, check_import: giveUpChecking, quote_import: giveUpPricing, run_import: pauseImport } as const;
