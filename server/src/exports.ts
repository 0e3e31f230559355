import { calls as accountCalls } from '@waystation/contract/account.schema.ts';
import { calls as auditCalls } from '@waystation/contract/audit.schema.ts';
import { auditActions, auditLine, auditRoles, auditSubjects } from '@waystation/contract/audit-words.ts';
import { exceptionWords } from '@waystation/contract/express-exceptions.ts';
import { calls as expressCalls } from '@waystation/contract/express-calls.schema.ts';
import { expressStates } from '@waystation/contract/express.ts';
import { preSortText } from '@waystation/contract/pre-sort.ts';
import type { WeightMessage } from '@waystation/contract/price.ts';
import { weightText } from '@waystation/contract/price-words.ts';
import { calls as statementCalls } from '@waystation/contract/statement.schema.ts';
import { statementStatuses, statementTypes } from '@waystation/contract/statement.ts';
import * as accounts from '#features/people/accounts.ts';
import { calls as printCalls } from '@waystation/contract/print.schema.ts';
import { printDrivers, printResults } from '@waystation/contract/print.ts';
import { calls as stationCalls } from '@waystation/contract/station.schema.ts';
import { calls as merchantCalls } from '@waystation/contract/merchant.schema.ts';
import { calls as voucherCalls } from '@waystation/contract/voucher.schema.ts';
import * as audit from '#features/people/audit.ts';
import { counts as expressCounts } from '#features/parcels/counts.ts';
import { list as expresses } from '#features/parcels/list.ts';
import { walk } from '#features/parcels/walk.ts';
import { columnsOf, flags, joined, madeOf, onOff, reasoned, words } from '#domain/user-jobs/user-jobs.ts';
import type { ExportList as ExportListOf, ExportLists } from '#domain/user-jobs/user-jobs.ts';
import type { App } from './app.ts';
import * as resources from './resources.ts';
import { listSource } from '#platform/http/list-walk.ts';
import * as prints from '#features/prints/prints.ts';
import * as merchants from '#features/merchants/merchants.ts';
import * as vouchers from '#features/vouchers/vouchers.ts';
import { list as stations } from '#features/stations/stations.ts';
import * as statements from '#features/money/statements.ts';

type ExportList = ExportListOf<App>;

const parcels: ExportList = {
  source: listSource(expressCalls.listExpresses, expresses, expressCounts, walk),
  columns: {
    ...columnsOf(
      'text',
      'delivery_id order_id thr_order_id station_name user_nickname cancel_nickname print_nickname project_name voucher_name customer_code return_delivery_id provider sender_name',
    ),
    ...columnsOf('text', 'sender_phone sender_province sender_city sender_county sender_address receive_name receive_phone receive_province'),
    ...columnsOf('text', 'receive_city receive_county receive_address promise_id promise_name promise_time_type goods remark description handled_note'),
    ...columnsOf('number', 'id package_count goods_type length width height print_count station_id user_id sender_id receive_id project_id voucher_id'),
    ...columnsOf('number', 'print_uid cancel_uid'),
    ...columnsOf('kg', 'weight re_weight jd_weight jd_cal_weight cal_weight'),
    ...columnsOf('money', 'guarantee_value_amount guarantee_amount surcharge_amount pre_amount post_amount discount_amount jd_amount'),
    ...columnsOf('rate', 'discount'),
    ...columnsOf('time', 'created_at updated_at ordered_at picked_up_at signed_at last_event_at charged_at canceled_at printed_at exception_at handled_at'),
    ...flags('simulated allow_print intercepting need_retry modifying canceling'),
    pre_sort_result: madeOf('pre_sort_result', ({ pre_sort_result }) => preSortText(pre_sort_result)),
    state_code: words('state_code', expressStates),
    state_txt: words('state_code', expressStates),
    exception: words('exception', exceptionWords),
    confirming: words('confirming', expressStates),
    waybill_claims: madeOf(
      'waybill_claims',
      ({ waybill_claims }) => (waybill_claims as { delivery_id: string }[] | undefined)?.map(({ delivery_id }) => delivery_id).join(' ') ?? null,
    ),
    state_remark: reasoned('state_reason', 'state_remark'),
    weight_message: madeOf('weight_reason weight_message', ({ weight_reason, weight_message }, language) =>
      weight_reason ? weightText(weight_reason as WeightMessage, language) : String(weight_message ?? ''),
    ),
    trans_type: words('trans_type', { 1: { zh: '陆运', en: 'Road' }, 2: { zh: '航空', en: 'Air' } }),
    sender_place: joined(['sender_province', 'sender_city', 'sender_county']),
    receive_place: joined(['receive_province', 'receive_city', 'receive_county']),
  },
};

