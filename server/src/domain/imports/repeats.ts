import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { ImportMark } from '@waystation/contract/imports/import.ts';
import { mostTouchedRows } from '@waystation/contract/base/limits.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { countChanged, within } from './marks.ts';

/**
 * The number of past days whose parcels are compared. This is enough to find a sheet that is sent
 * twice, and few enough to read quickly.
 */
const comparedDays = 30;
const daysBefore = (now: Date): Date => new Date(now.getTime() - comparedDays * 86_400_000);
const codes = [
  'import_repeats_row',
  'import_ordered_before',
  'import_same_order',
  'import_order_before',
  'import_order_elsewhere',
];
/**
 * The largest number of other open imports of the station whose order numbers are compared. The
 * newest imports are compared.
 */
const comparedImports = 5;
/**
 * The largest number of parcels with the same order number that are read to find an ordered one.
 * The newest parcels are read first.
 */
const comparedParcels = 20;
/** True if the problem is about another row or parcel. */
export const isRepeat = ({ code }: { code: string }): boolean => codes.includes(code);
/** The states of parcels that were not sent. */
const unsent = [stateCode.draft, stateCode.failed, stateCode.cancelled];

/** SQL: the problems of a row, apart from its problems about repeats. */
const plain = sql`(select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(x.problems) p
  where p -> 'reason' ->> 'code' <> all(${codes}::text[]))`;
/** SQL: the mark of a row without errors: `warning`, `repaired` or `ok`. */
export const markOf = (problems: ReturnType<typeof sql>) => sql`case
  when ${problems} @> '[{"level": "warning"}]' then 'warning'
    when ${problems} @> '[{"level": "repaired"}]' then 'repaired' else 'ok' end`;

/** The number of changed rows, and the first changed rows. */
export interface Touched {
  rows: number;
  first: { no: number; mark: ImportMark }[];
}
const most = mostTouchedRows + 1;
/** The number of rows that one statement changes. */
const slice = 1_000;

type Sql = ReturnType<typeof sql>;
type Said = RowOf<'import_rows', 'no' | 'problems' | 'mark'>;

/**
 * The rows to compare after some rows were changed: rows whose key or order number equals the
 * changed rows' key or order number, before or after the change.
 */
export interface Changed {
  keys: readonly Buffer[];
  orders: readonly (string | undefined)[];
}

const warning = (field: string | null, code: string, params: Sql) =>
  sql`jsonb_build_array(jsonb_build_object('field', ${field}::text, 'level', 'warning',
    'reason', jsonb_build_object('code', ${code}::text, 'params', ${params})))`;

/**
 * SQL: the time at which the station last created a parcel with the order number in the column
 * `order`. Parcels of this import, and parcels that were not ordered, do not count.
 */
const sentBefore = (
  import_id: number,
  station_id: number,
  order: Sql,
): Sql => sql`select max(e.created_at) as at
  from (select k.express_id from express_keys k where k.station_id = ${station_id}
    and k.kind = 1 and k.key = ${order} order by k.express_id desc limit ${comparedParcels}) k
  join expresses e on e.id = k.express_id and upper(e.thr_order_id) = ${order}
    and e.state_code <> all(${unsent}::smallint[])
    and not exists (select 1 from import_rows own where own.express_id = e.id
      and own.import_id = ${import_id})`;

/** SQL: the order numbers whose rows must be compared after a change. */
const changedOrders = (import_id: number, { keys, orders }: Changed): Sql => {
  const before = orders.flatMap((order) => (order ? [order.toUpperCase()] : []));
  return sql`(array(select k.order_no from import_rows k where k.import_id = ${import_id}
    and k.key = any(${keys}::bytea[]) and k.order_no is not null) || ${before}::text[])`;
};

/**
 * SQL condition for the rows to compare: all rows if `changed` is null, else the rows that the
 * change may affect.
 */
const wantedRows = (import_id: number, changed: Changed | null): Sql =>
  changed === null
    ? sql`true`
    : sql`(w.key = any(${changed.keys}::bytea[])
    or w.order_no = any(${changedOrders(import_id, changed)}))`;

/** The newest other imports of the station whose rows wait to be ordered. */
const otherImports = async (
  work: Work,
  import_id: number,
  station_id: number,
): Promise<number[]> => {
  const { rows } = await sql<RowOf<'imports', 'id'>>`select id from imports
    where station_id = ${station_id} and id <> ${import_id}
    and status in ('checking', 'ready', 'ordering', 'paused') order by id desc
      limit ${comparedImports}`.execute(work.tx);
  return rows.map(({ id }) => id);
};

/**
 * SQL: the warnings of a row that equals an earlier row of its import, a parcel that was ordered
 * before, or a row of another import.
 */
