import type {
  Import,
  ImportField,
  ImportMark,
  ImportRow,
  ImportStatus,
} from '@waystation/contract/imports/import.ts';
import { importMarks } from '@waystation/contract/imports/import.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { mostOpenImports } from '@waystation/contract/base/limits.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import type { CarrierContext } from '#domain/carrier-accounts/carrier-accounts.ts';
import {
  all,
  contains,
  equal,
  filterConditions,
  fromDay,
  untilDay,
} from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { stationSplit } from '#platform/db/newest.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RawBuilder, RowOf, Work } from '#platform/db/db.ts';
import { uncounted } from '#platform/db/paging.ts';
import type { Listed, Paging } from '#platform/db/paging.ts';
import { columnsOf, getRow, listRows, namedRows } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { pickupsOf } from './pickups.ts';
import type { ListSlots } from '#platform/list-slots.ts';

/** The parts of the application that reading, checking and ordering need. */
export interface ImportContext extends CarrierContext {
  /** The lists that users are reading. The reading of imports pauses while users read lists. */
  listSlots: Pick<ListSlots, 'isBusy'>;
}

export type StoredImport = RowOf<'imports'>;

/** The statuses of an import that has not ended. */
export const openStatuses = [
  'reading',
  'mapping',
  'checking',
  'ready',
  'ordering',
  'paused',
] as const satisfies readonly ImportStatus[];

const noCounts = Object.fromEntries(
  Object.keys(importMarks).map((mark) => [mark, 0]),
) as Import['counts'];

const columns = [
  'id station_id user_id file_name file_bytes status reason rows_read rows_total rows_checked sheets sheet header_at hidden_rows columns mapping defaults counts quote',
  'again undo_steps redo_steps created_at confirmed_at finished_at version',
].join(' ');
const shown = namedRows(
  `${columns} station_name user_nickname`,
  sql`(select ${columnsOf('i', columns)}, s.name as station_name,
    coalesce(a.nickname, '') as user_nickname from imports i left
    join stations s on s.id = i.station_id
    left join accounts a on a.id = i.user_id)`,
);
/** An import without the field that depends on the user who reads it. */
export type ReadImport = Omit<Import, 'phones_shown'>;
type Outcomes = Pick<Import, 'failed_parcels' | 'pending_parcels' | 'on_hold_parcels'>;
/** Fields that are returned only for a single import, not in the list. */
type Details = Outcomes & Pick<Import, 'pickups'>;
type Shown = Omit<ReadImport, 'counts' | keyof Details> & { counts: Partial<Import['counts']> };

const answered = (row: Shown): Omit<ReadImport, keyof Details> => ({
  id: row.id,
  station_id: row.station_id,
  station_name: row.station_name,
  user_id: row.user_id,
  user_nickname: row.user_nickname,
  file_name: row.file_name,
  file_bytes: row.file_bytes,
  status: row.status,
  reason: row.reason,
  rows_read: row.rows_read,
  rows_total: row.rows_total,
  rows_checked: row.rows_checked,
  sheets: row.sheets,
  sheet: row.sheet,
  header_at: row.header_at,
  hidden_rows: row.hidden_rows,
  columns: row.columns,
  mapping: row.mapping,
  defaults: row.defaults,
  counts: { ...noCounts, ...row.counts },
  quote: row.quote,
  again: row.again,
  undo_steps: row.undo_steps,
  redo_steps: row.redo_steps,
  created_at: row.created_at,
  confirmed_at: row.confirmed_at,
  finished_at: row.finished_at,
  version: row.version,
});

const inScope = (work: Scoped, alias: string) =>
  scopeCondition(work, `${alias}.station_id`, `${alias}.user_id`);

const unknownDetails: Details = {
  failed_parcels: null,
  pending_parcels: null,
  on_hold_parcels: null,
  pickups: null,
};

/**
 * Counts the parcels of an import that the carrier refused or has not answered, or that are on
 * hold. They are found by these states, not by the import's rows.
 */
const outcomesOf = async (
  work: Work,
  { id, station_id, confirmed_at }: Shown,
): Promise<Outcomes> => {
  if (confirmed_at === null) return { failed_parcels: 0, pending_parcels: 0, on_hold_parcels: 0 };
  const { rows } =
    await sql<Outcomes>`select count(*) filter (where e.state_code = ${stateCode.failed})::int as failed_parcels,
      count(*) filter (where e.state_code = ${stateCode.ordering})::int as pending_parcels,
      count(*) filter (where e.state_code = ${stateCode.onHold})::int as on_hold_parcels
    from expresses e join import_rows w on w.express_id = e.id and w.import_id = ${id}
    where e.station_id = ${station_id} and e.state_code in (${stateCode.failed},
      ${stateCode.ordering}, ${stateCode.onHold})`.execute(work.tx);
  return firstOf(rows);
};

