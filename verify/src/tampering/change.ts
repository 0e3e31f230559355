/**
 * Changes in the ledger that a superuser can make while every trigger and constraint is switched
 * off: one byte of a value is changed, a row is deleted, or a whole history is rewritten with all
 * its hashes.
 */
import { sql, systemScope } from '@waystation/server/testing/product.ts';
import type { Db, Work } from '@waystation/server/testing/product.ts';
import { rehash } from '@waystation/server/testing/rewrite.ts';
import { stories } from './stories.ts';

const scope = systemScope('tampering');

interface Target {
  table: string;
  /**
   * `without` lists the columns that are never changed. If `only` is set, only its columns are
   * changed.
   */
  without?: string[];
  only?: string[];
  /** An SQL condition for the rows that may be changed. By default all rows may be changed. */
  where?: string;
  /**
   * True if rows of the table are changed but not removed, because an attacker gains nothing by
   * removing a row.
   */
  kept?: true;
}

const ofParcel =
  'station_id user_id order_id attempt customer_code provider merchant_id project_id voucher_id voucher_no promise_id package_count guarantee_value_amount trans_type goods_type weight re_weight jd_weight jd_cal_weight jd_volume cal_weight length width height guarantee_amount surcharge_amount pre_amount post_amount discount discount_amount jd_amount surcharges shares price_lines terms sender_name sender_phone sender_province sender_city sender_county sender_address receive_name receive_phone receive_province receive_city receive_county receive_address goods remark description thr_order_id';

/**
 * The tables and columns that are tampered with. They contain all money and the sources of all
 * money.
 */
export const targets: Target[] = [
  { table: 'ledger_transfers' },
  { table: 'ledger_entries' },
  // A change request that moved no money leaves no trace when it is removed.
  { table: 'statements', where: 'transfer_id is not null' },
  { table: 'ledger_chain' },
  // These columns are only names for people. No sum depends on them.
  { table: 'ledger_holds', without: ['order_id', 'delivery_id'] },
  { table: 'stations', only: ['money', 'freeze'], kept: true },
  // A checkpoint without a signature is never trusted. An attacker therefore hides nothing by
  // removing the signature.
  { table: 'ledger_checkpoints', without: ['proved_at', 'signature'], kept: true },
  { table: 'expresses', only: ofParcel.split(' '), where: 'terms is not null' },
  // No check uses the salt of a version that is not the newest.
  { table: 'express_versions', without: ['salt'] },
  { table: 'frozen_terms' },
  { table: 'express_facts' },
  { table: 'express_messages' },
  { table: 'reconciliation_rows', where: `decision <> 'open'` },
  { table: 'reconciliation_payments' },
  { table: 'periods' },
  { table: 'period_balances' },
  { table: 'period_closings' },
  { table: 'voucher_versions' },
  { table: 'statement_confirmations' },
  { table: 'handovers' },
  {
    table: 'handover_scans',
    only: [
      'handover_id',
      'scanned_by',
      'at',
      'number',
      'result',
      'express_id',
      'delivery_id',
      'package_no',
      'package_count',
    ],
  },
  { table: 'request_approvals' },
  { table: 'settings' },
  { table: 'source_hashes', without: ['salt'] },
  { table: 'source_blocks' },
];

/**
 * Returns a function that returns random whole numbers from 0 to `below`, without `below` itself.
 * The same seed gives the same numbers.
 */
export const chanceOf = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const bits: Record<string, number> = { int2: 15, int4: 31, int8: 64 };

/** Returns an SQL expression that changes one bit or one character of the column's value. */
const changed = (column: string, type: string, kind: string, random: number): string => {
  const value = `"${column}"`;
  if (type in bits) return `${value} # (1::${type} << ${random % bits[type]!})`;
  if (type === 'bytea')
    return `set_bit(${value}, ${random} % (length(${value}) * 8), 1 - get_bit(${value}, ${random} % (length(${value}) * 8)))`;
  if (type === 'timestamptz') return `${value} + ${2 ** (random % 41)} * interval '1 microsecond'`;
  if (type === 'jsonb') return `jsonb_build_array(${value})`;
  if (kind === 'e')
    return `(enum_range(${value}))[1 + (array_position(enum_range(null::${type}), ${value}) + ${random}) % cardinality(enum_range(null::${type}))]`;
  const at = `(1 + ${random} % length(${value}))`;
  return `overlay(${value} placing chr(ascii(substr(${value}, ${at}, 1)) # 1) from ${at} for 1)`;
};

export interface Tampered {
  /**
   * The kind under which the change is counted: the name of a table, or `rewritten:` and the kind
   * of history.
   */
  what: string;
  /** The changed table, column and row. */
  where: string;
  /** The findings of the ledger check. The list is empty if the check did not find the change. */
  breaks: string[];
}

const undone = new Error('undone');

/**
 * The database's error codes for a value that already exists, is out of range, or breaks a check.
 * The database refuses such a value even from a superuser.
 */
const refusals = new Set(['23505', '22003', '22008', '23514', '23502']);

