import { bulkCargos, bulkExpresses } from '@waystation/contract/bulk.ts';
import { listCargos } from '@waystation/contract/cargo.ts';
import { listExpresses } from '@waystation/contract/express-calls.ts';
import { namesIn, namesOfParcels, switches } from '#features/bulk.ts';
import type { BulkList } from '#features/bulk.ts';
import * as cargos from '#features/cargos.ts';
import { list as expresses } from '#features/express-list.ts';
import { cancelIn, orderIn, retryIn } from '#features/expresses.ts';
import { listSource } from '#features/list-walk.ts';

const parcels: BulkList = {
  endpoint: bulkExpresses,
  source: listSource(listExpresses, expresses),
  names: namesOfParcels,
  actions: {
    cancel: {
      run: (app, tx, actor, id, { reason }, origin) => cancelIn(app, tx, actor, { id, reason }, origin),
      needsReason: true,
      skips: ['cannot_cancel', 'already_intercepting'],
    },
    retry: { run: (app, tx, actor, id, _, origin) => retryIn(app, tx, actor, id, origin), skips: ['state_forbids'] },
    order: { run: (app, tx, actor, id, _, origin) => orderIn(app, tx, actor, id, origin), skips: ['state_forbids'] },
  },
};

/** Lists whose rows can be acted on together, by name: one line for each that is only switched. */
export const bulkLists: Readonly<Record<string, BulkList>> = {
  expresses: parcels,
  cargos: { endpoint: bulkCargos, source: listSource(listCargos, cargos.list), names: namesIn('cargos', 'name'), actions: switches(cargos.switchIn) },
};
