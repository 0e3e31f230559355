import { changesBetween, recordAudit } from './audit.ts';
import type { Changes } from './audit.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { UserWork } from '#platform/db/db.ts';
import { insertRow, lockRow, setStatus, updateRow } from '#platform/db/rows.ts';
import type { Condition } from '#platform/db/conditions.ts';
import type { NewValues, Stored, Switched, Values, Versioned } from '#platform/db/rows.ts';
import { mapUniqueViolation } from '#platform/db/unique-violation.ts';
import { fail } from '#platform/fail.ts';

/** A table whose rows users change, with its name and columns in the audit log. */
export interface AuditedTable<T extends Versioned> {
  table: T;
  /** The columns whose changes are recorded, or a function that returns the changes to record. */
  audited:
    | readonly (keyof Stored<T> & string)[]
    | ((before: Stored<T> | null, after: Stored<T>) => Changes);
  /**
   * For each unique constraint, by its name, the field at which its violation is shown. The error's
   * code is `uniqueCode`, by default `taken`.
   */
  unique?: Readonly<Record<string, string>>;
  uniqueCode?: 'taken' | 'name_unavailable';
  /**
   * Returns the id of the station to which the audit entry belongs; by default it belongs to none.
   */
  stationOf?: (row: Stored<T>, actor: Actor) => number | null;
}

type Row<T extends Versioned> = Stored<T>;
type Also<T extends Versioned, Before> = (
  after: Row<T>,
  before: Before,
) => Changes | void | Promise<Changes | void>;

export interface Changed<T extends Versioned> {
  before: Row<T>;
  after: Row<T>;
  changes: Changes;
}

interface Entry<T extends Versioned> {
  action: string;
  before: Row<T> | null;
  after: Row<T>;
  /** Changes to record in addition to those of the table's own columns. */
  more?: Changes | undefined;
  reason?: string | undefined;
}

/**
 * Writes the audit entry of a row that was changed or created; `before` is null for a new row.
 * Returns the recorded changes.
 */
export const recordChange = async <T extends Versioned>(
  work: UserWork,
  { table, audited, stationOf }: AuditedTable<T>,
  { action, before, after, more = {}, reason = '' }: Entry<T>,
): Promise<Changes> => {
  const changes = {
    ...(typeof audited === 'function'
      ? audited(before, after)
      : changesBetween<Row<T>>(before, after, audited)),
    ...more,
  };
  await recordAudit(work, {
    action,
    subject: table,
    subject_id: after.id,
    station_id: stationOf?.(after, work.actor) ?? null,
    changes,
    reason,
  });
  return changes;
};

interface Insert<T extends Versioned> {
  values: NewValues<T>;
  /** The action in the audit log; `create` by default. */
  action?: string;
  /**
   * Called before the audit entry is written, for other work that belongs to the creation. Returns
   * additional fields of the entry.
   */
  also?: Also<T, null>;
}

/**
 * Inserts a row and its audit entry. If a unique value of the row is taken, throws an error at that
 * field.
 */
export const auditedInsert = async <T extends Versioned>(
  work: UserWork,
  of: AuditedTable<T>,
  { values, action = 'create', also }: Insert<T>,
): Promise<Row<T>> => {
  const after = await mapUniqueViolation(
    of.unique ?? {},
    insertRow(work, of.table, values),
    of.uniqueCode,
  );
  const more = (await also?.(after, null)) ?? {};
  await recordChange(work, of, { action, before: null, after, more });
  return after;
};

interface Lock<T extends Versioned> {
  id: number;
  /** Conditions on the row, whose alias is `r`. A row that does not meet them is `not_found`. */
  within?: readonly Condition[];
  /** Checks the locked row before its version is compared; throws if a rule forbids the change. */
  check?: (before: Row<T>) => void | Promise<void>;
  /**
   * Called before the audit entry is written, for other work that belongs to the change. Returns
   * additional fields of the entry.
   */
  also?: Also<T, Row<T>>;
  reason?: string | undefined;
}

const changeRow = async <T extends Versioned>(
  work: UserWork,
  of: AuditedTable<T>,
  {
    id,
    within = [],
    check,
    also,
    reason,
    action,
    write,
  }: Lock<T> & { action: string; write: (before: Row<T>) => Promise<Row<T>> },
): Promise<Changed<T>> => {
  const before = await lockRow(work, of.table, id, within);
  await check?.(before);
  const after = await write(before);
  const more = (await also?.(after, before)) ?? {};
  return {
    before,
    after,
    changes: await recordChange(work, of, { action, before, after, more, reason }),
  };
};

interface Change<T extends Versioned> extends Lock<T> {
  action: string;
  /**
   * The version of the row that the caller has read. If it is omitted, every version is accepted.
   */
  version?: number;
  /** Returns the row to show if the version conflicts; by default the stored row. */
  current?: () => Promise<object>;
  /**
   * Checks the rules that depend on the current version of the row, and returns the columns to
   * write. If it returns null, the row is not changed.
   */
  columns: (before: Row<T>) => Values<T> | null | Promise<Values<T> | null>;
}

/**
 * Changes one row and records the change in the audit log. Locks and checks the row, and compares
 * its version (`version_conflict` with the current row). Then writes the columns, does the further
 * work of the change, and records the differences. Returns the row before and after, and the
 * recorded changes.
 */
export const auditedChange = <T extends Versioned>(
  work: UserWork,
  of: AuditedTable<T>,
  { version, current, columns, ...change }: Change<T>,
): Promise<Changed<T>> =>
  changeRow(work, of, {
    ...change,
    write: async (before) => {
      if (version !== undefined && before.version !== version)
        fail('version_conflict', {}, { current: await (current?.() ?? before) });
      const values = await columns(before);
      if (values === null) return before;
      return mapUniqueViolation(
        of.unique ?? {},
        updateRow(work, of.table, before, { version: before.version, values }),
        of.uniqueCode,
      );
    },
  });

/**
 * Enables (1) or disables (0) one row and writes its audit entry. A row that already has this
 * status is unchanged, and its audit entry lists no change.
 */
export const auditedStatus = <T extends Switched>(
  work: UserWork,
  of: AuditedTable<T>,
  { status, ...change }: Lock<T> & { status: 0 | 1 },
): Promise<Changed<T>> =>
  changeRow(work, of, {
    ...change,
    action: status === 1 ? 'enable' : 'disable',
    write: (before) => setStatus(work, of.table, before, status),
  });
