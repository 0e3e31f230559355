import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { office } from '@waystation/contract/base/roles.ts';
import { calls } from '@waystation/contract/money/voucher.schema.ts';
import { feature } from '#feature.ts';
import { columnsOf, flags, namesIn, onOff, switches } from '#domain/user-jobs/user-jobs.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';
import { foundTemplates } from './find-templates.ts';
import * as impact from './impact.ts';
import * as prices from './price-sheets.ts';
import * as quote from './quote.ts';
import * as versions from './versions.ts';
import * as handlers from './vouchers.ts';

const source = listSource(calls.listVouchers, handlers.list);

export const vouchers = feature(foundTemplates, {
  routes: [
    route(calls.listVouchers, handlers.list),
    route(calls.getVoucher, handlers.get),
    route(calls.createVoucher, handlers.create),
    route(calls.editVoucher, handlers.edit),
    route(calls.setVoucherStatus, handlers.switchStatus),
    route(calls.voucherUsage, handlers.usage),
    route(calls.voucherUses, handlers.uses),
    route(calls.copyVoucher, handlers.copy),
    route(calls.publishVoucher, versions.publish),
    route(calls.listVoucherVersions, versions.list),
    route(calls.getVoucherVersion, versions.get),
    route(calls.compareVoucher, versions.compare),
    route(calls.quoteVoucher, quote.quote),
    route(calls.checkVoucher, quote.check),
    route(calls.startImpact, impact.start),
    route(calls.getImpact, impact.get),
    route(calls.voucherPricesFile, prices.file),
    route(calls.readVoucherPrices, prices.read),
    route(calls.readPriceList, prices.readList),
  ],
  tasks: [impact.estimateImpactTask.runs(impact.estimateImpact, { abandon: impact.failImpact })],
  exports: {
    vouchers: {
      source,
      columns: {
        ...columnsOf('text', 'name provider promise_id promise_name'),
        ...columnsOf('number', 'id no next_no latest_no zones projects stations parcels_30d'),
        ...columnsOf('rate', 'discount northeast_discount'),
        ...columnsOf('time', 'valid_from next_from created_at updated_at'),
        ...flags('changed'),
        status: onOff,
      },
    },
  },
  bulk: {
    vouchers: {
      endpoint: bulkCalls.bulkVouchers,
      source,
      nameOf: namesIn('vouchers', 'name'),
      actions: switches(handlers.setStatusInTx, 'vouchers'),
    },
  },
  undo: {
    checkWithdrawal: versions.checkWithdrawal,
    withdraw: versions.withdrawInTx,
    publishers: office,
  },
});
