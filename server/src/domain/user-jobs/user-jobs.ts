/**
 * Background work for one user (docs/architecture.md): a bulk action with one result for each row,
 * or a file. A job belongs to the account that started it. The effect of an item and its result are
 * written in one transaction, so that a killed worker neither repeats nor loses an item.
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
  jobAnswer,
  jobFor,
  jobsOf,
  openJobs,
  queueJob,
  queueSlice,
  runUserJobTask,
  startJob,
} from './store.ts';
export {
  groupsOf,
  handItem,
  handedItems,
  itemResult,
  itemResults,
  itemsOf,
  nextItems,
  takeItem,
} from './items.ts';
export type { JobRow, WholeJob } from './store.ts';
export type { HandedItem, ItemOutcome } from './items.ts';
