import type { ImportField, ImportMark } from '@waystation/contract/imports/import.ts';
import {
  mostImportRowsAtOnce,
  mostImportSteps,
  mostImportStepRows,
} from '@waystation/contract/base/limits.ts';
import { lastOf } from '@waystation/contract/base/present.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import { checkRows, rulesOf } from './checking.ts';
import { countChanged, within } from './marks.ts';
import { queueChecking } from './queues.ts';
import { markRepeats } from './repeats.ts';
import { expectVersion, lockImport, writeImport } from './store.ts';
import type { StoredImport } from './store.ts';

/**
 * Statuses in which rows that are not ordered may be changed. Before confirmation, all rows may be
 * changed. Later, only refused rows and rows that were left out may be changed.
 */
export const changeable = ['ready', 'done', 'paused'] as const;

const isOut = (mark: string | null): boolean => mark === 'excluded' || mark === 'refused';

/**
 * An edit that can be undone. Its step begins with the first row that it changes. An edit that
 * changes no row therefore leaves earlier undone edits, which can still be redone.
 */
export interface Step {
  id: number;
  no: number;
  begun: boolean;
}

export const newStep = ({ id, edit_step }: StoredImport): Step => ({
  id,
  no: edit_step + 1,
  begun: false,
});

/** Begins a new step of edits. Undone edits can then no longer be redone. */
const beginStep = async (work: Work, step: Step): Promise<void> => {
  await sql`delete from import_steps where import_id = ${step.id}
    and step >= ${step.no}`.execute(work.tx);
  await sql`insert into import_steps (import_id, step, rows)
    values (${step.id}, ${step.no}, 0)`.execute(work.tx);
  step.begun = true;
};

/** Stores the rows' texts and marks before an edit changes them, so that the edit can be undone. */
export const noteRows = async (
  work: Work,
  step: Step,
  which: ReturnType<typeof sql>,
): Promise<void> => {
  const { id, no } = step;
  if (!step.begun) {
    const { rows } = await sql`select 1 from import_rows where import_id = ${id} and ${which}
      limit 1`.execute(work.tx);
    if (rows.length === 0) return;
    await beginStep(work, step);
  }
  await sql`with noted as (insert into import_step_rows (import_id, step, no, edits, mark,
    reason)
      select import_id, ${no}, no, edits, case when mark in ('excluded', 'refused') then mark
        end, case when mark in ('excluded', 'refused') then reason end
      from import_rows where import_id = ${id} and ${which} returning 1)
    update import_steps set rows = rows + (select count(*) from noted)::int
      where import_id = ${id} and step = ${no}`.execute(work.tx);
};

type RowState = RowOf<'import_rows', 'no' | 'edits' | 'mark' | 'reason'>;

/** Stores the earlier state of one row that an edit has changed. */
export const noteRow = async (
  work: Work,
  step: Step,
  { no, edits, mark, reason }: RowState,
): Promise<void> => {
  await beginStep(work, step);
  const out = isOut(mark) ? { mark, reason } : { mark: null, reason: null };
  await sql`insert into import_step_rows (import_id, step, no, edits, mark, reason)
    select ${step.id}, ${step.no}, x.no, x.edits, x.mark, x.reason
      from jsonb_to_recordset(${jsonText([{ no, edits, ...out }])}::jsonb) as x (no int,
      edits jsonb, mark text, reason jsonb)`.execute(work.tx);
  await sql`update import_steps set rows = 1 where import_id = ${step.id}
    and step = ${step.no}`.execute(work.tx);
};

/**
 * Ends an edit. If the edit changed a row, it becomes a step that can be undone. Deletes the oldest
 * steps if there are more than `mostImportSteps`, or if all steps together have too many rows.
 */
export const endStep = async (work: Work, { id, begun }: Step): Promise<void> => {
  if (!begun) return;
  await sql`delete from import_steps s using (
      select step, sum(rows) over (order by step desc) as sum,
        row_number() over (order by step desc) as place from import_steps
        where import_id = ${id}) x
    where s.import_id = ${id} and s.step = x.step and x.place > 1
      and (x.place > ${mostImportSteps} or x.sum > ${mostImportStepRows})`.execute(work.tx);
  await sql`update imports i set edit_step = coalesce(s.last, edit_step),
    undo_steps = s.steps, redo_steps = 0
    from (select max(step) as last, count(*)::int as steps from import_steps
      where import_id = ${id}) s where i.id = ${id}`.execute(work.tx);
};

/** Deletes all steps that could be undone or redone, because the rows were replaced. */
export const forgetSteps = async (work: Work, id: number): Promise<void> => {
  await sql`delete from import_steps where import_id = ${id}`.execute(work.tx);
  await sql`update imports set edit_step = 0, undo_steps = 0, redo_steps = 0
    where id = ${id}`.execute(work.tx);
};

type SteppedRow = RowOf<
  'import_rows',
  'no' | 'cells' | 'edits' | 'merged' | 'values' | 'mark' | 'key' | 'reason'
> & {
  other: Pick<RowOf<'import_step_rows', 'edits' | 'mark' | 'reason'>, 'edits' | 'mark' | 'reason'>;
};

const rowsOfStep = async (
  work: Work,
  id: number,
  step: number,
  after: number,
): Promise<SteppedRow[]> => {
  const { rows } = await sql<SteppedRow>`select w.no, w.cells, w.edits, w.merged, w."values",
    w.mark, w.key, w.reason,
      jsonb_build_object('edits', s.edits, 'mark', s.mark, 'reason', s.reason) as other
    from import_step_rows s join import_rows w on w.import_id = s.import_id and w.no = s.no
    where s.import_id = ${id} and s.step = ${step} and s.no > ${after}
      and w.mark not in ('ordered', 'waiting') order by s.no
      limit ${mostImportRowsAtOnce + 1}`.execute(work.tx);
  return rows;
};

