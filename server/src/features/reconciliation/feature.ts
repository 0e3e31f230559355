import { calls } from '@waystation/contract/money/reconciliation.schema.ts';
import { feature } from '#feature.ts';
import { reconciliationTasks } from '#domain/reconciliation/reconciliation.ts';
import { route } from '#platform/http/route.ts';
import { accept, billRows, dispute } from './bill-rows.ts';
import { foundBills } from './find-bills.ts';
import * as handlers from './reconciliations.ts';

export const reconciliation = feature(foundBills, {
  routes: [
    route(calls.listReconciliations, handlers.list),
    route(calls.createReconciliation, handlers.create),
    route(calls.getReconciliation, handlers.get),
    route(calls.listBillRows, handlers.lines),
    route(calls.mapReconciliation, handlers.map),
    route(calls.setTolerances, handlers.tolerate),
    route(calls.acceptBillRows, accept),
    route(calls.disputeBillRows, dispute),
    route(calls.disputedFile, handlers.disputes),
    route(calls.discardReconciliation, handlers.discard),
    route(calls.payCarrier, handlers.pay),
  ],
  tasks: reconciliationTasks,
  bulk: { bill_rows: billRows },
});