const repeatWarnings = sql`case when first_no < no
      then ${warning(null, 'import_repeats_row', sql`jsonb_build_object('line', first_line)`)}
    when order_no is not null and order_first < no
      then ${warning(
        'thr_order_id',
        'import_same_order',
        sql`jsonb_build_object('line', order_line)`,
      )} else '[]' end
  || case when before_at is not null
      then ${warning(
        null,
        'import_ordered_before',
        sql`jsonb_build_object('day', business_day(before_at)::text)`,
      )}
    when order_at is not null
      then ${warning(
        'thr_order_id',
        'import_order_before',
        sql`jsonb_build_object('day', business_day(order_at)::text)`,
      )} else '[]' end
  || case when other_at is not null
      then ${warning(
        'thr_order_id',
        'import_order_elsewhere',
        sql`jsonb_build_object('day', business_day(other_at)::text, 'line', other_line)`,
      )} else '[]' end`;

/**
 * The rows whose problems have changed, in order. Each row is read once, and equal rows are found
 * by sorting. A join of an import with itself would compare every row with every row while there
 * are no statistics.
 */
const changesOf = async (
  work: Work,
  { import_id, station_id, now }: Compared,
  changed: Changed | null,
): Promise<Said[]> => {
  const others = await otherImports(work, import_id, station_id);
  const { rows } = await sql<Said>`
    with own as materialized (select w.no, w.line, w.problems, w.mark, w.fields ->> 'receive_phone' as phone, w.fields ->> 'receive_name' as name, w.fields ->> 'goods' as goods,
          w.order_no, first_value(w.no) over alike as first_no, first_value(w.line) over alike as first_line
        from import_rows w where w.import_id = ${import_id} and w.key is not null and w.mark <> 'excluded' and ${wantedRows(import_id, changed)}
        window alike as (partition by w.key order by w.no)),
      numbered as materialized (select *, case when order_no is not null then first_value(line) over same end as order_line, first_value(no) over same as order_first
        from own window same as (partition by order_no order by no)),
      mine as materialized (select * from numbered where mark in ('ok', 'repaired', 'warning')),
      phones as materialized (select distinct reverse(phone_digits(phone)) as key from mine),
      orders as materialized (select distinct order_no from mine where order_no is not null),
      -- The cast of the row's values to text is what the index compares.
      before as (select e.receive_phone as phone, e.receive_name as name, e.goods, max(e.created_at) as at from phones p
        join express_keys k on k.station_id = ${station_id} and k.kind = 3 and k.key = p.key
        join expresses e on e.id = k.express_id and e.created_at >= ${daysBefore(now)} and e.state_code <> all(${unsent}::smallint[])
          and not exists (select 1 from import_rows own where own.express_id = e.id and own.import_id = ${import_id})
        group by 1, 2, 3),
      sent as (select o.order_no, b.at from orders o cross join lateral (${sentBefore(import_id, station_id, sql`o.order_no`)}) b where b.at is not null),
      waiting as (select w.order_no, max(i.created_at) as at, (array_agg(w.line order by i.created_at desc, w.no))[1] as line from imports i join import_rows w on w.import_id = i.id
        where i.id = any(${others}::bigint[]) and w.order_no is not null and w.mark in ('ok', 'repaired', 'warning', 'waiting')
          and ${changed === null ? sql`true` : sql`w.order_no = any(${changedOrders(import_id, changed)})`} group by 1),
      together as (select x.*, max(at) over (partition by phone, name, goods) as before_at,
          case when order_no is not null then max(sent_at) over same end as order_at, case when order_no is not null then max(waiting_at) over same end as other_at,
          case when order_no is not null then max(waiting_line) over same end as other_line from (
        select no, problems, mark, first_no, first_line, order_first, order_line, phone, name, goods, order_no,
          null::timestamptz as at, null::timestamptz as sent_at, null::timestamptz as waiting_at, null::int as waiting_line from mine
        union all select null, null, null, null, null, null, null, phone, name, goods, null, at, null, null, null from before
        union all select null, null, null, null, null, null, null, null, null, null, order_no, null, at, null, null from sent
        union all select null, null, null, null, null, null, null, null, null, null, order_no, null, null, at, line from waiting) x
        window same as (partition by order_no)),
      said as (select x.no, x.mark as was, x.problems as had, ${plain} || ${repeatWarnings} as problems
        from together x where no is not null),
      marked as (select no, problems, had, was, ${markOf(sql`problems`)} as mark from said)
    select no, problems, mark from marked where problems <> had or mark <> was order by no`.execute(
    work.tx,
  );
  return rows;
};

export interface Compared {
  import_id: number;
  station_id: number;
  now: Date;
}

