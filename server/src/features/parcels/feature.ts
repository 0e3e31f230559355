import { calls as addressCalls } from '@waystation/contract/parcels/address-calls.schema.ts';
import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls } from '@waystation/contract/parcels/express-calls.schema.ts';
import { calls as outcomeCalls } from '@waystation/contract/parcels/order-outcome.schema.ts';
import { feature } from '#feature.ts';
import { expressTasks } from '#domain/express/express.ts';
import { route } from '#platform/http/route.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { checkNames, parse } from './address.ts';
import { bulkList, preview, trackOne } from './bulk.ts';
import { ofExpress } from './calls.ts';
import * as charges from './charges.ts';
import { printByComponent } from './component-labels.ts';
import { counts } from './counts.ts';
import * as coverage from './coverage.ts';
import * as details from './details.ts';
import * as exceptions from './exceptions.ts';
import { parcelExport } from './export.ts';
import * as expresses from './expresses.ts';
import { foundInParcels } from './find-parcels.ts';
import { print } from './labels.ts';
import { list } from './list.ts';
import * as orderForm from './order-form.ts';
import * as orderOutcomes from './order-outcomes.ts';
import * as outcome from './outcome.ts';
import { rollUpCounts } from './roll-up.ts';
import { printTestLabel } from './test-label.ts';
import * as waybill from './waybill.ts';

export const parcels = feature(foundInParcels, {
  routes: [
    // Listing parcels writes a row, because searches for a phone are counted.
    route(calls.listExpresses, list),
    route(calls.countExpresses, counts),
    route(calls.expressOptions, orderForm.options),
    route(calls.expressStations, orderForm.stations),
    route(calls.quoteExpress, orderForm.quote),
    route(calls.coverExpress, coverage.cover),
    route(calls.createExpress, expresses.create),
    route(calls.getExpress, expresses.get),
    route(calls.editExpress, expresses.edit),
    route(calls.orderExpress, expresses.order),
    route(calls.retryExpress, expresses.retry),
    route(calls.cancelExpress, expresses.cancel),
    route(calls.reweighExpress, expresses.reweighOne),
    route(calls.countExceptions, exceptions.counts),
    route(calls.trackExpress, trackOne),
    route(calls.handleException, expresses.handle),
    route(calls.chooseWaybill, waybill.choose),
    route(outcomeCalls.listOutcomes, orderOutcomes.list),
    route(outcomeCalls.orderOutcomes, orderOutcomes.ofOrder),
    route(calls.checkOutcome, outcome.check),
    route(calls.decideOutcome, outcome.decide),
    route(calls.readCharge, charges.read),
    route(calls.decideCharge, charges.decide),
    route(calls.revealExpress, expresses.reveal),
    route(calls.traceExpress, details.trace),
    route(calls.priceExpress, details.price),
    route(calls.expressStatements, details.statements),
    route(calls.expressCalls, ofExpress),
    route(calls.printLabels, print),
    route(calls.componentLabels, printByComponent),
    route(calls.testLabel, printTestLabel),
    route(addressCalls.parseAddress, parse),
    route(addressCalls.checkPlace, checkNames),
    route(bulkCalls.previewBulk, preview),
  ],
  tasks: [
    ...expressTasks,
    task('roll_up_counts', noPayload, { attempts: 3, every: '* * * * *' }).runs(rollUpCounts),
  ],
  exports: { expresses: parcelExport },
  bulk: { expresses: bulkList },
});
