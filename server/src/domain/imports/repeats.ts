import { stateCode } from '@waystation/contract/express-states.ts';
import type { ImportMark } from '@waystation/contract/import.ts';
import { mostTouchedRows } from '@waystation/contract/limits.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { countChanged, within } from './marks.ts';

/** Days that parcels are compared with; enough for a sheet that is sent twice, few enough to read. */
const comparedDays = 30;
const daysBefore = (now: Date): Date => new Date(now.getTime() - comparedDays * 86_400_000);
const codes = ['import_repeats_row', 'import_ordered_before'];
/** Whether it is said because of another row or parcel. */
export const isRepeat = ({ code }: { code: string }): boolean => codes.includes(code);
/** A parcel in one of these states was not sent to anybody. */
const unsent = [stateCode.draft, stateCode.failed, stateCode.cancelled];

/** What is said about a row apart from repeats. */
const plain = sql`(select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(x.problems) p where p -> 'reason' ->> 'code' <> all(${codes}::text[]))`;
/** The mark of a row that has its fields and no error. */
export const markOf = (problems: ReturnType<typeof sql>) => sql`case when ${problems} @> '[{"level": "warning"}]' then 'warning'
    when ${problems} @> '[{"level": "repaired"}]' then 'repaired' else 'ok' end`;

/** How many rows were changed, and the first of them. */
export interface Touched {
  rows: number;
  first: { no: number; mark: ImportMark }[];
}
const most = mostTouchedRows + 1;
/** Rows that one statement changes. */
const slice = 1_000;

type Said = RowOf<'import_rows', 'no' | 'problems' | 'mark'>;

const warning = (code: string, params: ReturnType<typeof sql>) =>
  sql`jsonb_build_array(jsonb_build_object('field', null, 'level', 'warning', 'reason', jsonb_build_object('code', ${code}::text, 'params', ${params})))`;

/**
 * The rows of which something else is to be said than is, in their order. Each is read once, and rows alike are brought together by sorting: a join of an
 * import with itself compares each row with each while the statistics know nothing of it yet.
 */
const changesOf = async (tx: Tx, import_id: number, station_id: number, since: Date, keys: readonly Buffer[] | null): Promise<Said[]> => {
  const wanted = keys === null ? sql`true` : sql`w.key = any(${keys}::bytea[])`;
  const { rows } = await sql<Said>`
    with own as materialized (select w.no, w.line, w.problems, w.mark, w.fields ->> 'receive_phone' as phone, w.fields ->> 'receive_name' as name, w.fields ->> 'goods' as goods,
          first_value(w.no) over alike as first_no, first_value(w.line) over alike as first_line
        from import_rows w where w.import_id = ${import_id} and w.key is not null and w.mark <> 'excluded' and ${wanted}
        window alike as (partition by w.key order by w.no)),
      mine as materialized (select * from own where mark in ('ok', 'repaired', 'warning')),
      phones as materialized (select distinct reverse(phone_digits(phone)) as key from mine),
      -- The cast of the row's values to text is what the index compares.
      before as (select e.receive_phone as phone, e.receive_name as name, e.goods, max(e.created_at) as at from phones p
        join express_keys k on k.station_id = ${station_id} and k.kind = 3 and k.key = p.key
        join expresses e on e.id = k.express_id and e.created_at >= ${since} and e.state_code <> all(${unsent}::smallint[])
          and not exists (select 1 from import_rows own where own.express_id = e.id and own.import_id = ${import_id})
        group by 1, 2, 3),
      together as (select x.*, max(at) over (partition by phone, name, goods) as before_at from (
        select no, problems, mark, first_no, first_line, phone, name, goods, null::timestamptz as at from mine
        union all select null, null, null, null, null, phone, name, goods, at from before) x),
      said as (select x.no, x.mark as was, x.problems as had, ${plain}
          || case when first_no < no then ${warning('import_repeats_row', sql`jsonb_build_object('line', first_line)`)} else '[]' end
          || case when before_at is not null then ${warning('import_ordered_before', sql`jsonb_build_object('day', business_day(before_at)::text)`)} else '[]' end as problems
        from together x where no is not null),
      marked as (select no, problems, had, was, ${markOf(sql`problems`)} as mark from said)
    select no, problems, mark from marked where problems <> had or mark <> was order by no`.execute(tx);
  return rows;
};