export const importOf = async (work: Work, id: number): Promise<ReadImport> => {
  const row = await getRow<Shown>(work, shown, id, [inScope(work, 'r')]);
  return {
    ...answered(row),
    ...(await outcomesOf(work, row)),
    pickups: await pickupsOf(work, id, row.quote),
  };
};

export interface ImportFilters extends Paging {
  station_id?: number | undefined;
  user_id?: number | undefined;
  status?: ImportStatus | undefined;
  q?: string | undefined;
  created_from?: string | undefined;
  created_to?: string | undefined;
}

export const importsOf = async (
  work: Work,
  filters: ImportFilters,
): Promise<Listed<ReadImport>> => {
  const conditions = filterConditions(filters, {
    station_id: equal,
    user_id: equal,
    status: equal,
    q: contains('r.file_name'),
    created_from: fromDay(sql.ref('r.created_at')),
    created_to: untilDay(sql.ref('r.created_at')),
  });
  const found = await listRows<Shown>(work, shown, {
    conditions: [inScope(work, 'r'), ...conditions],
    paging: uncounted(filters),
    sortable: ['-created_at', 'created_at'],
  });
  return { ...found, items: found.items.map((row) => ({ ...answered(row), ...unknownDetails })) };
};

/**
 * The largest number of imports whose file names are searched. `most`: in the whole network.
 * `ofEach`: for each of a few stations. `together`: for many stations in total.
 */
const named = { most: 10_000, ofEach: 2_000, together: 40_000 } as const;

/**
 * A search text without upper and lower case, such as Chinese, is compared exactly. An exact
 * comparison takes only two thirds of the time.
 */
const nameHas = (part: string): Condition =>
  part.toLowerCase() === part.toUpperCase()
    ? sql<boolean>`strpos(n.file_name, ${part}) > 0`
    : contains('n.file_name')(part);

/**
 * SQL: the newest imports of the whole network, or the newest imports of each station in scope.
 * They are read only from an index.
 */
const newestNamed = (work: Scoped): RawBuilder<unknown> => {
  const newest = (station: Condition, most: number) => sql`select i.id, i.created_at, i.file_name
    from imports i where ${all([station, inScope(work, 'i')])}
    order by i.created_at desc, i.id desc limit ${sql.lit(most)}`;
  const stations = stationSplit(work)?.values;
  if (stations === undefined) return newest(sql<boolean>`true`, named.most);
  const share = (imports: number) => Math.floor(imports / Math.max(stations.length, 1));
  const each = Math.min(Math.max(named.ofEach, share(named.most)), share(named.together));
  return sql`select n.id, n.created_at, n.file_name from unnest(${stations}::bigint[]) of_station (id)
    cross join lateral (${newest(sql<boolean>`i.station_id = of_station.id`, each)}) n`;
};

/**
 * The newest imports whose file name contains `name`, at most `most`. Only the newest imports in
 * scope are searched.
 */
export const newestImports = async (
  work: Work,
  name: string,
  most: number,
): Promise<Pick<Import, 'id' | 'file_name' | 'status' | 'created_at' | 'station_name'>[]> => {
  const { rows } = await sql<
    RowOf<'imports', 'id' | 'file_name' | 'status' | 'created_at'> & { station_name: string }
  >`select i.id, i.file_name, i.status, i.created_at, s.name as station_name
    from (select n.id from (${newestNamed(work)}) n where ${nameHas(name)}
      order by n.created_at desc, n.id desc limit ${sql.lit(most)}) found
    join imports i on i.id = found.id join stations s on s.id = i.station_id
    order by i.created_at desc, i.id desc`.execute(work.tx);
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
};

/**
 * Returns an import that is in one of these states; fails with `import_status` if it is in another
 * state.
 */
export const readStored = async (
  work: Work,
  id: number,
  statuses: readonly ImportStatus[],
): Promise<StoredImport> => {
  const { rows } = await sql<StoredImport>`select i.* from imports i where i.id = ${id}
    and ${inScope(work, 'i')}`.execute(work.tx);
  const row = rows[0] ?? fail('not_found');
  return statuses.includes(row.status) ? row : fail('import_status');
};

/**
 * Returns an import that is in one of these states, and locks it until the transaction ends. Fails
 * with `import_status` if it is in another state.
 */
export const lockImport = async (
  work: Work,
  id: number,
  statuses: readonly ImportStatus[],
): Promise<StoredImport> => {
  const { rows } = await sql<StoredImport>`select i.* from imports i where i.id = ${id}
    and ${inScope(work, 'i')} for no key update`.execute(work.tx);
  const row = rows[0] ?? fail('not_found');
  return statuses.includes(row.status) ? row : fail('import_status');
};

