import type { App } from './app.ts';
import { bulkLists } from './bulk-actions.ts';
import { undoActions } from './undo-actions.ts';
import { exportLists } from './exports.ts';
import { calls as alertCalls } from '@waystation/contract/alert.schema.ts';
import { calls as outageCalls } from '@waystation/contract/outage.schema.ts';
import { calls as aboutCalls } from '@waystation/contract/about.schema.ts';
import { calls as addressCalls } from '@waystation/contract/address-calls.schema.ts';
import { calls as undoCalls } from '@waystation/contract/undo.schema.ts';
import { calls as audit } from '@waystation/contract/audit.schema.ts';
import { calls as account } from '@waystation/contract/account.schema.ts';
import { calls as cargo } from '@waystation/contract/cargo.schema.ts';
import { calls as bulkCalls } from '@waystation/contract/bulk.schema.ts';
import { calls as eventCalls } from '@waystation/contract/events.schema.ts';
import { calls as exportsCalls } from '@waystation/contract/exports.schema.ts';
import { calls as express } from '@waystation/contract/express-calls.schema.ts';
import { calls as merchant } from '@waystation/contract/merchant.schema.ts';
import { calls as project } from '@waystation/contract/project.schema.ts';
import { calls as importCalls } from '@waystation/contract/import.schema.ts';
import { calls as inboxCalls } from '@waystation/contract/inbox.schema.ts';
import { calls as job } from '@waystation/contract/jobs.schema.ts';
import { calls as reconciliation } from '@waystation/contract/reconciliation.schema.ts';
import { calls as voucher } from '@waystation/contract/voucher.schema.ts';
import { calls as printCalls } from '@waystation/contract/print.schema.ts';
import { calls as own } from '@waystation/contract/profile.schema.ts';
import { calls as preferencesCalls } from '@waystation/contract/preferences.schema.ts';
import { calls as station } from '@waystation/contract/station.schema.ts';
import { calls as stationSetup } from '@waystation/contract/station-setup.schema.ts';
import { calls as stationStatement } from '@waystation/contract/station-statement.schema.ts';
import { calls as setting } from '@waystation/contract/setting-calls.schema.ts';
import { calls as statement } from '@waystation/contract/statement.schema.ts';
import { calls as sessionCalls } from '@waystation/contract/session.schema.ts';
import { calls as view } from '@waystation/contract/views.schema.ts';
import { calls as workplace } from '@waystation/contract/workplace.schema.ts';
import * as alerts from '#features/workplace/alerts.ts';
import * as accounts from '#features/people/accounts.ts';
import { describe } from '#features/setup/about.ts';
import { checkNames, parse } from '#features/parcels/address.ts';
import * as changes from '#features/people/audit.ts';
import * as billRows from '#features/reconciliation/bill-rows.ts';
import * as cargoImport from '#features/setup/cargo-import.ts';
import { putInOrder } from '#features/setup/cargo-order.ts';
import * as coverage from '#features/parcels/coverage.ts';
import * as orderForm from '#features/parcels/order-form.ts';
import * as details from '#features/parcels/details.ts';
import { ofExpress as callsOfExpress } from '#features/parcels/calls.ts';
import { counts } from '#features/parcels/counts.ts';
import { answerList } from '#features/parcels/list.ts';
import * as expressWaybill from '#features/parcels/waybill.ts';
import * as orderOutcome from '#features/parcels/outcome.ts';
import * as charges from '#features/parcels/charges.ts';
import * as exceptions from '#features/parcels/exceptions.ts';
import * as expresses from '#features/parcels/expresses.ts';
import { events } from '#features/events/events.ts';
import * as imports from '#features/imports/imports.ts';
import * as inbox from '#features/inbox/inbox.ts';
import { startCount } from '#features/user-jobs/counts.ts';
import { startExport } from '#features/user-jobs/exports.ts';
import * as jobs from '#features/user-jobs/jobs.ts';
import { printByComponent } from '#features/parcels/component-labels.ts';
import { print } from '#features/parcels/labels.ts';
import { printTestLabel } from '#features/parcels/test-label.ts';
import * as printers from '#features/prints/printers.ts';
import * as prints from '#features/prints/prints.ts';
import { unblockOne } from '#features/money/ledger-blocks.ts';
import { compareHead, proof, proofs } from '#features/money/ledger-proof.ts';
import { logIn } from '#features/people/login.ts';
import * as voucherImpact from '#features/vouchers/impact.ts';
import * as voucherPrices from '#features/vouchers/price-sheets.ts';
import * as voucherQuote from '#features/vouchers/quote.ts';
import * as voucherVersions from '#features/vouchers/versions.ts';
import * as vouchers from '#features/vouchers/vouchers.ts';
import * as merchantCalls from '#features/merchants/calls.ts';
import { endPreviousAddress, pushAddress, replacePushAddress } from '#features/merchants/push-address.ts';
import * as merchants from '#features/merchants/merchants.ts';
import * as network from '#features/setup/settings.ts';
import * as decisions from '#features/money/decisions.ts';
import * as movements from '#features/money/movements.ts';
import * as outages from '#features/merchants/outages.ts';
import * as periods from '#features/money/periods.ts';
import * as preferences from '#features/people/preferences.ts';
import * as stationChanges from '#features/stations/changes.ts';
import * as stationPreviews from '#features/stations/previews.ts';
import * as undo from '#features/people/undo.ts';
import * as stationSetups from '#features/stations/setups.ts';
import * as stationStatements from '#features/money/station-statements.ts';
import * as stations from '#features/stations/stations.ts';
import * as schemeStations from '#features/schemes/project-stations.ts';
import * as profile from '#features/people/profile.ts';
import * as reconciliations from '#features/reconciliation/reconciliations.ts';
import * as twoFactor from '#features/people/two-factor.ts';
import { logOut, menuOf } from '#features/people/session.ts';
import * as statements from '#features/money/statements.ts';
import { topUpOne } from '#features/money/top-ups.ts';
import * as views from '#features/people/views.ts';
import * as boards from '#features/workplace/boards.ts';
import { board } from '#features/workplace/workplace.ts';
import { preview as previewBulk, trackOne } from '#features/parcels/bulk.ts';
import { previewBulk as previewRows, startBulk } from '#domain/user-jobs/user-jobs.ts';
import * as resources from './resources.ts';
import { limitLists } from '#platform/http/list-limits.ts';
import { route } from '#platform/http/route.ts';
import type { Route } from '#platform/http/route.ts';