/**
 * Says of each row that equals an earlier one of its import, and of each parcel that its station ordered for the same recipient with the same goods in the last days,
 * and takes back what no longer holds. `keys`: rows with these keys alone. The day is all that is said of an earlier parcel: it may be a colleague's.
 * Returns the rows of which something else is said now.
 */
export const markRepeats = async (tx: Tx, import_id: number, station_id: number, now: Date, keys: readonly Buffer[] | null = null): Promise<Touched> => {
  const changes = await changesOf(tx, import_id, station_id, daysBefore(now), keys);
  for (let from = 0; from < changes.length; from += slice) {
    const rows = changes.slice(from, from + slice);
    const numbers = rows.map(({ no }) => no);
    const change = sql`update import_rows w set problems = x.problems, mark = x.mark from jsonb_to_recordset(${jsonText(rows)}::jsonb) as x (no int, problems jsonb, mark text)
        join import_rows o on o.import_id = ${import_id} and o.no = x.no and ${within('o', numbers)}
      where w.import_id = ${import_id} and w.no = x.no and ${within('w', numbers)} returning w.no, o.mark as was, w.mark`;
    await countChanged(tx, import_id, change);
  }
  return { rows: changes.length, first: changes.slice(0, most).map(({ no, mark }) => ({ no, mark })) };
};

/**
 * Rows for whose recipient the station has ordered the same goods by a parcel that no warning of the row names: it was ordered, or tried again, after the row was
 * checked. With the day of that parcel, by the row's number.
 */
export const unwarnedRepeats = async (tx: Tx, import_id: number, station_id: number, now: Date, nos: readonly number[]): Promise<Map<number, string>> => {
  const { rows } = await sql<{ no: number; day: string }>`
    with own as materialized (select w.no, w.fields ->> 'receive_phone' as phone, w.fields ->> 'receive_name' as name, w.fields ->> 'goods' as goods from import_rows w
      where w.import_id = ${import_id} and ${within('w', nos)} and w.no = any(${nos}::int[])
        and not w.problems @> '[{"reason": {"code": "import_ordered_before"}}]')
    select o.no, business_day(max(e.created_at))::text as day from own o
      join express_keys k on k.station_id = ${station_id} and k.kind = 3 and k.key = reverse(phone_digits(o.phone))
      join expresses e on e.id = k.express_id and e.created_at >= ${daysBefore(now)} and e.state_code <> all(${unsent}::smallint[])
        and (e.receive_phone, e.receive_name, e.goods) = (o.phone, o.name, o.goods)
        and not exists (select 1 from import_rows w where w.express_id = e.id and w.import_id = ${import_id})
      group by o.no`.execute(tx);
  return new Map(rows.map(({ no, day }) => [no, day]));
};

/** Writes checked rows by their numbers, without what repeats say (`markRepeats`); what they cost is no longer known. Rows that are left out, or ordered, keep their mark. */
export const writeChecked = async (
  tx: Tx,
  import_id: number,
  rows: readonly { no: number; values: object; fields: object | null; problems: object; mark: string; key: string | null; edits?: object }[],
): Promise<void> => {
  const nos = rows.map(({ no }) => no);
  const change = sql`update import_rows w set "values" = x.values, fields = x.fields, problems = x.problems, key = case when x.key is null then null else sha256(convert_to(x.key, 'UTF8')) end,
      mark = case when w.mark = 'excluded' then w.mark else x.mark end, reason = case when w.mark = 'excluded' then w.reason end, edits = coalesce(x.edits, w.edits),
      version = w.version + 1
    from jsonb_to_recordset(${jsonText(rows)}::jsonb) as x (no int, "values" jsonb, fields jsonb, problems jsonb, mark text, key text, edits jsonb)
      join import_rows o on o.import_id = ${import_id} and o.no = x.no and ${within('o', nos)}
    where w.import_id = ${import_id} and w.no = x.no and ${within('w', nos)} returning w.no, o.mark as was, w.mark`;
  await countChanged(tx, import_id, change);
  await sql`delete from import_prices where import_id = ${import_id} and no = any(${nos}::int[])`.execute(tx);
};
