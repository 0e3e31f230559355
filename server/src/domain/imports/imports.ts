/**
 * Sheets of parcels that users upload. A sheet is read in a thread, its columns are found, and
 * every row is checked, repaired and priced. Each row is ordered once, in the order of the file.
 * Callers open their transactions with the actor's scope. Weights are in grams, amounts in fen.
 */
import { sendOrder, sendOrderTask } from '#domain/express/express.ts';
import type { TaskHandler } from '#platform/jobs/task.ts';
import { checkImport, abandonChecking } from './checking.ts';
import { atPace } from './pacing.ts';
import { abandonPricing, quoteImport } from './pricing.ts';
import { checkImportTask, quoteImportTask, readImportTask, runImportTask } from './queues.ts';
import { failImport, readImport } from './reading.ts';
import { pauseImport, runImport } from './running.ts';
import type { ImportContext } from './store.ts';

export { headRows, mapColumns, sampleOf } from './columns.ts';
export { changeRow, changeRows } from './edits.ts';
export { failedFile } from './files.ts';
export {
  maskTexts,
  phonesIn,
  requireNoPhoneSearch,
  searchedFields,
  showsPhones,
  unmaskedValues,
} from './masking.ts';
export { templateFile } from './template.ts';
export { requestPrices } from './pricing.ts';
export { cancel, confirm, pause, resume } from './running.ts';
export { takeStep } from './steps.ts';
export type { ReadImport } from './store.ts';
export { importOf, importsOf, marksOf, newestImports, readStored, rowOf, rowsOf } from './store.ts';
export { removeOldImports, storeImport } from './uploads.ts';

export const importTasks: readonly TaskHandler<ImportContext>[] = [
  readImportTask.runs(readImport, { abandon: failImport }),
  checkImportTask.runs(checkImport, { abandon: abandonChecking }),
  quoteImportTask.runs(quoteImport, { abandon: abandonPricing }),
  runImportTask.runs(runImport, { abandon: pauseImport }),
  // Calls for parcels that an import ordered are limited to the pace of their carrier account.
  sendOrderTask.runs(atPace(sendOrder)),
];