const columnsOf = async (
  work: Work,
  table: string,
): Promise<{ name: string; type: string; kind: string }[]> =>
  (
    await sql<{
      name: string;
      type: string;
      kind: string;
    }>`select a.attname as name, t.typname as type, t.typtype::text as kind
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = ''
        order by a.attnum`.execute(work.tx)
  ).rows;

/**
 * Runs `change` as a superuser and checks the ledger with the heads that were written outside the
 * database. Then undoes the change. Returns null if there was nothing to change.
 */
export const proofAfter = async (
  owner: Db,
  heads: string,
  change: (work: Work) => Promise<boolean>,
): Promise<string[] | null> => {
  let breaks: string[] | null = null;
  await owner
    .tx(scope, async (work) => {
      await sql`set local statement_timeout = 0`.execute(work.tx);
      await sql`set local session_replication_role = replica`.execute(work.tx);
      const made = await change(work).catch((error: unknown) => {
        if (refusals.has((error as { code?: string }).code ?? '')) throw undone;
        throw error;
      });
      if (!made) throw undone;
      const found = await sql<{
        line: string;
      }>`select invariant || ' ' || subject as line
        from ledger_findings(true, ${heads}::jsonb, 7)
        where invariant is not null`.execute(work.tx);
      breaks = found.rows.map(({ line }) => line);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return breaks;
};

interface Draw {
  row: number;
  column: number;
  random: number;
}

const placeIn = async (
  work: Work,
  { table, where }: Target,
  row: number,
): Promise<string | null> => {
  const rows = `from ${table} where ${where ?? 'true'}`;
  const { rows: found } = await sql
    .raw<{ ctid: string }>(
      `select ctid::text ${rows} order by ctid offset ${row} % greatest((select count(*) ${rows}), 1) limit 1`,
    )
    .execute(work.tx);
  return found[0]?.ctid ?? null;
};

/** Changes one byte of one value of a row. */
const changeByte = async (
  owner: Db,
  heads: string,
  target: Target,
  { row, column, random }: Draw,
): Promise<Tampered | null> => {
  const { table, without = [], only } = target;
  let where = table;
  const breaks = await proofAfter(owner, heads, async (work) => {
    const columns = (await columnsOf(work, table)).filter(({ name }) =>
      only ? only.includes(name) : !without.includes(name),
    );
    const { name, type, kind } = columns[column % columns.length]!;
    const place = await placeIn(work, target, row);
    if (place === null) return false;
    where = `${table}.${name} at ${place}`;
    const { rows } = await sql
      .raw<{ empty: boolean }>(
        `select coalesce("${name}"::text, '') in ('', '\\x', '[]', '{}') as empty from ${table} where ctid = '${place}'`,
      )
      .execute(work.tx);
    if (rows[0]!.empty) return false;
    // The owner of the database can change generated ids after dropping the identity of their
    // column.
    if (name === 'id')
      await sql
        .raw(`alter table ${table} alter column id drop identity if exists`)
        .execute(work.tx);
    await sql
      .raw(
        `update ${table} set "${name}" = ${changed(name, type, kind, random)} where ctid = '${place}'`,
      )
      .execute(work.tx);
    return true;
  });
  return breaks && { what: table, where, breaks };
};

/** Removes a whole row of a table. */
const dropRow = async (
  owner: Db,
  heads: string,
  target: Target,
  { row }: Draw,
): Promise<Tampered | null> => {
  let where = target.table;
  const breaks = await proofAfter(owner, heads, async (work) => {
    const place = target.kept ? null : await placeIn(work, target, row);
    if (place === null) return false;
    where = `${target.table} without ${place}`;
    await sql.raw(`delete from ${target.table} where ctid = '${place}'`).execute(work.tx);
    return true;
  });
  return breaks && { what: target.table, where, breaks };
};

/**
 * Rewrites a history, and recalculates every hash, link, block, checkpoint and mark of the
 * database.
 */
const rewrite = async (
  owner: Db,
  heads: string,
  story: number,
  { row }: Draw,
): Promise<Tampered | null> => {
  const [name, tell] = stories[story % stories.length]!;
  const breaks = await proofAfter(owner, heads, async (work) => {
    if (!(await tell(work, row))) return false;
    await rehash(work, { checkpoints: true });
    return true;
  });
  return breaks && { what: `rewritten: ${name}`, where: `${name} ${row}`, breaks };
};

/**
 * Makes a random change, checks the ledger, and undoes the change. On average one change in four is
 * a consistent rewrite of a history, and one in eight removes a row.
 */
export const tamperOnce = async (
  owner: Db,
  chance: (below: number) => number,
  heads: string,
): Promise<Tampered | null> => {
  const way = chance(8);
  const which = chance(1_000_000);
  const draw = { row: chance(1_000_000), column: chance(1_000_000), random: chance(1_000_000) };
  if (way < 2) return rewrite(owner, heads, which, draw);
  const target = targets[which % targets.length]!;
  return way === 2 ? dropRow(owner, heads, target, draw) : changeByte(owner, heads, target, draw);
};
