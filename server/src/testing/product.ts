/**
 * The functions of the product that `verify/` uses. This folder is the only part of the server from
 * which `verify/` may import.
 */
export { proveAgainst, proveBooks, proveHead } from '#commands/prove.ts';
export type { Config } from '#config.ts';
export { lineHash } from '#domain/ledger/heads-file.ts';
export type { HeadLine } from '#domain/ledger/heads-file.ts';
export {
  approve,
  blindSpotsOf,
  compareHeads,
  findHead,
  ledgerTasks,
  prove,
  requestWithdrawal,
  topUp,
  writeHeads,
} from '#domain/ledger/ledger.ts';
export { acceptLine, disputeLine, payBill } from '#domain/reconciliation/reconciliation.ts';
export { jsonText, openDb, sql } from '#platform/db/db.ts';
export type { Db, Work } from '#platform/db/db.ts';
export { systemScope } from '#platform/db/scope.ts';
export type { EmbeddedPostgres } from '#platform/embedded/embedded.ts';
export { silentLog } from '#platform/log.ts';