/**
 * Exchanges the rows with the rows that the step has stored. Refused rows are checked here, because
 * later checks skip them.
 */
const swapRows = async (
  work: Work,
  found: StoredImport,
  step: number,
  rows: readonly SteppedRow[],
): Promise<void> => {
  const { id } = found;
  const nos = rows.map(({ no }) => no);
  const kept = rows.map(({ no, edits, mark, reason }) => ({
    no,
    edits,
    ...(isOut(mark) && { mark, reason }),
  }));
  await sql`update import_step_rows s set edits = x.edits, mark = x.mark, reason = x.reason
    from jsonb_to_recordset(${jsonText(kept)}::jsonb) as x (no int, edits jsonb, mark text,
    reason jsonb)
    where s.import_id = ${id} and s.step = ${step} and s.no = x.no
      and ${within('s', nos)}`.execute(work.tx);
  const next = rows.map(({ no, mark, other }) => ({
    no,
    edits: other.edits,
    reason: other.reason,
    mark: other.mark ?? (isOut(mark) ? 'ok' : mark),
  }));
  const write = (some: typeof next) =>
    countChanged(
      work,
      id,
      sql`update import_rows w set edits = x.edits, mark = x.mark, reason = x.reason,
        version = w.version + 1
        from jsonb_to_recordset(${jsonText(some)}::jsonb) as x (no int, edits jsonb,
          mark text, reason jsonb)
          join import_rows o on o.import_id = ${id} and o.no = x.no and ${within('o', nos)}
        where w.import_id = ${id} and w.no = x.no and ${within('w', nos)}
          returning w.no, o.mark as was, w.mark`,
    );
  await write(next);
  const refused = next.filter(({ mark }) => mark === 'refused');
  if (refused.length === 0) return;
  const sheet = rows
    .filter(({ other }) => other.mark === 'refused')
    .map((row) => ({ ...row, edits: row.other.edits }));
  await checkRows(work, id, await rulesOf(work, found), sheet);
  await write(refused);
};

/** Checks the rows that an undo or redo has exchanged, while the caller waits. */
const checkSwapped = async (
  work: Work,
  found: StoredImport,
  rows: readonly SteppedRow[],
  now: Date,
): Promise<void> => {
  const sheet = rows
    .filter(({ other }) => other.mark !== 'refused')
    .map((row) => ({ ...row, edits: row.other.edits }));
  await checkRows(work, found.id, await rulesOf(work, found), sheet);
  const nos = rows.map(({ no }) => no);
  const { rows: after } = await sql<RowOf<'import_rows', 'key'>>`select key from import_rows
    where import_id = ${found.id} and no = any(${nos}::int[])`.execute(work.tx);
  const keys = [...rows, ...after].flatMap(({ key }) => key ?? []);
  await markRepeats(
    work,
    { import_id: found.id, station_id: found.station_id, now },
    { keys, orders: rows.map(({ values }) => values.thr_order_id) },
  );
};

/**
 * The number of rows that a step restored. `first`: the first of these rows, and the field that
 * differs.
 */
export interface Stepped {
  changed: number;
  first: { no: number; field: ImportField | null } | null;
}

const firstOf = (rows: readonly SteppedRow[]): Stepped['first'] => {
  const row = rows[0];
  if (!row) return null;
  const fields = [...Object.keys(row.edits), ...Object.keys(row.other.edits)] as ImportField[];
  return {
    no: row.no,
    field: fields.find((field) => row.edits[field] !== row.other.edits[field]) ?? null,
  };
};

/**
 * Undoes the last edit of an import, or redoes the last undone edit. Rows that were ordered in the
 * meantime are not changed.
 */
export const takeStep = async (
  work: Work,
  id: number,
  { version, direction }: { version: number; direction: 'undo' | 'redo' },
  now: Date,
): Promise<Stepped> => {
  const found = await lockImport(work, id, changeable);
  expectVersion(found, version);
  const isUndo = direction === 'undo';
  if ((isUndo ? found.undo_steps : found.redo_steps) === 0)
    fail(isUndo ? 'import_nothing_to_undo' : 'import_nothing_to_redo');
  const step = isUndo ? found.edit_step : found.edit_step + 1;
  const moved = {
    edit_step: isUndo ? step - 1 : step,
    undo_steps: found.undo_steps + (isUndo ? -1 : 1),
    redo_steps: found.redo_steps + (isUndo ? 1 : -1),
    quote: null,
  };
  return work.asSystem('step of an import', async (system) => {
    const rows = await rowsOfStep(system, id, step, 0);
    const first = firstOf(rows);
    if (rows.length <= mostImportRowsAtOnce) {
      await swapRows(system, found, step, rows);
      if (rows.length > 0) await checkSwapped(system, found, rows, now);
      await writeImport(system, id, moved);
      return { changed: rows.length, first };
    }
    let changed = 0;
    for (
      let some = rows;
      some.length > 0;
      some = await rowsOfStep(system, id, step, lastOf(some).no)
    ) {
      await swapRows(system, found, step, some);
      changed += some.length;
    }
    await writeImport(system, id, { ...moved, status: 'checking', rows_checked: 0 });
    await queueChecking(system, id);
    return { changed, first };
  });
};

/** The marks of rows that are not ordered and that an edit may change. */
export const unordered: readonly ImportMark[] = [
  'ok',
  'repaired',
  'warning',
  'error',
  'excluded',
  'refused',
];
