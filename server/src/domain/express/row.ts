import type { StateCode } from '@waystation/contract/express.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import type { Price } from '@waystation/contract/price.ts';
import type { Terms } from '@waystation/contract/terms.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';

/** A waybill that was named for an order; `rejected`: the office decided against it. */
export interface WaybillClaim {
  delivery_id: string;
  /** Fetched before and sent with the order, told by a push, or answered. */
  source: 'number' | 'push' | 'answer';
  rejected?: 1;
}

/** A parcel as stored (migrations/0004): requirements §3 and what the carrier's dialogue and the money need beside it. */
export interface ExpressRow {
  id: number;
  station_id: number;
  user_id: number;
  sender_id: number | null;
  receive_id: number | null;
  customer_code: string;
  delivery_id: string | null;
  order_id: string;
  thr_order_id: string;
  sender_name: string;
  sender_phone: string;
  sender_province: string;
  sender_city: string;
  sender_county: string;
  sender_address: string;
  receive_name: string;
  receive_phone: string;
  receive_province: string;
  receive_city: string;
  receive_county: string;
  receive_address: string;
  package_count: number;
  guarantee_value_amount: number;
  trans_type: 1 | 2;
  goods_type: number;
  promise_id: string;
  promise_time_type: string;
  goods: string;
  remark: string;
  description: string;
  weight: number;
  re_weight: number | null;
  jd_weight: number | null;
  jd_cal_weight: number | null;
  jd_volume: number | null;
  cal_weight: number | null;
  length: number;
  width: number;
  height: number;
  guarantee_amount: number;
  surcharge_amount: number;
  pre_amount: number;
  post_amount: number;
  discount: number | null;
  discount_amount: number;
  jd_amount: number | null;
  state_code: StateCode;
  state_txt: string;
  state_remark: string;
  state_reason: Reason | null;
  cancel_uid: number | null;
  canceled_at: Date | null;
  print_uid: number | null;
  print_count: number;
  printed_at: Date | null;
  pre_sort_result: unknown;
  print_data: unknown;
  project_id: number | null;
  voucher_id: number | null;
  voucher_no: number | null;
  weight_message: string;
  weight_reason: Price['weight_message'] | null;
  provider: string;
  merchant_id: number | null;
  simulated: 0 | 1;
  created_at: Date;
  updated_at: Date;
  return_delivery_id: string | null;
  intercepting: 0 | 1;
  need_retry: 0 | 1;
  modifying: 0 | 1;
  version: number;
  attempt: number;
  order_request: string | null;
  order_tries: number;
  order_sought_at: Date | null;
  carrier_order_code: string | null;
  ordered_at: Date | null;
  picked_up_at: Date | null;
  signed_at: Date | null;
  last_event_at: Date | null;
  cancel_requested_at: Date | null;
  cancel_reason: string;
  charged_at: Date | null;
  terms: Terms | null;
  price_lines: Price['lines'];
  surcharges: Record<string, { name: string; amount: number }>;
  shares: { station_id: number; amount: number }[];
  fact_no: number;
  polled_at: Date | null;
  first_sent_at: Date | null;
  confirming: StateCode | null;
  confirm_tries: number;
  confirm_asked_at: Date | null;
  waybill_claims: WaybillClaim[];
}

/** The parcel within scope, else 404: what is not there and what is not yours look alike. */
export const expressIn = async (tx: Tx, scope: Scope, id: number): Promise<ExpressRow> => {
  const { rows } = await sql<ExpressRow>`select * from expresses where id = ${id} and ${scopeCondition(scope, 'station_id', 'user_id')}`.execute(tx);
  return rows[0] ?? fail('not_found');
};

/** The same, locked: one hand at a time changes a parcel. Lock the parcel before its stations, always. */
export const lockExpress = async (tx: Tx, scope: Scope, id: number): Promise<ExpressRow> => {
  const { rows } = await sql<ExpressRow>`select * from expresses where id = ${id} and ${scopeCondition(scope, 'station_id', 'user_id')} for update`.execute(tx);
  return rows[0] ?? fail('not_found');
};

/** What a carrier says of a parcel on its way. It is nothing that people edit, so an edit is not turned away because of it: the version stays. */
const said = new Set<string>([
  'state_code',
  'state_txt',
  'state_remark',
  'state_reason',
  'ordered_at',
  'picked_up_at',
  'signed_at',
  'last_event_at',
  'polled_at',
  'carrier_order_code',
  'promise_time_type',
  'pre_sort_result',
  'print_data',
  'need_retry',
  'modifying',
  'first_sent_at',
  'confirming',
  'confirm_tries',
  'confirm_asked_at',
  'waybill_claims',
]);

/** Writes `changes` and, where people's own content is among them, counts the version up. jsonb columns are passed as values. */
export const updateExpress = async (tx: Tx, id: number, changes: Partial<ExpressRow>): Promise<ExpressRow> => {
  const assignments = Object.entries(changes).map(([column, value]) => sql`${sql.ref(column)} = ${stored(column, value)}`);
  const counted = Object.keys(changes).some((column) => !said.has(column)) ? [sql`version = version + 1`] : [];
  const { rows } = await sql<ExpressRow>`update expresses set ${sql.join([...assignments, ...counted, sql`updated_at = clock_timestamp()`])}
    where id = ${id} returning *`.execute(tx);
  return rows[0]!;
};

const jsonColumns = new Set([
  'state_reason',
  'pre_sort_result',
  'print_data',
  'weight_reason',
  'terms',
  'price_lines',
  'surcharges',
  'shares',
  'waybill_claims',
]);

const stored = (column: string, value: unknown): unknown => (jsonColumns.has(column) && value !== null && value !== undefined ? jsonText(value) : value);

/** Inserts what is given; the rest is the table's defaults. */
export const insertExpress = async (tx: Tx, row: Partial<ExpressRow>): Promise<ExpressRow> => {
  const columns = Object.keys(row);
  const values = Object.entries(row).map(([column, value]) => stored(column, value));
  const { rows } =
    await sql<ExpressRow>`insert into expresses (${sql.join(columns.map((column) => sql.ref(column)))}) values (${sql.join(values)}) returning *`.execute(tx);
  return rows[0]!;
};
