import type { Reason } from '@waystation/contract/base/envelope.ts';
import { mostUndone, priceFields, undoKindOf } from '@waystation/contract/shell/undo.ts';
import type { UndoKind, UndoState } from '@waystation/contract/shell/undo.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';

/** A stored entry of the audit log. */
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

/** A row that an entry changed, with each field's value before and after the change. */
export interface Target {
  id: number;
  entry_id: number;
  fields: Record<string, [unknown, unknown]>;
}

export interface UndoPlan {
  kind: UndoKind;
  /** The table of the rows. */
  table: string;
  /** The rows to change, in ascending order of their ids. */
  targets: Target[];
  state: UndoState;
}

const columns = sql`id, at, account_id, account_name, role, request_id, action, subject,
  subject_id, station_id, changes`;

/**
 * Returns the row entries of a bulk entry. They are found by their request, because a job works
 * under the request that started it.
 */
const rowEntries = async (
  work: Work,
  entry: StoredEntry,
  {
    subject,
    actions,
    fields,
  }: { subject: string; actions: readonly string[]; fields: readonly string[] },
): Promise<StoredEntry[]> => {
  const { rows } = await sql<StoredEntry>`select ${columns} from audit_log
    where request_id = ${entry.request_id} and request_id <> '' and subject = ${subject}
      and action = any(${actions}::text[]) and changes ?| ${fields}::text[]
        and ${scopeCondition(work, 'station_id')} order by subject_id, id
        limit ${mostUndone + 1}`.execute(work.tx);
  return rows;
};

const targetOf = ({ id, subject_id, changes }: StoredEntry): Target => ({
  id: subject_id!,
  entry_id: id,
  fields: changes,
});

const targetsOf = async (
  work: Work,
  kind: UndoKind,
  entry: StoredEntry,
): Promise<{ table: string; targets: Target[] }> => {
  if (kind === 'bulk_switch') {
    const entries = await rowEntries(work, entry, {
      subject: entry.subject,
      actions: [entry.action.replace('bulk_', '')],
      fields: ['status'],
    });
    return { table: entry.subject, targets: entries.map(targetOf) };
  }
  if (kind === 'assign')
    return {
      table: 'stations',
      targets: (
        await rowEntries(work, entry, {
          subject: 'stations',
          actions: ['assign_project'],
          fields: ['project_id'],
        })
      ).map(targetOf),
    };
  if (kind === 'bulk_price')
    return {
      table: 'stations',
      targets: (
        await rowEntries(work, entry, {
          subject: 'stations',
          actions: ['edit'],
          fields: priceFields,
        })
      ).map(targetOf),
    };
  if (kind === 'publication')
    return {
      table: 'vouchers',
      targets: [
        { id: entry.subject_id!, entry_id: entry.id, fields: { no: entry.changes['no']! } },
      ],
    };
  return { table: entry.subject, targets: [targetOf(entry)] };
};

/**
 * Returns the later entries that changed the same fields of the same rows, oldest first. Entries of
 * the request `but` are left out, because it is the undo itself.
 */
const changedSince = async (
  work: Work,
  table: string,
  targets: readonly Target[],
  but: string | null,
): Promise<UndoState['since']> => {
  const fields = [...new Set(targets.flatMap((target) => Object.keys(target.fields)))];
  const { rows } = await sql<UndoState['since'][number] & { at: Date }>`select l.id, l.at,
    l.account_name, l.role, l.action, l.subject, l.subject_id
    from unnest(${targets.map(({ id }) => id)}::bigint[],
      ${targets.map(({ entry_id }) => entry_id)}::bigint[]) t (id, entry_id)
      cross join lateral (select * from audit_log l where l.subject = ${table}
        and l.subject_id = t.id and l.id > t.entry_id
        and l.changes ?| ${fields}::text[] and (${but}::text is null
          or l.request_id <> ${but}) and ${scopeCondition(work, 'l.station_id')}
          order by l.id limit 5) l
    order by l.id limit 5`.execute(work.tx);
  return rows.map((row) => ({ ...row, at: (row.at as unknown as Date).toISOString() }));
};

/** The name of the user who has already undone the entry; null if nobody has. */
const undoneBy = async (
  work: Work,
  { id, subject, subject_id }: StoredEntry,
  but: string | null,
): Promise<string | null> => {
  const { rows } = await sql<{
    account_name: string;
  }>`select account_name from audit_log where subject = ${subject}
    and subject_id is not distinct from ${subject_id}
      and id > ${id} and action = 'undo'
        and changes -> 'undone' -> 1 = to_jsonb(${id}::bigint)
        and (${but}::text is null or request_id <> ${but})
        and ${scopeCondition(work, 'station_id')} limit 1`.execute(work.tx);
  return rows[0]?.account_name ?? null;
};

