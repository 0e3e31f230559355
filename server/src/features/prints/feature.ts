import { expressStates } from '@waystation/contract/parcels/express.ts';
import { calls } from '@waystation/contract/parcels/print.schema.ts';
import { calls as labelScanCalls } from '@waystation/contract/parcels/label-scan.schema.ts';
import { printDrivers, printResults } from '@waystation/contract/parcels/print.ts';
import { feature } from '#feature.ts';
import { columnsOf, words } from '#domain/user-jobs/user-jobs.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import * as labelScans from './label-scans.ts';
import * as printers from './printers.ts';
import * as handlers from './prints.ts';

export const prints = feature({
  routes: [
    route(calls.listPrints, handlers.list),
    route(calls.countPrints, handlers.counts),
    route(calls.printerFigures, printers.figures),
    route(calls.reportPrint, handlers.report),
    route(labelScanCalls.scanForLabel, labelScans.scan),
    route(labelScanCalls.unverifiedLabels, labelScans.unverified),
    route(labelScanCalls.verifyLabel, labelScans.verify),
  ],
  exports: {
    prints: {
      source: listSource(calls.listPrints, handlers.list, handlers.counts, handlers.walk),
      columns: {
        ...columnsOf(
          'text',
          'delivery_id recipient station_name user_nickname key_name reason format printer note',
        ),
        ...columnsOf(
          'number',
          'id express_id station_id user_id key_id print_count batch_id duration_ms',
        ),
        ...columnsOf('time', 'created_at finished_at verified_at'),
        state_code: words('state_code', expressStates),
        driver: words('driver', printDrivers),
        result: words('result', printResults),
      },
    },
  },
});
