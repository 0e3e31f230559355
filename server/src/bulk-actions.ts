import { bulkExpresses, bulkMerchants, bulkStations, bulkVouchers } from '@waystation/contract/bulk.ts';
import { listExpresses } from '@waystation/contract/express-calls.ts';
import { listMerchants } from '@waystation/contract/merchant.ts';
import { listVouchers } from '@waystation/contract/voucher.ts';
import type { App } from './app.ts';
import { namesIn, namesOfParcels, switches } from '#domain/user-jobs/user-jobs.ts';
import { listStations } from '@waystation/contract/station.ts';
import type { BulkList } from '#domain/user-jobs/user-jobs.ts';
import { list as expresses } from '#features/parcels/list.ts';
import { cancelInTx, orderInTx, retryInTx } from '#features/parcels/expresses.ts';
import { listSource } from '#platform/http/list-walk.ts';
import * as merchants from '#features/merchants/merchants.ts';
import * as vouchers from '#features/vouchers/vouchers.ts';
import { setStatusInTx } from '#features/stations/changes.ts';
import { list as stations } from '#features/stations/stations.ts';
import * as resources from './resources.ts';

const parcels: BulkList<App> = {
  endpoint: bulkExpresses,
  source: listSource(listExpresses, expresses),
  names: namesOfParcels,
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
  stations: { endpoint: bulkStations, source: listSource(listStations, stations), names: namesIn('stations', 'name', 'id'), actions: switches(setStatusInTx) },
  merchants: {
    endpoint: bulkMerchants,
    source: listSource(listMerchants, merchants.list),
    names: namesIn('merchants', 'name'),
    actions: switches(merchants.setStatusInTx),
  },
  vouchers: {
    endpoint: bulkVouchers,
    source: listSource(listVouchers, vouchers.list),
    names: namesIn('vouchers', 'name'),
    actions: switches(vouchers.setStatusInTx),
  },
};