/** Endpoint → handler. Roles and shapes stand with the endpoints in contract/. */
const all: readonly Route<App>[] = [
  ...Object.values(resources).flatMap(({ routes }) => routes),
  route(aboutCalls.about, describe),
  route(sessionCalls.login, logIn),
  route(sessionCalls.logout, logOut),
  route(sessionCalls.personal, profile.details),
  route(sessionCalls.serverMenu, menuOf),

  route(own.editPersonal, profile.edit),
  route(own.changePassword, profile.changePassword),
  route(own.personalSessions, profile.sessions),
  route(own.revokeSession, profile.revoke),
  route(own.secondFactor, twoFactor.state),
  route(own.startSecondFactor, twoFactor.start),
  route(own.confirmSecondFactor, twoFactor.confirm),
  route(own.renewRecoveryCodes, twoFactor.renewCodes),
  route(own.endSecondFactor, twoFactor.end),
  route(preferencesCalls.readPreferences, preferences.read),
  route(preferencesCalls.writePreference, preferences.write),
  route(workplace.workplace, board),
  route(workplace.moneyBoard, boards.money),
  route(workplace.balanceBoard, boards.balances),
  route(workplace.billBoard, boards.bills),
  route(workplace.stationBoard, boards.stations),
  route(alertCalls.closeAlert, alerts.close),
  route(outageCalls.carrierOutages, outages.list),

  // A search for a phone is counted, which writes.
  route(express.listExpresses, answerList, (query) => !('q' in query)),
  route(express.countExpresses, counts),
  route(express.expressOptions, orderForm.options),
  route(express.expressStations, orderForm.stations),
  route(express.quoteExpress, orderForm.quote),
  route(express.coverExpress, coverage.cover),
  route(express.createExpress, expresses.create),
  route(express.getExpress, expresses.get),
  route(express.editExpress, expresses.edit),
  route(express.orderExpress, expresses.order),
  route(express.retryExpress, expresses.retry),
  route(express.cancelExpress, expresses.cancel),
  route(express.reweighExpress, expresses.reweighOne),
  route(express.countExceptions, exceptions.counts),
  route(express.trackExpress, trackOne),
  route(express.handleException, expresses.handle),
  route(express.chooseWaybill, expressWaybill.choose),
  route(express.checkOutcome, orderOutcome.check),
  route(express.decideOutcome, orderOutcome.decide),
  route(express.readCharge, charges.read),
  route(express.decideCharge, charges.decide),
  route(express.revealExpress, expresses.reveal),
  route(express.traceExpress, details.trace),
  route(express.priceExpress, details.price),
  route(express.expressStatements, details.statements),
  route(express.expressCalls, callsOfExpress),
  route(express.printLabels, print),
  route(express.componentLabels, printByComponent),
  route(express.testLabel, printTestLabel),
  route(printCalls.listPrints, prints.list),
  route(printCalls.countPrints, prints.counts),
  route(printCalls.printerFigures, printers.figures),
  route(printCalls.reportPrint, prints.report),
  route(addressCalls.parseAddress, parse),
  route(addressCalls.checkPlace, checkNames),

  route(cargo.orderCargos, putInOrder),
  route(cargo.readCargoSheet, cargoImport.readSheet),
  route(cargo.importCargos, cargoImport.importRows),

  route(merchant.listMerchants, merchants.list),
  route(merchant.getMerchant, merchants.get),
  route(merchant.createMerchant, merchants.create),
  route(merchant.editMerchant, merchants.edit),
  route(merchant.setMerchantStatus, merchants.switchStatus),
  route(merchant.makeDefaultMerchant, merchants.makeDefault),
  route(merchant.testMerchant, merchantCalls.test),
  route(merchant.merchantPushAddress, pushAddress),
  route(merchant.replaceMerchantPushAddress, replacePushAddress),
  route(merchant.endPreviousPushAddress, endPreviousAddress),
  route(merchant.resumeMerchant, merchants.resume),
  route(merchant.merchantUsage, merchants.usage),
  route(merchant.merchantCalls, merchantCalls.list),
  route(station.listStations, stations.list),
  route(station.stationProvinces, stations.provinces),
  route(station.getStation, stations.get),
  route(station.stationUsage, stations.usage),
  route(stationSetup.listStationSetups, stationSetups.list),
  route(stationSetup.getStationSetup, stationSetups.get),
  route(stationSetup.beginStationSetup, stationSetups.begin),
  route(stationSetup.endStationSetup, stationSetups.end),
  route(station.createStation, stationChanges.create),
  route(station.editStation, stationChanges.edit),
  route(station.setStationStatus, stationChanges.switchStatus),
  route(station.moveStation, stationChanges.move),
  route(station.previewMove, stationPreviews.previewMove),
  route(station.previewStationPrice, stationPreviews.previewPrice),

  route(project.schemeStations, schemeStations.stations),
  route(project.previewProject, schemeStations.preview),
  route(project.assignProject, schemeStations.assign),
  route(project.splitProject, schemeStations.split),
  route(account.listAccounts, accounts.list),
  route(account.getAccount, accounts.get),
  route(account.createAccount, accounts.create),
  route(account.editAccount, accounts.edit),
  route(account.setAccountStatus, accounts.switchStatus),
  route(account.resetPassword, accounts.resetPassword),
  route(account.accountSessions, accounts.sessions),
  route(account.revokeAccountSessions, accounts.revokeSessions),
  route(account.resetSecondFactor, accounts.resetSecondFactor),

  route(voucher.listVouchers, vouchers.list),
  route(voucher.getVoucher, vouchers.get),
  route(voucher.createVoucher, vouchers.create),
  route(voucher.editVoucher, vouchers.edit),
  route(voucher.setVoucherStatus, vouchers.switchStatus),
  route(voucher.voucherUsage, vouchers.usage),
  route(voucher.voucherUses, vouchers.uses),
  route(voucher.copyVoucher, vouchers.copy),
  route(voucher.publishVoucher, voucherVersions.publish),
  route(voucher.listVoucherVersions, voucherVersions.list),
  route(voucher.getVoucherVersion, voucherVersions.get),
  route(voucher.compareVoucher, voucherVersions.compare),
  route(voucher.quoteVoucher, voucherQuote.quote),
  route(voucher.checkVoucher, voucherQuote.check),
  route(voucher.startImpact, voucherImpact.start),
  route(voucher.getImpact, voucherImpact.get),
  route(voucher.voucherPricesFile, voucherPrices.file),
  route(voucher.readVoucherPrices, voucherPrices.read),

  route(statement.listStatements, statements.list),
  route(statement.countStatements, statements.counts),
  route(statement.statementJournal, statements.journal),
  route(statement.topUpStation, topUpOne),
  route(statement.proveLedger, proof),
  route(stationStatement.stationStatementSummary, stationStatements.summary),
  route(stationStatement.stationStatement, stationStatements.file),
  route(stationStatement.confirmStatement, stationStatements.confirm),
  route(stationStatement.listConfirmations, stationStatements.confirmations),
  route(stationStatement.compareChainHead, compareHead),
  route(stationStatement.ledgerStanding, stationStatements.ledgerStatus),

  route(importCalls.listImports, imports.list),
  route(importCalls.createImport, imports.create),
  route(importCalls.importTemplate, imports.template),
  route(importCalls.getImport, imports.get),
  route(importCalls.importMarksOf, imports.marks),
  route(importCalls.listImportRows, imports.rows),
  route(importCalls.changeImportRow, imports.changeRow),
  route(importCalls.revealImportRow, imports.reveal),
  route(importCalls.changeImportRows, imports.changeRows),
  route(importCalls.undoImportEdit, imports.undo),
  route(importCalls.redoImportEdit, imports.redo),
  route(importCalls.importHead, imports.head),
  route(importCalls.sampleImport, imports.sample),
  route(importCalls.mapImport, imports.map),
  route(importCalls.quoteImport, imports.quote),
  route(importCalls.confirmImport, imports.confirm),
  route(importCalls.pauseImport, imports.pause),
  route(importCalls.resumeImport, imports.resume),
  route(importCalls.cancelImport, imports.cancel),
  route(importCalls.failedImportRows, imports.failedRows),
  route(reconciliation.listReconciliations, reconciliations.list),
  route(reconciliation.createReconciliation, reconciliations.create),
  route(reconciliation.getReconciliation, reconciliations.get),
  route(reconciliation.listBillRows, reconciliations.lines),
  route(reconciliation.mapReconciliation, reconciliations.map),
  route(reconciliation.setTolerances, reconciliations.tolerate),
  route(reconciliation.acceptBillRows, billRows.accept),
  route(reconciliation.disputeBillRows, billRows.dispute),
  route(reconciliation.disputedFile, reconciliations.disputes),
  route(reconciliation.discardReconciliation, reconciliations.discard),
  route(reconciliation.payCarrier, reconciliations.pay),
  route(reconciliation.listPeriods, periods.list),
  route(reconciliation.closePeriod, periods.close),
  route(reconciliation.reopenPeriod, periods.reopen),
  route(reconciliation.explainMissingBill, periods.explainMissingBill),
  route(workplace.ledgerProofs, proofs),

  route(audit.listAudit, changes.list),
  route(audit.countAudit, changes.counts),
  route(audit.expressAudit, changes.ofExpress),
  route(undoCalls.readUndo, undo.read(undoActions)),
  route(undoCalls.undoChange, undo.undo(undoActions)),
  route(view.listViews, views.list),
  route(view.createView, views.create(exportLists)),
  route(view.editView, views.edit),
  route(view.removeView, views.remove),
  route(exportsCalls.requestExport, startExport(exportLists)),
  route(eventCalls.liveEvents, events),
  route(inboxCalls.readInbox, inbox.read),
  route(inboxCalls.markInboxRead, inbox.mark),
  route(job.listJobs, jobs.list),
  route(job.countList, startCount(exportLists)),
  route(job.getJob, jobs.get),
  route(job.getJobFile, jobs.file),
  route(job.retryJob, jobs.retry),
  route(bulkCalls.previewBulk, previewBulk),
  route(bulkCalls.previewRows, previewRows(bulkLists)),
  ...Object.entries(bulkLists).map(([list, bulk]) => route(bulk.endpoint, startBulk(list, bulk))),
  route(statement.unblockStation, unblockOne),
  route(statement.requestWithdrawal, movements.withdraw),
  route(statement.withdrawFromClosed, movements.withdrawFromClosed),
  route(statement.adjustStation, movements.adjust),
  route(statement.refundExpress, movements.refund),
  route(statement.payOutExpress, movements.payOut),
  route(statement.approveStatement, decisions.approve),
  route(statement.declineStatement, decisions.decline),
  route(statement.retractStatement, decisions.retract),
  route(statement.reverseStatement, decisions.reverse),
  route(setting.listSettings, network.list),
  route(setting.moneyLimits, network.limits),
  route(setting.paymentAccount, network.paymentAccount),
  route(setting.editSetting, network.edit),
  route(setting.confirmRaise, network.confirm),
  route(setting.cancelRaise, network.cancel),
];

/** The whole HTTP surface; lists within their bounds. */
export const routes = limitLists(all);