/**
 * Updates the repeat problems of rows. A row repeats an earlier row of its import if both are equal
 * or have the same order number. It repeats a recent parcel of its station if both have the same
 * recipient and goods, or the same order number. `changed`: only rows that a change may concern.
 * The problem contains only the day of the parcel, because the parcel may be a colleague's. Returns
 * the rows whose problems changed.
 */
export const markRepeats = async (
  work: Work,
  compared: Compared,
  changed: Changed | null = null,
): Promise<Touched> => {
  const { import_id } = compared;
  const changes = await changesOf(work, compared, changed);
  for (let from = 0; from < changes.length; from += slice) {
    const rows = changes.slice(from, from + slice);
    const numbers = rows.map(({ no }) => no);
    const change = sql`update import_rows w set problems = x.problems, mark = x.mark
      from jsonb_to_recordset(${jsonText(rows)}::jsonb) as x (no int, problems jsonb,
      mark text)
        join import_rows o on o.import_id = ${import_id} and o.no = x.no
          and ${within('o', numbers)}
      where w.import_id = ${import_id} and w.no = x.no and ${within('w', numbers)}
        returning w.no, o.mark as was, w.mark`;
    await countChanged(work, import_id, change);
  }
  return {
    rows: changes.length,
    first: changes.slice(0, most).map(({ no, mark }) => ({ no, mark })),
  };
};

/**
 * Rows that equal a parcel about which they have no warning, because the parcel was ordered after
 * the check. Equal means the same goods for the same recipient, or the same order number. Returns
 * the reason by row number.
 */
export const unwarnedRepeats = async (
  work: Work,
  { import_id, station_id, now }: Compared,
  nos: readonly number[],
): Promise<Map<number, Reason>> => {
  const { rows } = await sql<{ no: number; code: string; day: string }>`
    with own as materialized (select w.no, w.fields ->> 'receive_phone' as phone,
      w.fields ->> 'receive_name' as name, w.fields ->> 'goods' as goods,
        w.order_no, w.problems
      from import_rows w where w.import_id = ${import_id} and ${within('w', nos)}
        and w.no = any(${nos}::int[])
        and not w.problems @> '[{"reason": {"code": "import_ordered_before"}}]')
    select o.no, 'import_order_before' as code, business_day(b.at)::text as day from own o
      cross join lateral (${sentBefore(import_id, station_id, sql`o.order_no`)}) b
      where o.order_no is not null and b.at is not null
        and not o.problems @> '[{"reason": {"code": "import_order_before"}}]'
        and not o.problems @> '[{"reason": {"code": "import_order_elsewhere"}}]'
    union all select o.no, 'import_ordered_before', business_day(max(e.created_at))::text
      from own o
      join express_keys k on k.station_id = ${station_id} and k.kind = 3
        and k.key = reverse(phone_digits(o.phone))
      join expresses e on e.id = k.express_id and e.created_at >= ${daysBefore(now)}
        and e.state_code <> all(${unsent}::smallint[])
        and (e.receive_phone, e.receive_name, e.goods) = (o.phone, o.name, o.goods)
        and not exists (select 1 from import_rows w where w.express_id = e.id
          and w.import_id = ${import_id})
      group by o.no`.execute(work.tx);
  return new Map(rows.map(({ no, code, day }) => [no, { code, params: { day } }]));
};

/**
 * Writes checked rows by their numbers. Their problems do not contain repeats, which `markRepeats`
 * adds, and their prices become unknown. Excluded and ordered rows keep their mark.
 */
export const writeChecked = async (
  work: Work,
  import_id: number,
  rows: readonly {
    no: number;
    values: object;
    fields: object | null;
    problems: object;
    mark: string;
    key: string | null;
    edits?: object;
  }[],
): Promise<void> => {
  const nos = rows.map(({ no }) => no);
  const change = sql`update import_rows w set "values" = x.values, fields = x.fields,
    problems = x.problems, key = case when x.key is null then null
    else sha256(convert_to(x.key, 'UTF8')) end,
      mark = case when w.mark = 'excluded' then w.mark else x.mark end, reason = case
        when w.mark = 'excluded' then w.reason end, edits = coalesce(x.edits, w.edits),
      version = w.version + 1
    from jsonb_to_recordset(${jsonText(rows)}::jsonb) as x (no int, "values" jsonb,
      fields jsonb, problems jsonb, mark text, key text, edits jsonb)
      join import_rows o on o.import_id = ${import_id} and o.no = x.no and ${within('o', nos)}
    where w.import_id = ${import_id} and w.no = x.no and ${within('w', nos)}
      returning w.no, o.mark as was, w.mark`;
  await countChanged(work, import_id, change);
  await sql`delete from import_prices where import_id = ${import_id}
    and no = any(${nos}::int[])`.execute(work.tx);
};
