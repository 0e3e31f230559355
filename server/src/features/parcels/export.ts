import { calls } from '@waystation/contract/parcels/express-calls.schema.ts';
import { exceptionWords } from '@waystation/contract/parcels/express-exceptions.ts';
import { expressStates } from '@waystation/contract/parcels/express.ts';
import { preSortText } from '@waystation/contract/parcels/pre-sort.ts';
import { weightText } from '@waystation/contract/money/price-words.ts';
import type { WeightMessage } from '@waystation/contract/money/price.ts';
import type { App } from '#app.ts';
import { columnsOf, flags, joined, madeOf, reasoned, words } from '#domain/user-jobs/user-jobs.ts';
import type { ExportList } from '#domain/user-jobs/user-jobs.ts';
import { listSource } from '#platform/http/list-walk.ts';
import { counts } from './counts.ts';
import { list } from './list.ts';
import { walk } from './walk.ts';

/** The format of each parcel field in an export file. */
export const parcelExport: ExportList<App> = {
  source: listSource(calls.listExpresses, list, counts, walk),
  columns: {
    ...columnsOf(
      'text',
      'delivery_id order_id thr_order_id station_name user_nickname cancel_nickname print_nickname project_name voucher_name customer_code return_delivery_id provider sender_name',
    ),
    ...columnsOf(
      'text',
      'sender_phone sender_province sender_city sender_county sender_address receive_name receive_phone receive_province',
    ),
    ...columnsOf(
      'text',
      'receive_city receive_county receive_address promise_id promise_name promise_time_type goods remark description handled_note',
    ),
    ...columnsOf(
      'number',
      'id package_count goods_type length width height print_count station_id user_id sender_id receive_id project_id voucher_id',
    ),
    ...columnsOf('number', 'print_uid cancel_uid'),
    ...columnsOf('kg', 'weight re_weight jd_weight jd_cal_weight cal_weight'),
    ...columnsOf(
      'money',
      'guarantee_value_amount guarantee_amount surcharge_amount pre_amount post_amount discount_amount jd_amount',
    ),
    ...columnsOf('rate', 'discount'),
    ...columnsOf(
      'time',
      'created_at updated_at ordered_at picked_up_at signed_at last_event_at charged_at canceled_at printed_at exception_at handled_at pickup_from pickup_until',
    ),
    ...flags('simulated allow_print intercepting need_retry modifying canceling'),
    pre_sort_result: madeOf('pre_sort_result', ({ pre_sort_result }) =>
      preSortText(pre_sort_result),
    ),
    state_code: words('state_code', expressStates),
    state_txt: words('state_code', expressStates),
    exception: words('exception', exceptionWords),
    confirming: words('confirming', expressStates),
    waybill_claims: madeOf(
      'waybill_claims',
      ({ waybill_claims }) =>
        (waybill_claims as { delivery_id: string }[] | undefined)
          ?.map(({ delivery_id }) => delivery_id)
          .join(' ') ?? null,
    ),
    state_remark: reasoned('state_reason', 'state_remark'),
    weight_message: madeOf(
      'weight_reason weight_message',
      ({ weight_reason, weight_message }, language) =>
        weight_reason
          ? weightText(weight_reason as WeightMessage, language)
          : String(weight_message ?? ''),
    ),
    trans_type: words('trans_type', {
      1: { zh: '陆运', en: 'Road' },
      2: { zh: '航空', en: 'Air' },
    }),
    sender_place: joined(['sender_province', 'sender_city', 'sender_county']),
    receive_place: joined(['receive_province', 'receive_city', 'receive_county']),
  },
};
