import type { ImportMark } from '@waystation/contract/import.ts';
import { mostTouchedRows } from '@waystation/contract/limits.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { changeMarks, countChanged } from './marks.ts';

/** Days that parcels are compared with; enough for a sheet that is sent twice, few enough to read. */
const comparedDays = 30;
const codes = ['import_repeats_row', 'import_ordered_before'];

/** Rows before they are ordered; others keep what was said about them. */
const unordered = sql`('ok', 'repaired', 'warning')`;

/** What is said about rows apart from repeats, and the mark of that alone. */
const plain = sql`(select coalesce(jsonb_agg(p), '[]') from jsonb_array_elements(w.problems) p where p -> 'reason' ->> 'code' <> all(${codes}::text[]))`;
/** The mark of a row that has its fields and no error. */
export const markOf = (problems: ReturnType<typeof sql>) => sql`case when ${problems} @> '[{"level": "warning"}]' then 'warning'
    when ${problems} @> '[{"level": "repaired"}]' then 'repaired' else 'ok' end`;

/** How many rows were changed, and the first of them. */
export interface Touched {
  rows: number;
  first: { no: number; mark: ImportMark }[];
}
const most = mostTouchedRows + 1;

/**
 * Says of each row that equals an earlier one of its import, and of each parcel that its station ordered for the same recipient with the same goods in the last days,
 * and takes back what no longer holds. `keys`: rows with these keys alone. The day is all that is said of an earlier parcel: it may be a colleague's.
 * Returns the rows of which something else is said now.
 */
export const markRepeats = async (tx: Tx, import_id: number, station_id: number, now: Date, keys: readonly Buffer[] | null = null): Promise<Touched> => {
  const wanted = keys === null ? sql`true` : sql`w.key = any(${keys}::bytea[])`;
  const since = new Date(now.getTime() - comparedDays * 86_400_000);
  const change = sql`
    with mine as materialized (select w.no, w.line, w.key, w.fields, ${plain} as problems, w.mark from import_rows w
        where w.import_id = ${import_id} and w.key is not null and w.mark in ${unordered} and ${wanted}),
      firsts as materialized (select w.key, min(w.no) as no, min(w.line) as line from import_rows w
        where w.import_id = ${import_id} and w.key in (select key from mine) and w.mark <> 'excluded' group by w.key),
      phones as materialized (select distinct reverse(phone_digits(fields ->> 'receive_phone')) as key from mine),
      -- The cast of the row's values to text is what the index compares.
      before as materialized (select e.receive_phone, e.receive_name, e.goods, max(e.created_at) as at from phones p
        join express_keys k on k.station_id = ${station_id} and k.kind = 3 and k.key = p.key
        join expresses e on e.id = k.express_id and e.created_at >= ${since} and e.state_code not in (0, 90, 600)
          and not exists (select 1 from import_rows own where own.express_id = e.id and own.import_id = ${import_id})
        group by 1, 2, 3),
      said as (select m.no, m.mark as was, m.problems
          || case when f.no < m.no then jsonb_build_array(jsonb_build_object('field', null, 'level', 'warning',
              'reason', jsonb_build_object('code', 'import_repeats_row', 'params', jsonb_build_object('line', f.line)))) else '[]' end
          || case when b.at is not null then jsonb_build_array(jsonb_build_object('field', null, 'level', 'warning',
              'reason', jsonb_build_object('code', 'import_ordered_before', 'params', jsonb_build_object('day', business_day(b.at)::text)))) else '[]' end as problems
        from mine m join firsts f on f.key = m.key
          left join before b on b.receive_phone = m.fields ->> 'receive_phone' and b.receive_name = m.fields ->> 'receive_name' and b.goods = m.fields ->> 'goods'),
      marked as (select no, was, problems, ${markOf(sql`problems`)} as mark from said)
    update import_rows w set problems = x.problems, mark = x.mark from marked x
      where w.import_id = ${import_id} and w.no = x.no and (w.problems <> x.problems or w.mark <> x.mark) returning w.no, x.was, w.mark`;
  return changeMarks<Touched>(
    tx,
    import_id,
    change,
    sql`count(*)::int as rows, coalesce((select jsonb_agg(jsonb_build_object('no', no, 'mark', mark)) from (select * from changed order by no limit ${most}) x), '[]') as first`,
  );
};

/** Writes checked rows by their numbers, without what repeats say (`markRepeats`). Rows that are left out, or ordered, keep their mark. */
export const writeChecked = async (
  tx: Tx,
  import_id: number,
  rows: readonly { no: number; values: object; fields: object | null; problems: object; mark: string; key: string | null; edits?: object }[],
): Promise<void> => {
  const change = sql`update import_rows w set "values" = x.values, fields = x.fields, problems = x.problems, key = case when x.key is null then null else sha256(convert_to(x.key, 'UTF8')) end,
      mark = case when w.mark = 'excluded' then w.mark else x.mark end, reason = case when w.mark = 'excluded' then w.reason end, post_amount = null, cal_weight = null, promise_id = '', edits = coalesce(x.edits, w.edits),
      version = w.version + 1
    from jsonb_to_recordset(${jsonText(rows)}::jsonb) as x (no int, "values" jsonb, fields jsonb, problems jsonb, mark text, key text, edits jsonb)
      join import_rows o on o.import_id = ${import_id} and o.no = x.no
    where w.import_id = ${import_id} and w.no = x.no returning w.no, o.mark as was, w.mark`;
  await countChanged(tx, import_id, change);
};