const billing: ExportList = {
  source: listSource(statementCalls.listStatements, statements.list, statements.counts, statements.walk),
  columns: {
    ...columnsOf('text', 'station_name delivery_id description period account_nickname decided_nickname decision_reason'),
    ...columnsOf('number', 'id seq station_id express_id'),
    ...columnsOf('money', 'amount freeze_amount pre_amount discount_amount guarantee_amount post_amount available balance profit'),
    ...columnsOf('rate', 'discount'),
    ...columnsOf('time', 'created_at updated_at posted_at'),
    type: words('type', statementTypes),
    status: words('status', statementStatuses),
  },
};

const labels: ExportList = {
  source: listSource(printCalls.listPrints, prints.list, prints.counts, prints.walk),
  columns: {
    ...columnsOf('text', 'delivery_id recipient station_name user_nickname reason format printer note'),
    ...columnsOf('number', 'id express_id station_id user_id print_count batch_id duration_ms'),
    ...columnsOf('time', 'created_at finished_at'),
    state_code: words('state_code', expressStates),
    driver: words('driver', printDrivers),
    result: words('result', printResults),
  },
};

const network: ExportList = {
  source: listSource(stationCalls.listStations, stations),
  columns: {
    ...columnsOf('text', 'name province city county address customer_code parent_name project_name sender_name sender_phone'),
    ...columnsOf('number', 'id parent_id project_id level children users parcels_30d'),
    ...columnsOf('money', 'money freeze available fixed_freeze low_balance low_limit credit_limit claim_amount fixed_profit fixed_profit_limit'),
    ...columnsOf('rate', 'discount northeast_discount profit profit_limit'),
    ...columnsOf('time', 'last_active_at created_at updated_at'),
    ...flags('allow_print has_amount allow_select enable_profit blocked'),
    place: joined(['province', 'city', 'county', 'address']),
    sender: joined(['sender_name', 'sender_phone']),
    status: onOff,
  },
};

const changes: ExportList = {
  source: listSource(auditCalls.listAudit, audit.list, audit.counts, audit.walk),
  columns: {
    ...columnsOf('text', 'account_name address request_id reason'),
    role: words('role', auditRoles),
    action: words('action', auditActions),
    subject: words('subject', auditSubjects),
    changes: madeOf('subject changes', ({ subject, changes: changed }, language) =>
      auditLine(String(subject), (changed ?? {}) as Record<string, [unknown, unknown]>, language),
    ),
    ...columnsOf('number', 'id subject_id station_id'),
    ...columnsOf('time', 'at'),
  },
};

const people: ExportList = {
  source: listSource(accountCalls.listAccounts, accounts.list),
  columns: {
    ...columnsOf('text', 'username nickname phone identity station_name location'),
    ...columnsOf('number', 'id program_id station_id sessions'),
    ...columnsOf('time', 'registered_at last_seen_at password_changed_at created_at updated_at'),
    role: words('role', auditRoles),
    ...flags('must_change second_factor may_export'),
    status: onOff,
  },
};

const carrierAccounts: ExportList = {
  source: listSource(merchantCalls.listMerchants, merchants.list),
  columns: {
    ...columnsOf('text', 'name provider customer_code base_url province city county address sender_name sender_phone warehouse_code paused_reason'),
    ...columnsOf('number', 'id calls_24h answered_24h parcels_30d'),
    ...columnsOf('money', 'guarantee'),
    ...columnsOf('time', 'token_expires_at paused_at down_since last_call_at created_at updated_at'),
    ...flags('simulated is_default prefetch_numbers customer_code_fixed'),
    environment: words('simulated', { 0: { zh: '正式', en: 'Live' }, 1: { zh: '模拟', en: 'Simulated' } }),
    health: madeOf('answered_24h calls_24h', ({ answered_24h, calls_24h }) => (calls_24h === 0 ? null : `${Number(answered_24h)} / ${Number(calls_24h)}`)),
    status: onOff,
  },
};

const templates: ExportList = {
  source: listSource(voucherCalls.listVouchers, vouchers.list),
  columns: {
    ...columnsOf('text', 'name provider promise_id promise_name'),
    ...columnsOf('number', 'id no next_no latest_no zones projects stations parcels_30d'),
    ...columnsOf('rate', 'discount northeast_discount'),
    ...columnsOf('time', 'valid_from next_from created_at updated_at'),
    ...flags('changed'),
    status: onOff,
  },
};

const ofResources = Object.fromEntries(Object.entries(resources).map(([name, { exportList }]) => [name, exportList]));

/** Lists that can be exported, by name: where their rows come from, and how each field appears in a file. */
export const exportLists: ExportLists<App> = {
  ...ofResources,
  expresses: parcels,
  statements: billing,
  prints: labels,
  audit: changes,
  users: people,
  stations: network,
  merchants: carrierAccounts,
  vouchers: templates,
};
