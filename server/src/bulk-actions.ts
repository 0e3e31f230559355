import {
  bulkCargos,
  bulkContacts,
  bulkExpresses,
  bulkGuarantees,
  bulkMerchants,
  bulkProjects,
  bulkPromises,
  bulkStations,
  bulkVouchers,
} from '@waystation/contract/bulk.ts';
import { listCargos } from '@waystation/contract/cargo.ts';
import { listContacts } from '@waystation/contract/contact.ts';
import { listExpresses } from '@waystation/contract/express-calls.ts';
import { listGuarantees } from '@waystation/contract/guarantee.ts';
import { listMerchants } from '@waystation/contract/merchant.ts';
import { listProjects } from '@waystation/contract/project.ts';
import { listPromises } from '@waystation/contract/promise.ts';
import { listVouchers } from '@waystation/contract/voucher.ts';
import { namesIn, namesOfParcels, namesOfTiers } from '#features/user-jobs/bulk-names.ts';
import type { App } from './app.ts';
import { switches } from '#domain/user-jobs/user-jobs.ts';
import { listStations } from '@waystation/contract/station.ts';
import type { BulkList } from '#domain/user-jobs/user-jobs.ts';
import * as cargos from '#features/setup/cargos.ts';
import * as contacts from '#features/stations/contacts.ts';
import { list as expresses } from '#features/parcels/list.ts';
import { cancelInTx, orderInTx, retryInTx } from '#features/parcels/expresses.ts';
import * as guarantees from '#features/setup/guarantees.ts';
import { listSource } from '#platform/http/list-walk.ts';
import * as merchants from '#features/merchants/merchants.ts';
import * as projects from '#features/schemes/projects.ts';
import * as promises from '#features/setup/promises.ts';
import * as vouchers from '#features/vouchers/vouchers.ts';
import { setStatusInTx } from '#features/stations/changes.ts';
import { list as stations } from '#features/stations/stations.ts';

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

/** Lists whose rows can be acted on together, by name: one line for each that is only switched. */
export const bulkLists: Readonly<Record<string, BulkList<App>>> = {
  expresses: parcels,
  stations: { endpoint: bulkStations, source: listSource(listStations, stations), names: namesIn('stations', 'name', 'id'), actions: switches(setStatusInTx) },
  cargos: { endpoint: bulkCargos, source: listSource(listCargos, cargos.list), names: namesIn('cargos', 'name'), actions: switches(cargos.setStatusInTx) },
  promises: {
    endpoint: bulkPromises,
    source: listSource(listPromises, promises.list),
    names: namesIn('promises', 'promise_name'),
    actions: switches(promises.setStatusInTx),
  },
  guarantees: {
    endpoint: bulkGuarantees,
    source: listSource(listGuarantees, guarantees.list),
    names: namesOfTiers,
    actions: switches(guarantees.setStatusInTx),
  },
  projects: {
    endpoint: bulkProjects,
    source: listSource(listProjects, projects.list),
    names: namesIn('projects', 'name'),
    actions: switches(projects.setStatusInTx),
  },
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
  contacts: {
    endpoint: bulkContacts,
    source: listSource(listContacts, contacts.list),
    names: namesIn('contacts', 'name', 'station_id'),
    actions: switches(contacts.setStatusInTx),
  },
};
