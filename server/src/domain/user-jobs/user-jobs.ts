/**
 * Background work for one user (docs/architecture.md): a bulk action with one result per row,
 * or a file. A job belongs to the account that started it; each item is processed in one
 * transaction with its effect, so that a killed worker repeats none and loses none.
 */
export { chosenIds, refusalOf, startBulk, switches } from './bulk.ts';
export { previewBulk } from './preview.ts';
export type { BulkAction, BulkList, BulkValues, Outcome } from './bulk.ts';
export { namesIn, namesOfParcels, namesOfTiers } from './bulk-names.ts';
export {
  columnsOf,
  fieldsOf,
  flags,
  joined,
  madeOf,
  onOff,
  reasoned,
  words,
} from './export-columns.ts';
export type { ExportList, ExportLists } from './export-columns.ts';
export {
  fileOf,
  isPersonFileOver,
  storeFile,
  countedJob,
  storedFile,
  removeOldFiles,
  removeOldJobs,
} from './files.ts';
export {
  addUndone,
  answerJob,
  countUndone,
  finishJob,
  groupsOf,
  handItem,
  handedItems,
  itemResult,
  itemResults,
  jobAnswer,
  jobFor,
  jobsOf,
  itemsOf,
  nextItems,
  openJobs,
  queueJob,
  queueSlice,
  runUserJobTask,
  startJob,
  takeItem,
} from './store.ts';
export type { HandedItem, ItemOutcome, JobRow, WholeJob } from './store.ts';
