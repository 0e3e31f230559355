import type { Reason } from '@waystation/contract/envelope.ts';
import { mostUndone, priceFields, undoKindOf } from '@waystation/contract/undo.ts';
import type { UndoKind, UndoState } from '@waystation/contract/undo.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';

/** An entry of the audit log as it is stored. */
export interface StoredEntry {
  id: number;
  at: Date;
  account_id: number | null;
  account_name: string;
  role: string;
  request_id: string;
  action: string;
  subject: string;
  subject_id: number | null;
  station_id: number | null;
  changes: Record<string, [unknown, unknown]>;
}

/** A row that an entry changed: by which entry, and each field's value before and after. */
export interface Target {
  id: number;
  entry_id: number;
  fields: Record<string, [unknown, unknown]>;
}

export interface UndoPlan {
  kind: UndoKind;
  /** The table of the rows. */
  table: string;
  /** Ascending by id. */
  targets: Target[];
  state: UndoState;
}

const columns = sql`id, at, account_id, account_name, role, request_id, action, subject, subject_id, station_id, changes`;

/** The entries of the same request that changed the rows of a bulk entry: a job works under the request that began it. */
const rowEntries = async (
  tx: Tx,
  scope: Scope,
  entry: StoredEntry,
  subject: string,
  actions: readonly string[],
  fields: readonly string[],
): Promise<StoredEntry[]> => {
  const { rows } = await sql<StoredEntry>`select ${columns} from audit_log where request_id = ${entry.request_id} and request_id <> '' and subject = ${subject}
      and action = any(${actions}::text[]) and changes ?| ${fields}::text[] and ${scopeCondition(scope, 'station_id')} order by subject_id, id limit ${mostUndone + 1}`.execute(
    tx,
  );
  return rows;
};

const targetOf = ({ id, subject_id, changes }: StoredEntry): Target => ({ id: subject_id!, entry_id: id, fields: changes });

const targetsOf = async (tx: Tx, scope: Scope, kind: UndoKind, entry: StoredEntry): Promise<{ table: string; targets: Target[] }> => {
  if (kind === 'bulk_switch') {
    const entries = await rowEntries(tx, scope, entry, entry.subject, [entry.action.replace('bulk_', '')], ['status']);
    return { table: entry.subject, targets: entries.map(targetOf) };
  }
  if (kind === 'assign')
    return { table: 'stations', targets: (await rowEntries(tx, scope, entry, 'stations', ['assign_project'], ['project_id'])).map(targetOf) };
  if (kind === 'bulk_price') return { table: 'stations', targets: (await rowEntries(tx, scope, entry, 'stations', ['edit'], priceFields)).map(targetOf) };
  if (kind === 'publication') return { table: 'vouchers', targets: [{ id: entry.subject_id!, entry_id: entry.id, fields: { no: entry.changes['no']! } }] };
  return { table: entry.subject, targets: [targetOf(entry)] };
};

/** Later entries that changed the same fields of the same rows, the oldest first; those of `but`, the undo's own request, left out. */
const changedSince = async (tx: Tx, scope: Scope, table: string, targets: readonly Target[], but: string | null): Promise<UndoState['since']> => {
  const fields = [...new Set(targets.flatMap((target) => Object.keys(target.fields)))];
  const { rows } = await sql<UndoState['since'][number] & { at: Date }>`select l.id, l.at, l.account_name, l.role, l.action, l.subject, l.subject_id
    from unnest(${targets.map(({ id }) => id)}::bigint[], ${targets.map(({ entry_id }) => entry_id)}::bigint[]) t (id, entry_id)
      cross join lateral (select * from audit_log l where l.subject = ${table} and l.subject_id = t.id and l.id > t.entry_id
        and l.changes ?| ${fields}::text[] and (${but}::text is null or l.request_id <> ${but}) and ${scopeCondition(scope, 'l.station_id')} order by l.id limit 5) l
    order by l.id limit 5`.execute(tx);
  return rows.map((row) => ({ ...row, at: (row.at as unknown as Date).toISOString() }));
};

/** Who has undone the entry already. */
const undoneBy = async (tx: Tx, scope: Scope, { id, subject, subject_id }: StoredEntry, but: string | null): Promise<string | null> => {
  const { rows } = await sql<{
    account_name: string;
  }>`select account_name from audit_log where subject = ${subject} and subject_id is not distinct from ${subject_id}
      and id > ${id} and action = 'undo' and changes -> 'undone' -> 1 = to_jsonb(${id}::bigint) and (${but}::text is null or request_id <> ${but}) and ${scopeCondition(scope, 'station_id')} limit 1`.execute(
    tx,
  );
  return rows[0]?.account_name ?? null;
};

