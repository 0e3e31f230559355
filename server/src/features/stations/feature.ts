import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls } from '@waystation/contract/network/station.schema.ts';
import { offerRuleNames } from '@waystation/contract/network/offer-rule.ts';
import type { OfferCarriers } from '@waystation/contract/network/offer-rule.ts';
import { carriersText } from '@waystation/contract/network/offer-rule-words.ts';
import { calls as setupCalls } from '@waystation/contract/network/station-setup.schema.ts';
import { feature } from '#feature.ts';
import { noteSetups } from '#domain/station-setup/station-setup.ts';
import {
  columnsOf,
  flags,
  joined,
  madeOf,
  namesIn,
  onOff,
  switches,
  words,
} from '#domain/user-jobs/user-jobs.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import { bulkPrice } from './bulk-price.ts';
import * as changes from './changes.ts';
import { contacts } from './contacts.ts';
import { foundContacts } from './find-contacts.ts';
import { foundStations } from './find-stations.ts';
import * as previews from './previews.ts';
import * as setups from './setups.ts';
import * as handlers from './stations.ts';

const source = listSource(calls.listStations, handlers.list);

export const stations = feature(contacts, foundContacts, foundStations, {
  routes: [
    route(calls.listStations, handlers.list),
    route(calls.stationProvinces, handlers.provinces),
    route(calls.getStation, handlers.get),
    route(calls.stationUsage, handlers.usage),
    route(setupCalls.listStationSetups, setups.list),
    route(setupCalls.getStationSetup, setups.get),
    route(setupCalls.beginStationSetup, setups.begin),
    route(setupCalls.endStationSetup, setups.end),
    route(calls.createStation, changes.create),
    route(calls.editStation, changes.edit),
    route(calls.setStationStatus, changes.switchStatus),
    route(calls.moveStation, changes.move),
    route(calls.previewMove, previews.previewMove),
    route(calls.previewStationPrice, previews.previewPrice),
  ],
  tasks: [task('note_setups', noPayload, { attempts: 4, every: '*/15 * * * *' }).runs(noteSetups)],
  exports: {
    stations: {
      source,
      columns: {
        ...columnsOf(
          'text',
          'name province city county address customer_code parent_name project_name sender_name sender_phone',
        ),
        ...columnsOf('number', 'id parent_id project_id level children users parcels_30d'),
        ...columnsOf(
          'money',
          'money freeze available fixed_freeze low_balance low_limit credit_limit claim_amount fixed_profit fixed_profit_limit',
        ),
        ...columnsOf('rate', 'discount northeast_discount profit profit_limit'),
        ...columnsOf('time', 'last_active_at created_at updated_at'),
        ...flags('allow_print has_amount allow_select enable_profit blocked offer_fallback'),
        offer_rule: words('offer_rule', offerRuleNames),
        offer_carriers: madeOf('offer_carriers', ({ offer_carriers }, language) =>
          carriersText((offer_carriers ?? {}) as OfferCarriers, language),
        ),
        place: joined(['province', 'city', 'county', 'address']),
        sender: joined(['sender_name', 'sender_phone']),
        status: onOff,
      },
    },
  },
  bulk: {
    stations: {
      endpoint: bulkCalls.bulkStations,
      source,
      nameOf: namesIn('stations', 'name', 'id'),
      actions: { ...switches(changes.setStatusInTx, 'stations', 'id'), price: bulkPrice },
    },
  },
  undo: {
    setPrice: (app, work, { id, values, reason }) =>
      changes.editInTx(app, work, { ...values, id, reason }),
  },
});