const isRunning = async (work: Work, { changes }: StoredEntry): Promise<boolean> => {
  const job_id = changes['job_id']?.[1];
  if (typeof job_id !== 'number') return false;
  const { rows } =
    await sql`select 1 from user_jobs where id = ${job_id} and status in ('queued', 'running')
      and ${scopeCondition(work, 'station_id')}`.execute(work.tx);
  return rows.length > 0;
};

/** Rows of other tables than stations and contacts belong to the whole network. */
const inScope = (work: Scoped, table: string) =>
  table === 'stations'
    ? scopeCondition(work, 'id')
    : table === 'contacts'
      ? scopeCondition(work, 'station_id')
      : sql<boolean>`true`;

/**
 * The number of rows whose present value differs from the value that the entry set. A version of a
 * template is compared by its own rule.
 */
const countDiffering = async (
  work: Work,
  kind: UndoKind,
  table: string,
  targets: readonly Target[],
): Promise<{ found: number; differing: number }> => {
  if (kind === 'publication') return { found: targets.length, differing: 0 };
  const { rows } = await sql<
    Record<string, unknown> & { id: number }
  >`select * from ${sql.table(table)} where id = any(${targets.map(({ id }) => id)}::bigint[])
    and ${inScope(work, table)}`.execute(work.tx);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const differs = ({ id, fields }: Target): boolean => {
    const row = byId.get(id);
    return (
      row !== undefined &&
      Object.entries(fields).some(
        ([field, [, after]]) =>
          JSON.stringify(row[field] ?? null) !== JSON.stringify(after ?? null),
      )
    );
  };
  return { found: rows.length, differing: targets.filter(differs).length };
};

/**
 * The reason if a station would get back a disabled scheme; null if none of the previous schemes is
 * disabled.
 */
const disabledScheme = async (work: Work, targets: readonly Target[]): Promise<Reason | null> => {
  const ids = [
    ...new Set(
      targets.map(({ fields }) => fields['project_id']?.[0]).filter((id) => typeof id === 'number'),
    ),
  ];
  if (ids.length === 0) return null;
  const { rows } = await sql<{ name: string }>`select name from projects
    where id = any(${ids}::bigint[]) and status = 0 order by id limit 1`.execute(work.tx);
  return rows[0] ? { code: 'project_disabled', params: { name: rows[0].name } } : null;
};

const reasonFor = async (
  work: Work,
  entry: StoredEntry,
  {
    kind,
    table,
    targets,
    since,
  }: Pick<UndoPlan, 'kind' | 'table' | 'targets'> & Pick<UndoState, 'since'>,
  but: string | null,
): Promise<Reason | null> => {
  if ((kind === 'bulk_switch' || kind === 'bulk_price') && (await isRunning(work, entry)))
    return { code: 'undo_running' };
  const account = await undoneBy(work, entry, but);
  if (account !== null) return { code: 'undo_done', params: { account } };
  if (targets.length === 0) return { code: 'undo_nothing' };
  if (targets.length > mostUndone)
    return { code: 'undo_too_many', params: { count: targets.length, limit: mostUndone } };
  if (since.length > 0) return { code: 'undo_changed' };
  // This check is skipped after the undo has made its changes, because the rows then differ.
  if (but !== null) return null;
  const { found, differing } = await countDiffering(work, kind, table, targets);
  if (found < targets.length) return { code: 'undo_out_of_scope' };
  return differing > 0
    ? { code: 'undo_changed' }
    : table === 'stations'
      ? disabledScheme(work, targets)
      : null;
};

/**
 * The changes that an undo of the entry would make, and the reasons against it, within the actor's
 * scope. `but` is the request of an undo that has already made its changes. The plan then shows
 * changes that other transactions committed before the undo locked the rows.
 */
export const undoPlan = async (
  work: Work,
  entry: StoredEntry,
  but: string | null = null,
): Promise<UndoPlan> => {
  const kind = undoKindOf(entry) ?? fail('undo_unsupported');
  const { table, targets } = await targetsOf(work, kind, entry);
  const since =
    targets.length === 0 || targets.length > mostUndone
      ? []
      : await changedSince(work, table, targets, but);
  const reason = await reasonFor(work, entry, { kind, table, targets, since }, but);
  return {
    kind,
    table,
    targets,
    state: { possible: reason === null ? 1 : 0, rows: targets.length, reason, since },
  };
};

export const entryColumns = columns;
