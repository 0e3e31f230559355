import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import type { ParcelHistory } from './history.ts';

/** Ids for rows that are written together with what hangs on them. */
export const reserveIds = async (tx: Tx, count: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('expresses', 'id')) as id from generate_series(1, ${count})`.execute(tx);
  return rows.map((row) => row.id);
};

const json = (value: unknown): string => JSON.stringify(value);

/** Columns that a parcel's row of the past fills; the others keep their defaults. */
const columns = [
  'id',
  'station_id',
  'user_id',
  'customer_code',
  'delivery_id',
  'order_id',
  'thr_order_id',
  'sender_name',
  'sender_phone',
  'sender_province',
  'sender_city',
  'sender_county',
  'sender_address',
  'receive_name',
  'receive_phone',
  'receive_province',
  'receive_city',
  'receive_county',
  'receive_address',
  'package_count',
  'guarantee_value_amount',
  'trans_type',
  'goods_type',
  'promise_id',
  'promise_time_type',
  'goods',
  'remark',
  'description',
  'weight',
  'jd_weight',
  'cal_weight',
  'length',
  'width',
  'height',
  'guarantee_amount',
  'surcharge_amount',
  'pre_amount',
  'post_amount',
  'discount',
  'discount_amount',
  'jd_amount',
  'state_code',
  'state_txt',
  'state_remark',
  'cancel_uid',
  'canceled_at',
  'cancel_reason',
  'print_uid',
  'print_count',
  'printed_at',
  'print_data',
  'pre_sort_result',
  'voucher_id',
  'voucher_no',
  'weight_message',
  'weight_reason',
  'provider',
  'merchant_id',
  'simulated',
  'created_at',
  'updated_at',
  'version',
  'attempt',
  'carrier_order_code',
  'ordered_at',
  'picked_up_at',
  'signed_at',
  'promised_at',
  'last_event_at',
  'charged_at',
  'terms',
  'price_lines',
  'surcharges',
  'shares',
  'fact_no',
  'polled_at',
  'need_retry',
  'exception',
  'exception_at',
] as const;

const emptyRow = {
  state_remark: '',
  cancel_reason: '',
  print_count: 0,
  need_retry: 0,
  surcharge_amount: 0,
};

const insertExpresses = async (tx: Tx, histories: readonly ParcelHistory[]): Promise<void> => {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into expresses (${names}) overriding system value select ${names}
    from jsonb_populate_recordset(null::expresses, ${json(histories.map(({ express }) => ({ ...emptyRow, ...express })))}::jsonb)`.execute(tx);
};

const insertFacts = async (tx: Tx, histories: readonly ParcelHistory[]): Promise<void> => {
  const rows = histories.flatMap(({ express, facts }) =>
    facts.map((fact) => ({ ...fact, express_id: express.id, station_id: express.station_id, account_id: fact.no === 0 ? express.user_id : null, reason: '' })),
  );
  await sql`insert into express_facts (express_id, no, station_id, source, facts, price, account_id, reason, at)
    select express_id, no, station_id, source, facts, price, account_id, reason, at from jsonb_populate_recordset(null::express_facts, ${json(rows)}::jsonb)`.execute(
    tx,
  );
};

const insertMoves = async (tx: Tx, histories: readonly ParcelHistory[]): Promise<void> => {
  const rows = histories.flatMap(({ express, moves }) => moves.map((move) => ({ ...move, express_id: express.id, station_id: express.station_id })));
  await sql`insert into express_moves (express_id, station_id, from_code, to_code, cause, account_id, at)
    select express_id, station_id, from_code, to_code, cause, account_id, at from jsonb_populate_recordset(null::express_moves, ${json(rows)}::jsonb)`.execute(
    tx,
  );
};

const insertMessages = async (tx: Tx, histories: readonly ParcelHistory[]): Promise<void> => {
  const rows = histories.flatMap(({ express, messages }) =>
    messages.map((message) => ({
      ...message,
      hash: `\\x${message.hash}`,
      express_id: express.id,
      station_id: express.station_id,
      source: 'push',
      received_at: message.operation_time,
    })),
  );
  if (rows.length === 0) return;
  await sql`insert into express_messages (express_id, station_id, source, operation_time, rank, hash, category, state, our_state, effect, title, remark, operator_name, place, raw, received_at)
    select express_id, station_id, source, operation_time, rank, hash, category, state, our_state, effect, title, remark, operator_name, place, raw, received_at
    from jsonb_populate_recordset(null::express_messages, ${json(rows)}::jsonb)`.execute(tx);
};

const insertPrints = async (tx: Tx, histories: readonly ParcelHistory[]): Promise<void> => {
  const rows = histories
    .filter(({ express }) => express.printed_at)
    .map(({ express }) => ({
      express_id: express.id,
      station_id: express.station_id,
      delivery_id: express.delivery_id,
      user_id: express.print_uid,
      print_count: 1,
      format: '76x130',
      created_at: express.printed_at,
    }));
  await sql`insert into prints (express_id, station_id, delivery_id, user_id, print_count, format, created_at)
    select express_id, station_id, delivery_id, user_id, print_count, format, created_at from jsonb_populate_recordset(null::prints, ${json(rows)}::jsonb)`.execute(
    tx,
  );
};

/** Writes parcels with all that hangs on them. Money is the ledger's to write. */
export const storeHistories = async (tx: Tx, histories: readonly ParcelHistory[]): Promise<void> => {
  await insertExpresses(tx, histories);
  await insertFacts(tx, histories);
  await insertMoves(tx, histories);
  await insertMessages(tx, histories);
  await insertPrints(tx, histories);
};
