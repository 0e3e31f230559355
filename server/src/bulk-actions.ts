import { calls as bulkCalls } from '@waystation/contract/bulk.schema.ts';
import { calls as merchantCalls } from '@waystation/contract/merchant.schema.ts';
import { calls as voucherCalls } from '@waystation/contract/voucher.schema.ts';
import type { App } from './app.ts';
import { namesIn, switches } from '#domain/user-jobs/user-jobs.ts';
import { calls as stationCalls } from '@waystation/contract/station.schema.ts';
import type { BulkList } from '#domain/user-jobs/user-jobs.ts';
import { bulkList as expresses } from '#features/parcels/bulk.ts';
import { listSource } from '#platform/http/list-walk.ts';
import * as merchants from '#features/merchants/merchants.ts';
import * as vouchers from '#features/vouchers/vouchers.ts';
import { bulkPrice } from '#features/stations/bulk-price.ts';
import { setStatusInTx } from '#features/stations/changes.ts';
import { list as stations } from '#features/stations/stations.ts';
import * as resources from './resources.ts';

const ofResources = Object.fromEntries(Object.entries(resources).map(([name, { bulkList }]) => [name, bulkList]));

/** Lists whose rows can be acted on together, by name. */
export const bulkLists: Readonly<Record<string, BulkList<App>>> = {
  ...ofResources,
  expresses,
  stations: {
    endpoint: bulkCalls.bulkStations,
    source: listSource(stationCalls.listStations, stations),
    nameOf: namesIn('stations', 'name', 'id'),
    actions: { ...switches(setStatusInTx, 'stations', 'id'), price: bulkPrice },
  },
  merchants: {
    endpoint: bulkCalls.bulkMerchants,
    source: listSource(merchantCalls.listMerchants, merchants.list),
    nameOf: namesIn('merchants', 'name'),
    actions: switches(merchants.setStatusInTx, 'merchants'),
  },
  vouchers: {
    endpoint: bulkCalls.bulkVouchers,
    source: listSource(voucherCalls.listVouchers, vouchers.list),
    nameOf: namesIn('vouchers', 'name'),
    actions: switches(vouchers.setStatusInTx, 'vouchers'),
  },
};
