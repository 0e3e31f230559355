import { calls } from '@waystation/contract/parcels/handover.schema.ts';
import { handoverStatuses } from '@waystation/contract/parcels/handover.ts';
import { providers } from '@waystation/contract/network/provider.ts';
import { feature } from '#feature.ts';
import { columnsOf, words } from '#domain/user-jobs/user-jobs.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import * as handlers from './handovers.ts';
import * as lists from './list.ts';

export const handovers = feature({
  routes: [
    route(calls.listHandovers, lists.list),
    route(calls.countHandovers, lists.counts),
    route(calls.openHandover, handlers.open),
    route(calls.getHandover, handlers.get),
    route(calls.handoverScans, handlers.scans),
    route(calls.handoverMissing, handlers.missing),
    route(calls.scanHandover, handlers.scan),
    route(calls.takeBackScan, handlers.takeBack),
    route(calls.closeHandover, handlers.close),
    route(calls.discardHandover, handlers.discard),
    route(calls.printHandover, handlers.print),
    route(calls.parcelHandovers, handlers.ofParcel),
  ],
  exports: {
    handovers: {
      source: listSource(calls.listHandovers, lists.list, lists.counts, lists.walk),
      columns: {
        ...columnsOf('text', 'station_name user_nickname ended_by_nickname courier_name note'),
        ...columnsOf('number', 'id station_id user_id parcels packages missing'),
        ...columnsOf('time', 'opened_at ended_at'),
        provider: words('provider', providers),
        status: words('status', handoverStatuses),
      },
    },
  },
});
