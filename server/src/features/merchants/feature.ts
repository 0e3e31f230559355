import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls } from '@waystation/contract/network/merchant.schema.ts';
import { calls as outageCalls } from '@waystation/contract/network/outage.schema.ts';
import { feature } from '#feature.ts';
import {
  columnsOf,
  flags,
  madeOf,
  namesIn,
  onOff,
  switches,
  words,
} from '#domain/user-jobs/user-jobs.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import { noPayload, task } from '#platform/jobs/task.ts';
import * as carrierCalls from './calls.ts';
import * as status from './merchant-status.ts';
import { usage } from './merchant-usage.ts';
import * as handlers from './merchants.ts';
import * as outages from './outages.ts';
import { endPreviousAddress, pushAddress, replacePushAddress } from './push-address.ts';

const source = listSource(calls.listMerchants, handlers.list);

export const merchants = feature({
  routes: [
    route(outageCalls.carrierOutages, outages.list),
    route(calls.listMerchants, handlers.list),
    route(calls.getMerchant, handlers.get),
    route(calls.createMerchant, handlers.create),
    route(calls.editMerchant, handlers.edit),
    route(calls.setMerchantStatus, status.switchStatus),
    route(calls.makeDefaultMerchant, status.makeDefault),
    route(calls.testMerchant, carrierCalls.test),
    route(calls.merchantPushAddress, pushAddress),
    route(calls.replaceMerchantPushAddress, replacePushAddress),
    route(calls.endPreviousPushAddress, endPreviousAddress),
    route(calls.resumeMerchant, status.resume),
    route(calls.merchantUsage, usage),
    route(calls.merchantCalls, carrierCalls.list),
  ],
  tasks: [
    task('tidy_calls', noPayload, { attempts: 4, every: '37 * * * *' }).runs(
      carrierCalls.tidyCalls,
    ),
    task('watch_tokens', noPayload, { attempts: 4, every: '12 * * * *' }).runs(
      handlers.watchTokens,
    ),
  ],
  exports: {
    merchants: {
      source,
      columns: {
        ...columnsOf(
          'text',
          'name provider customer_code base_url province city county address sender_name sender_phone warehouse_code paused_reason',
        ),
        ...columnsOf('number', 'id calls_24h answered_24h parcels_30d'),
        ...columnsOf('money', 'guarantee'),
        ...columnsOf(
          'time',
          'token_expires_at paused_at down_since last_call_at created_at updated_at',
        ),
        ...flags('simulated is_default prefetch_numbers customer_code_fixed'),
        environment: words('simulated', {
          0: { zh: '正式', en: 'Live' },
          1: { zh: '模拟', en: 'Simulated' },
        }),
        health: madeOf('answered_24h calls_24h', ({ answered_24h, calls_24h }) =>
          calls_24h === 0 ? null : `${Number(answered_24h)} / ${Number(calls_24h)}`,
        ),
        status: onOff,
      },
    },
  },
  bulk: {
    merchants: {
      endpoint: bulkCalls.bulkMerchants,
      source,
      nameOf: namesIn('merchants', 'name'),
      actions: switches(status.setStatusInTx, 'merchants'),
    },
  },
});