const isRunning = async (tx: Tx, scope: Scope, { changes }: StoredEntry): Promise<boolean> => {
  const job_id = changes['job_id']?.[1];
  if (typeof job_id !== 'number') return false;
  const { rows } =
    await sql`select 1 from user_jobs where id = ${job_id} and status in ('queued', 'running') and ${scopeCondition(scope, 'station_id')}`.execute(tx);
  return rows.length > 0;
};

/** Rows of the network's setup belong to no station. */
const inScope = (scope: Scope, table: string) =>
  table === 'stations' ? scopeCondition(scope, 'id') : table === 'contacts' ? scopeCondition(scope, 'station_id') : sql<boolean>`true`;

/** The rows that have another value now than the entry left; a version of a template is compared by its own rule. */
const countDiffering = async (
  tx: Tx,
  scope: Scope,
  kind: UndoKind,
  table: string,
  targets: readonly Target[],
): Promise<{ found: number; differing: number }> => {
  if (kind === 'publication') return { found: targets.length, differing: 0 };
  const { rows } = await sql<
    Record<string, unknown> & { id: number }
  >`select * from ${sql.table(table)} where id = any(${targets.map(({ id }) => id)}::bigint[])
    and ${inScope(scope, table)}`.execute(tx);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const differs = ({ id, fields }: Target): boolean => {
    const row = byId.get(id);
    return row !== undefined && Object.entries(fields).some(([field, [, after]]) => JSON.stringify(row[field] ?? null) !== JSON.stringify(after ?? null));
  };
  return { found: rows.length, differing: targets.filter(differs).length };
};

/** A station does not get a disabled scheme back; null: none of the schemes of before is disabled. */
const disabledScheme = async (tx: Tx, targets: readonly Target[]): Promise<Reason | null> => {
  const ids = [...new Set(targets.map(({ fields }) => fields['project_id']?.[0]).filter((id) => typeof id === 'number'))];
  if (ids.length === 0) return null;
  const { rows } = await sql<{ name: string }>`select name from projects where id = any(${ids}::bigint[]) and status = 0 order by id limit 1`.execute(tx);
  return rows[0] ? { code: 'project_disabled', params: { name: rows[0].name } } : null;
};

const reasonFor = async (
  tx: Tx,
  scope: Scope,
  entry: StoredEntry,
  { kind, table, targets, since }: Pick<UndoPlan, 'kind' | 'table' | 'targets'> & Pick<UndoState, 'since'>,
  but: string | null,
): Promise<Reason | null> => {
  if ((kind === 'bulk_switch' || kind === 'bulk_price') && (await isRunning(tx, scope, entry))) return { code: 'undo_running' };
  const account = await undoneBy(tx, scope, entry, but);
  if (account !== null) return { code: 'undo_done', params: { account } };
  if (targets.length === 0) return { code: 'undo_nothing' };
  if (targets.length > mostUndone) return { code: 'undo_too_many', params: { count: targets.length, limit: mostUndone } };
  if (since.length > 0) return { code: 'undo_changed' };
  // Once the undo's own changes are made, their rows differ.
  if (but !== null) return null;
  const { found, differing } = await countDiffering(tx, scope, kind, table, targets);
  if (found < targets.length) return { code: 'undo_out_of_scope' };
  return differing > 0 ? { code: 'undo_changed' } : table === 'stations' ? disabledScheme(tx, targets) : null;
};

/**
 * What an undo of the entry would change, and whether something speaks against it. Reads with the actor's scope. `but`: the request of an undo that has made its
 * changes already, so that what another transaction committed before they were locked is found.
 */
export const undoPlan = async (tx: Tx, scope: Scope, entry: StoredEntry, but: string | null = null): Promise<UndoPlan> => {
  const kind = undoKindOf(entry) ?? fail('undo_unsupported');
  const { table, targets } = await targetsOf(tx, scope, kind, entry);
  const since = targets.length === 0 || targets.length > mostUndone ? [] : await changedSince(tx, scope, table, targets, but);
  const reason = await reasonFor(tx, scope, entry, { kind, table, targets, since }, but);
  return { kind, table, targets, state: { possible: reason === null ? 1 : 0, rows: targets.length, reason, since } };
};

export const entryColumns = columns;
