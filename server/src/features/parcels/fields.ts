import type { ListedField } from '@waystation/contract/parcels/express.ts';
import { isExpressColumn } from '#domain/express/express-reads.ts';
import { sql } from '#platform/db/db.ts';
import type { RawBuilder } from '#platform/db/db.ts';
import { isNamed, namesOf } from './view.ts';
import type { JoinedExpress } from './view.ts';

type Source = keyof JoinedExpress;

const waiting = [
  'state_remark',
  'state_reason',
  'state_code',
  'carrier_down_since',
  'on_hold_needs',
] as const satisfies readonly Source[];

/** The columns from which a field is calculated, if the field is not a single column or name. */
const sources: Readonly<Record<string, readonly Source[]>> = {
  state_remark: waiting,
  state_reason: waiting,
  waybill_claims: ['waybill_claims', 'state_code'],
  canceling: ['cancel_requested_at'],
} satisfies Partial<Record<ListedField, readonly Source[]>>;

/** Columns of a parcel that are needed to join the tables with its names. */
const keys = [
  'id',
  'station_id',
  'user_id',
  'cancel_uid',
  'print_uid',
  'project_id',
  'voucher_id',
  'merchant_id',
  'provider',
  'promise_id',
  'created_at',
  'state_code',
] as const satisfies readonly Source[];

/** The columns and joins from which some fields of parcels `e` are read. */
export interface FieldSources {
  /** The names of the parcel's own columns. */
  own: readonly string[];
  /** The SQL of the parcel's own columns, including those needed for joins. */
  picked: RawBuilder<unknown>;
  /** The SQL of the columns and the joined names, to be used with `joins`. */
  columns: RawBuilder<unknown>;
  joins: RawBuilder<unknown>;
}

// The columns are one text, because a node for each column would be compiled with each statement.
const columnList = (names: readonly string[]): string =>
  names.map((name) => `e."${name}"`).join(', ');

/**
 * The columns to read for these fields. A column that is not requested is neither read nor
 * transferred, except the station, which decides whether phones are shown. The same fields in
 * another order give the same statement, which a connection plans only once.
 */
export const sourcesOf = (fields: Iterable<string>): FieldSources => {
  const read = new Set<string>(['id', 'station_id']);
  for (const field of [...fields].toSorted())
    for (const source of sources[field] ?? [field])
      if (isExpressColumn(source) || isNamed(source)) read.add(source);
  const own = [...read].filter((name) => !isNamed(name));
  const { columns, joins } = namesOf([...read]);
  return {
    own,
    picked: sql.raw(columnList([...new Set([...own, ...keys])])),
    columns: sql.join([sql.raw(columnList(own)), ...columns]),
    joins,
  };
};
