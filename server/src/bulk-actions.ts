import { calls as bulkCalls } from '@waystation/contract/bulk.schema.ts';
import { calls as expressCalls } from '@waystation/contract/express-calls.schema.ts';
import { calls as merchantCalls } from '@waystation/contract/merchant.schema.ts';
import { calls as voucherCalls } from '@waystation/contract/voucher.schema.ts';
import type { App } from './app.ts';
import { namesIn, namesOfParcels, switches } from '#domain/user-jobs/user-jobs.ts';
import { calls as stationCalls } from '@waystation/contract/station.schema.ts';
import type { BulkList } from '#domain/user-jobs/user-jobs.ts';
import { counts as expressCounts } from '#features/parcels/counts.ts';
import { list as expresses } from '#features/parcels/list.ts';
import { walk } from '#features/parcels/walk.ts';
import { cancelInTx, orderInTx, retryInTx } from '#features/parcels/expresses.ts';
import { listSource } from '#platform/http/list-walk.ts';
import * as merchants from '#features/merchants/merchants.ts';
import * as vouchers from '#features/vouchers/vouchers.ts';
import { setStatusInTx } from '#features/stations/changes.ts';
import { list as stations } from '#features/stations/stations.ts';
import * as resources from './resources.ts';

const parcels: BulkList<App> = {
  endpoint: bulkCalls.bulkExpresses,
  source: listSource(expressCalls.listExpresses, expresses, expressCounts, walk),
  nameOf: namesOfParcels,
  actions: {
    cancel: {
      run: (app, tx, actor, id, { reason }, origin) => cancelInTx(app, tx, actor, { id, reason }, origin),
      needsReason: true,
      skips: ['cannot_cancel', 'already_intercepting'],
    },
    retry: { run: (app, tx, actor, id, _, origin) => retryInTx(app, tx, actor, id, origin), skips: ['state_forbids'] },
    order: { run: (app, tx, actor, id, _, origin) => orderInTx(app, tx, actor, id, origin), skips: ['state_forbids'] },
  },
};

const ofResources = Object.fromEntries(Object.entries(resources).map(([name, { bulkList }]) => [name, bulkList]));

/** Lists whose rows can be acted on together, by name. */
export const bulkLists: Readonly<Record<string, BulkList<App>>> = {
  ...ofResources,
  expresses: parcels,
  stations: {
    endpoint: bulkCalls.bulkStations,
    source: listSource(stationCalls.listStations, stations),
    nameOf: namesIn('stations', 'name', 'id'),
    actions: switches(setStatusInTx),
  },
  merchants: {
    endpoint: bulkCalls.bulkMerchants,
    source: listSource(merchantCalls.listMerchants, merchants.list),
    nameOf: namesIn('merchants', 'name'),
    actions: switches(merchants.setStatusInTx),
  },
  vouchers: {
    endpoint: bulkCalls.bulkVouchers,
    source: listSource(voucherCalls.listVouchers, vouchers.list),
    nameOf: namesIn('vouchers', 'name'),
    actions: switches(vouchers.setStatusInTx),
  },
};
