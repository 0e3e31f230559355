import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { StateCode } from '@waystation/contract/parcels/express-states.ts';
import type { OfferChoice } from '@waystation/contract/network/offer-rule.ts';
import type { Price } from '@waystation/contract/money/price.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { LedgerPrice } from '#domain/ledger/ledger.ts';
import { jsonText, oneRow, queueStatement, rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { packed } from '#platform/db/packed-json.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { expressColumnList, isJsonColumn } from './express-columns.ts';

/**
 * A stored parcel: the fields of requirements §3, and columns for the calls of the carrier
 * and for the ledger.
 */
export type ExpressRow = RowOf<'expresses'>;

const allColumns = expressColumnList();

/**
 * A waybill that may be the waybill of an order: a prefetched number, or a waybill from a push or
 * an answer of the carrier.
 */
export type WaybillClaim = ExpressRow['waybill_claims'][number];

/**
 * Returns the parcel if it is in scope, else fails with 404. A missing parcel and a parcel outside
 * of the scope give the same answer.
 */
export const expressIn = async (work: Work, id: number): Promise<ExpressRow> => {
  const { rows } = await sql<ExpressRow>`select ${allColumns} from expresses where id = ${id}
    and ${scopeCondition(work, 'station_id', 'user_id')}`.execute(work.tx);
  return rows[0] ?? fail('not_found');
};

/**
 * Returns the parcel like `expressIn`, and locks it. A parcel is always locked before its stations.
 */
export const lockExpress = async (work: Work, id: number): Promise<ExpressRow> => {
  const [row] = await rowsAtOnce(
    work,
    sql<ExpressRow>`select ${allColumns} from expresses where id = ${id}
      and ${scopeCondition(work, 'station_id', 'user_id')} for update`,
  );
  return row ?? fail('not_found');
};

/**
 * Columns that the carrier fills. They do not increase `version`, so that a user's edit still
 * succeeds.
 */
const carrierColumns = new Set<string>([
  'state_code',
  'state_txt',
  'state_remark',
  'state_reason',
  'ordered_at',
  'picked_up_at',
  'signed_at',
  'promised_at',
  'last_event_at',
  'polled_at',
  'carrier_order_code',
  'promise_time_type',
  'pre_sort_result',
  'print_data',
  'need_retry',
  'modifying',
  'order_request',
  'order_tries',
  'order_sought_at',
  'first_sent_at',
  'confirming',
  'confirm_tries',
  'confirm_asked_at',
  'waybill_claims',
  'exception',
  'exception_at',
  'handled_at',
  'handled_uid',
  'handled_note',
  'held_no',
  'held_status',
  'package_ids',
  'fee_version',
  'fee_digest',
]);

/**
 * True if a waybill belongs to the parcel: its own waybill, its return waybill, or a child waybill.
 */
export const isOwnWaybill = (
  express: Pick<ExpressRow, 'delivery_id' | 'return_delivery_id' | 'package_ids'>,
  waybill: string,
): boolean =>
  waybill === express.delivery_id ||
  waybill === express.return_delivery_id ||
  express.package_ids.includes(waybill);

/**
 * States as literals in SQL, `state_code in (${stateList(liveStates)})`: with a parameter
 * PostgreSQL could not use a partial index of these states.
 */
export const stateList = (codes: readonly StateCode[]) => sql.raw(codes.join(', '));

/** True if a user who read the row before must read it again. */
const bumpsVersion = (changes: Partial<ExpressRow>): boolean =>
  Object.keys(changes).some((column) => !carrierColumns.has(column));

const updateOf = (id: number, changes: Partial<ExpressRow>) => {
  const assignments = Object.entries(changes).map(
    ([column, value]) => sql`${sql.ref(column)} = ${stored(column, value)}`,
  );
  const counted = bumpsVersion(changes) ? [sql`version = version + 1`] : [];
  return sql`update expresses
    set ${sql.join([...assignments, ...counted, sql`updated_at = clock_timestamp()`])}
    where id = ${id}`;
};

/**
 * Writes `changes`. Increases `version`, unless all changed columns are columns that the carrier
 * fills. jsonb columns are passed as values.
 */
export const updateExpress = (
  work: Work,
  id: number,
  changes: Partial<ExpressRow>,
): Promise<ExpressRow> =>
  oneRow(work, sql<ExpressRow>`${updateOf(id, changes)} returning ${allColumns}`);

/**
 * Writes changes to a locked parcel without waiting for the SQL statement to end. Returns the
 * parcel with these changes; its `updated_at` is still the old value.
 */
export const writeExpress = async (
  work: Work,
  express: ExpressRow,
  changes: Partial<ExpressRow>,
): Promise<ExpressRow> => {
  await queueStatement(work, updateOf(express.id, changes).compile(work.tx));
  const written = Object.fromEntries(
    Object.entries(changes).map(([column, value]) => [column, value ?? null]),
  );
  return { ...express, ...written, version: express.version + (bumpsVersion(changes) ? 1 : 0) };
};

const stored = (column: string, value: unknown): unknown =>
  isJsonColumn(column) && value !== null && value !== undefined ? jsonText(value) : value;

/** Inserts the given columns; the others get the table's defaults. */
export const insertExpress = async (work: Work, row: Partial<ExpressRow>): Promise<ExpressRow> => {
  const columns = Object.keys(row);
  const values = Object.entries(row).map(([column, value]) => stored(column, value));
  const { rows } =
    await sql<ExpressRow>`insert into expresses (${sql.join(columns.map((column) => sql.ref(column)))})
      values (${sql.join(values)}) returning ${allColumns}`.execute(work.tx);
  return firstOf(rows);
};

interface FirstRecords {
  /**
   * The cause that is stored with the parcel's first change of state. This change leads to the
   * row's present state.
   */
  cause: string;
  account_id: number | null;
  at: Date;
  /** The price when the parcel was ordered, so that it can still be explained after a re-weigh. */
  price: Price;
  /** The explanation of why the station's rule chose the product; null if a user chose it. */
  choice?: OfferChoice | null;
}

/**
 * Stores an ordered parcel with its first change of state and its first price, in one statement.
 */
export const insertOrdered = async (
  work: Work,
  row: Partial<ExpressRow>,
  { cause, account_id, at, price, choice = null }: FirstRecords,
): Promise<ExpressRow> => {
  const columns = Object.keys(row);
  const values = Object.entries(row).map(([column, value]) => stored(column, value));
  return oneRow(
    work,
    sql<ExpressRow>`with parcel as (
        insert into expresses (${sql.join(columns.map((column) => sql.ref(column)))})
          values (${sql.join(values)}) returning ${allColumns}),
      moved as (
        insert into express_moves (express_id, station_id, from_code, to_code, cause,
          account_id, at)
        select id, station_id, null, state_code, ${cause}, ${account_id}::bigint,
          ${at}::timestamptz from parcel),
      priced as (
        insert into express_facts (express_id, no, station_id, source, facts, packed_price,
          account_id, at)
        select id, fact_no, station_id, 'order', ${jsonText(choice === null ? {} : { choice })}::jsonb,
          ${packed(price)}, ${account_id}::bigint, ${at}::timestamptz from parcel)
    select ${allColumns} from parcel`,
  );
};

/**
 * The code of the carrier account that was chosen for a stored parcel. A draft stores it as a
 * column, an ordered parcel in its terms. Empty if the station's account is used.
 */
export const chosenAccount = ({
  state_code,
  customer_code,
  terms,
}: Pick<ExpressRow, 'state_code' | 'customer_code' | 'terms'>): string =>
  state_code === stateCode.draft ? customer_code : (terms?.customer_code ?? '');

/**
 * The price of a parcel as the ledger needs it; a discount of null becomes 10,000 basis points, the
 * full price.
 */
export const ledgerPrice = (
  express: Pick<
    ExpressRow,
    'pre_amount' | 'discount' | 'discount_amount' | 'guarantee_amount' | 'post_amount'
  >,
): LedgerPrice => ({
  pre_amount: express.pre_amount,
  discount: express.discount ?? 10_000,
  discount_amount: express.discount_amount,
  guarantee_amount: express.guarantee_amount,
  post_amount: express.post_amount,
});