/** An import for a task, which is locked if it is still in one of these states; null otherwise. */
export const takeImport = async (
  work: Work,
  id: number,
  statuses: readonly ImportStatus[],
): Promise<StoredImport | null> => {
  const { rows } = await sql<StoredImport>`select * from imports where id = ${id}
    and status = any(${statuses}::text[]) for no key update`.execute(work.tx);
  return rows[0] ?? null;
};

/** Fails if another user changed the import since the caller read it. */
export const expectVersion = (row: Pick<StoredImport, 'version'>, version: number): void => {
  if (row.version !== version) fail('version_conflict');
};

export type ImportChanges = Partial<
  Omit<StoredImport, 'id' | 'version' | 'created_at' | 'updated_at'>
>;

const jsonColumns = new Set([
  'reason',
  'sheets',
  'columns',
  'mapping',
  'defaults',
  'counts',
  'quote',
]);

/** Writes columns of a locked import, and increases its version. */
export const writeImport = async (
  work: Work,
  id: number,
  changes: ImportChanges,
): Promise<void> => {
  const set = Object.entries(changes).map(
    ([name, value]) =>
      sql`${sql.ref(name)} = ${jsonColumns.has(name) && value !== null ? jsonText(value) : value}`,
  );
  await sql`update imports
    set ${sql.join([...set, sql`version = version + 1`, sql`updated_at = clock_timestamp()`])}
    where id = ${id}`.execute(work.tx);
};

/** Counts the rows of an import by mark. */
export const countMarks = async (work: Work, id: number): Promise<Import['counts']> => {
  const { rows } = await sql<{ mark: ImportMark; n: number }>`select mark, count(*) as n
    from import_rows where import_id = ${id} group by mark`.execute(work.tx);
  return { ...noCounts, ...Object.fromEntries(rows.map(({ mark, n }) => [mark, n])) };
};

/** Fails if the user has reached the limit of open imports. */
export const requireRoom = async (work: Work, user_id: number): Promise<void> => {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from (select 1 from imports where user_id = ${user_id}
    and status = any(${[...openStatuses]}::text[]) limit ${mostOpenImports}) x`.execute(work.tx);
  if (firstOf(rows).n >= mostOpenImports) fail('import_too_many', { limit: mostOpenImports });
};

/** The marks of all rows in the order of the file, one letter per row. */
export const marksOf = async (work: Work, id: number): Promise<string> => {
  const letters = Object.entries(importMarks).map(
    ([mark, letter]) => sql`when ${mark} then ${letter}`,
  );
  const { rows } = await sql<{
    marks: string | null;
  }>`select string_agg(case mark ${sql.join(letters, sql` `)} end, '' order by no) as marks
    from import_rows where import_id = ${id}`.execute(work.tx);
  return rows[0]?.marks ?? '';
};

export interface RowFilters extends Paging {
  /** The fields that are searched for `q`; all by default. */
  fields?: readonly ImportField[] | undefined;
  nos?: string | undefined;
  mark?: ImportMark | undefined;
  q?: string | undefined;
}

const rowColumns =
  'id no line mark values problems post_amount cal_weight choice express_id order_id delivery_id state_code state_txt reason version';

const shownRows = (id: number) =>
  namedRows(
    rowColumns,
    sql`(select w.no as id, w.no, w.line, w.mark, w.values, w.problems, p.post_amount,
      p.cal_weight, p.choice, w.express_id, e.order_id, e.delivery_id, e.state_code, e.state_txt,
    w.reason, w.version from import_rows w left
      join import_prices p on p.import_id = w.import_id and p.no = w.no left
      join expresses e on e.id = w.express_id where w.import_id = ${id})`,
  );

/** The rows of an import; the caller has checked that the user may read it. */
export const rowsOf = async (
  work: Work,
  id: number,
  { nos, mark, q, fields, ...paging }: RowFilters,
): Promise<Listed<ImportRow>> => {
  const found = (text: string) =>
    fields === undefined
      ? sql<boolean>`strpos(r.values::text, ${text}) > 0`
      : sql<boolean>`exists (select 1 from jsonb_each_text(r.values) v
        where v.key = any(${fields}::text[]) and strpos(v.value, ${text}) > 0)`;
  const conditions = filterConditions({ mark, q }, { mark: equal, q: found });
  const wanted = nos?.split(',').map(Number) ?? [];
  const from = shownRows(id);
  if (nos === undefined)
    return listRows<ImportRow & { id: number }>(work, from, {
      conditions,
      paging: uncounted(paging),
      sortable: ['no'],
    });
  const { rows } = await sql<ImportRow & { id: number }>`select ${from.columns} from ${from.rows} r
    where ${all([sql<boolean>`r.no = any(${wanted}::int[])`, ...conditions])}
    order by r.no`.execute(work.tx);
  return { items: rows, total: rows.length, total_is_capped: 0, next_cursor: null };
};

export const rowOf = async (work: Work, id: number, no: number): Promise<ImportRow> =>
  (await rowsOf(work, id, { nos: String(no) })).items[0] ?? fail('not_found');
