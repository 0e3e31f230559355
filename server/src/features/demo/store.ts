import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { packJson } from '#platform/db/packed-json.ts';
import type { ParcelHistory } from './history.ts';

/** Reserves ids for rows that are written together with dependent rows. */
export const reserveIds = async (work: Work, count: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('expresses',
    'id')) as id from generate_series(1, ${count})`.execute(work.tx);
  return rows.map((row) => row.id);
};

const json = (value: unknown): string => JSON.stringify(value);

const emptyRow = {
  state_remark: '',
  cancel_reason: '',
  print_count: 0,
  need_retry: 0,
  surcharge_amount: 0,
};

/** Inserts parcels. Columns that no row sets keep their defaults. */
const insertExpresses = async (work: Work, histories: readonly ParcelHistory[]): Promise<void> => {
  const rows = histories.map(({ express }) => ({ ...emptyRow, ...express }));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`insert into expresses (${names}) overriding system value select ${names}
    from jsonb_populate_recordset(null::expresses,
      ${json(rows)}::jsonb)`.execute(work.tx);
};

const insertFacts = async (work: Work, histories: readonly ParcelHistory[]): Promise<void> => {
  const rows = histories.flatMap(({ express, facts }) =>
    facts.map((fact) => ({
      ...fact,
      packed_price: packJson(fact.price),
      express_id: express.id,
      station_id: express.station_id,
      account_id: fact.no === 0 ? express.user_id : null,
      reason: '',
    })),
  );
  await sql`insert into express_facts (express_id, no, station_id, source, facts, packed_price,
    account_id, reason, at)
    select express_id, no, station_id, source, facts,
      json_pack(packed_price ->> 'template', packed_price ->> 'values'), account_id, reason, at
    from jsonb_to_recordset(${json(rows)}::jsonb) x (express_id bigint, no integer,
      station_id bigint, source text, facts jsonb, packed_price jsonb, account_id bigint,
      reason text, at timestamptz)`.execute(work.tx);
};

const insertMoves = async (work: Work, histories: readonly ParcelHistory[]): Promise<void> => {
  const rows = histories.flatMap(({ express, moves }) =>
    moves.map((move) => ({ ...move, express_id: express.id, station_id: express.station_id })),
  );
  await sql`insert into express_moves (express_id, station_id, from_code, to_code, cause,
    account_id, at)
    select express_id, station_id, from_code, to_code, cause, account_id, at
      from jsonb_populate_recordset(null::express_moves, ${json(rows)}::jsonb)`.execute(work.tx);
};

const insertMessages = async (work: Work, histories: readonly ParcelHistory[]): Promise<void> => {
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
  await sql`insert into express_messages (express_id, station_id, source, operation_time,
    rank, hash, category, state, our_state, effect, title, remark, operator_name, place, raw,
    received_at)
    select express_id, station_id, source, operation_time, rank, hash, category, state,
      our_state, effect, title, remark, operator_name, place, raw, received_at
    from jsonb_populate_recordset(null::express_messages, ${json(rows)}::jsonb)`.execute(work.tx);
};

const insertPrints = async (work: Work, histories: readonly ParcelHistory[]): Promise<void> => {
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
  await sql`insert into prints (express_id, station_id, delivery_id, user_id, print_count,
    format, created_at)
    select express_id, station_id, delivery_id, user_id, print_count, format, created_at
      from jsonb_populate_recordset(null::prints, ${json(rows)}::jsonb)`.execute(work.tx);
};

/** Stores parcels with their dependent rows. Money is written only by the ledger. */
export const storeHistories = async (
  work: Work,
  histories: readonly ParcelHistory[],
): Promise<void> => {
  await insertExpresses(work, histories);
  await insertFacts(work, histories);
  await insertMoves(work, histories);
  await insertMessages(work, histories);
  await insertPrints(work, histories);
};
