import { changesBetween, recordAudit } from './audit.ts';
import type { Changes } from './audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Tx } from '#platform/db/db.ts';
import { insertRow, lockRow, setStatus, updateRow } from '#platform/db/rows.ts';
import type { Condition } from '#platform/db/conditions.ts';
import type { NewValues, Stored, Switched, Values, Versioned } from '#platform/db/rows.ts';
import { mapUniqueViolation } from '#platform/db/unique-violation.ts';
import { fail } from '#platform/fail.ts';
import type { Origin } from '#platform/http/context.ts';

/** The transaction of a change, who makes it, and the request it came with. */
export interface ChangeContext {
  tx: Tx;
  actor: Actor;
  request: Origin;
}

/** A table whose rows people change, as the audit log knows it. */
export interface AuditedTable<T extends Versioned> {
  table: T;
  /** Columns whose changes are kept; or what is kept of a change, where it is not a comparison of columns. */
  audited: readonly (keyof Stored<T> & string)[] | ((before: Stored<T> | null, after: Stored<T>) => Changes);
  /** Unique constraint → the field to blame, and the code that says so (`taken`). */
  unique?: Readonly<Record<string, string>>;
  uniqueCode?: 'taken' | 'name_unavailable';
  /** The station an entry belongs to; none by default. */
  stationOf?: (row: Stored<T>, actor: Actor) => number | null;
}

type Row<T extends Versioned> = Stored<T>;
type Also<T extends Versioned, Before> = (after: Row<T>, before: Before) => Changes | void | Promise<Changes | void>;

export interface Changed<T extends Versioned> {
  before: Row<T>;
  after: Row<T>;
  changes: Changes;
}

interface Entry<T extends Versioned> {
  action: string;
  before: Row<T> | null;
  after: Row<T>;
  /** Changes beyond the table's own columns. */
  more?: Changes | undefined;
  reason?: string | undefined;
}

/** Writes the audit entry of a row that was changed, or is new (`before` null). Answers what it names. */
export const recordChange = async <T extends Versioned>(
  { tx, actor, request }: ChangeContext,
  { table, audited, stationOf }: AuditedTable<T>,
  { action, before, after, more = {}, reason = '' }: Entry<T>,
): Promise<Changes> => {
  const changes = { ...(typeof audited === 'function' ? audited(before, after) : changesBetween<Row<T>>(before, after, audited)), ...more };
  await recordAudit(tx, actor, request, { action, subject: table, subject_id: after.id, station_id: stationOf?.(after, actor) ?? null, changes, reason });
  return changes;
};

interface Insert<T extends Versioned> {
  values: NewValues<T>;
  /** `create` by default. */
  action?: string;
  /** What else the creation does before its entry is written; answers what the entry names besides. */
  also?: Also<T, null>;
}

/** Inserts a row with its audit entry. Throws at the field whose value another row has. */
export const auditedInsert = async <T extends Versioned>(
  context: ChangeContext,
  of: AuditedTable<T>,
  { values, action = 'create', also }: Insert<T>,
): Promise<Row<T>> => {
  const after = await mapUniqueViolation(of.unique ?? {}, insertRow(context.tx, of.table, values), of.uniqueCode);
  const more = (await also?.(after, null)) ?? {};
  await recordChange(context, of, { action, before: null, after, more });
  return after;
};

interface Lock<T extends Versioned> {
  id: number;
  /** Conditions on the row `r`; another row is `not_found`. */
  within?: readonly Condition[];
  /** Rules on the locked row, before its version is compared. */
  check?: (before: Row<T>) => void | Promise<void>;
  /** What else the change does before its entry is written; answers what the entry names besides. */
  also?: Also<T, Row<T>>;
  reason?: string | undefined;
}

const changeRow = async <T extends Versioned>(
  context: ChangeContext,
  of: AuditedTable<T>,
  { id, within = [], check, also, reason, action, write }: Lock<T> & { action: string; write: (before: Row<T>) => Promise<Row<T>> },
): Promise<Changed<T>> => {
  const before = await lockRow(context.tx, of.table, id, within);
  await check?.(before);
  const after = await write(before);
  const more = (await also?.(after, before)) ?? {};
  return { before, after, changes: await recordChange(context, of, { action, before, after, more, reason }) };
};

interface Change<T extends Versioned> extends Lock<T> {
  action: string;
  /** The version the caller has read; any by default. */
  version?: number;
  /** The row as a version conflict shows it; as it is stored by default. */
  current?: () => Promise<object>;
  /** The columns to write, after the rules that only hold for the current version; null leaves the row as it is. */
  columns: (before: Row<T>) => Values<T> | null | Promise<Values<T> | null>;
}

/**
 * Changes one row with its audit entry: locks it, checks it, compares its version (`version_conflict` with the current row), writes the columns, does what
 * else belongs to the change, and records what differs. Answers the row before and after, and the recorded changes.
 */
export const auditedChange = <T extends Versioned>(
  context: ChangeContext,
  of: AuditedTable<T>,
  { version, current, columns, ...change }: Change<T>,
): Promise<Changed<T>> =>
  changeRow(context, of, {
    ...change,
    write: async (before) => {
      if (version !== undefined && before.version !== version) fail('version_conflict', {}, { current: await (current?.() ?? before) });
      const values = await columns(before);
      if (values === null) return before;
      return mapUniqueViolation(of.unique ?? {}, updateRow(context.tx, of.table, before, before.version, values), of.uniqueCode);
    },
  });

/** Enables (1) or disables (0) one row with its audit entry. A row that is so already stays as it is; the entry then names no change. */
export const auditedStatus = <T extends Switched>(
  context: ChangeContext,
  of: AuditedTable<T>,
  { status, ...change }: Lock<T> & { status: 0 | 1 },
): Promise<Changed<T>> =>
  changeRow(context, of, { ...change, action: status === 1 ? 'enable' : 'disable', write: (before) => setStatus(context.tx, of.table, before, status) });
