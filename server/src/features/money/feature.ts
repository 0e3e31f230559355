import { calls as reconciliationCalls } from '@waystation/contract/money/reconciliation.schema.ts';
import { calls as stationStatementCalls } from '@waystation/contract/money/station-statement.schema.ts';
import { calls } from '@waystation/contract/money/statement.schema.ts';
import { statementStatuses, statementTypes } from '@waystation/contract/money/statement.ts';
import { calls as workplaceCalls } from '@waystation/contract/shell/workplace.schema.ts';
import { feature } from '#feature.ts';
import { ledgerTasks } from '#domain/ledger/ledger.ts';
import { columnsOf, words } from '#domain/user-jobs/user-jobs.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import * as archives from './statement-archives.ts';
import * as decisions from './decisions.ts';
import { foundStatements } from './find-statements.ts';
import { unblockOne } from './ledger-blocks.ts';
import { compareHead, proof, proofs } from './ledger-proof.ts';
import * as movements from './movements.ts';
import * as periods from './periods.ts';
import * as stationStatements from './station-statements.ts';
import * as statements from './statements.ts';
import { topUpOne } from './top-ups.ts';

export const money = feature(foundStatements, {
  routes: [
    route(calls.listStatements, statements.list),
    route(calls.countStatements, statements.counts),
    route(calls.statementJournal, statements.journal),
    route(calls.topUpStation, topUpOne),
    route(calls.proveLedger, proof),
    route(calls.unblockStation, unblockOne),
    route(calls.requestWithdrawal, movements.withdraw),
    route(calls.withdrawFromClosed, movements.withdrawFromClosed),
    route(calls.adjustStation, movements.adjust),
    route(calls.refundExpress, movements.refund),
    route(calls.payOutExpress, movements.payOut),
    route(calls.approveStatement, decisions.approve),
    route(calls.declineStatement, decisions.decline),
    route(calls.retractStatement, decisions.retract),
    route(calls.reverseStatement, decisions.reverse),
    route(stationStatementCalls.stationStatementSummary, stationStatements.summary),
    route(stationStatementCalls.stationStatement, stationStatements.file),
    route(stationStatementCalls.archiveStatements, archives.start),
    route(stationStatementCalls.confirmStatement, stationStatements.confirm),
    route(stationStatementCalls.listConfirmations, stationStatements.confirmations),
    route(stationStatementCalls.compareChainHead, compareHead),
    route(stationStatementCalls.ledgerStanding, stationStatements.ledgerStatus),
    route(reconciliationCalls.listPeriods, periods.list),
    route(reconciliationCalls.closePeriod, periods.close),
    route(reconciliationCalls.periodChanges, periods.changes),
    route(reconciliationCalls.remindPeriod, periods.remind),
    route(reconciliationCalls.reopenPeriod, periods.reopen),
    route(reconciliationCalls.explainMissingBill, periods.explainMissingBill),
    route(workplaceCalls.ledgerProofs, proofs),
  ],
  tasks: ledgerTasks,
  files: { [archives.archiveName]: archives.make },
  exports: {
    statements: {
      source: listSource(calls.listStatements, statements.list, statements.counts, statements.walk),
      columns: {
        ...columnsOf(
          'text',
          'station_name delivery_id description period account_nickname decided_nickname decision_reason',
        ),
        ...columnsOf('number', 'id seq station_id express_id'),
        ...columnsOf(
          'money',
          'amount freeze_amount pre_amount discount_amount guarantee_amount post_amount available balance profit',
        ),
        ...columnsOf('rate', 'discount'),
        ...columnsOf('time', 'created_at updated_at posted_at'),
        type: words('type', statementTypes),
        status: words('status', statementStatuses),
      },
    },
  },
});
