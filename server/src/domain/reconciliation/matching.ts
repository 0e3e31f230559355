import type { Terms } from '@waystation/contract/money/terms.ts';
import { lastOf } from '@waystation/contract/base/present.ts';
import { previewDifference } from '#domain/express/express-reads.ts';
import { priceColumns } from '#domain/offers/offers.ts';
import type { PriceFacts } from '#domain/offers/offers.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { sqlMonthStart } from '#platform/db/days.ts';
import { systemScope } from '#platform/db/scope.ts';
import { billUnits } from './bill-units.ts';
import { understand } from './figures.ts';
import { queueEqualFacts } from './queues.ts';
import { refreshStatus } from './store.ts';
import type { Bill, BillContext } from './store.ts';
import { readSettings } from '#platform/settings.ts';

const scope = systemScope('matching of a bill');
const slice = 1_000;
const effectSlice = 200;

/** The locked bill; undefined if it is not being matched any more. */
const matchingBill = (work: Work, id: number): Promise<RowOf<'reconciliations'> | undefined> =>
  work.tx
    .selectFrom('reconciliations')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'matching')
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Reads the values of the next lines with the bill's mapping. Returns false if no line is left. */
const understandSome = async (work: Work, id: number): Promise<boolean> => {
  const bill = await matchingBill(work, id);
  if (!bill) return false;
  const rows = await work.tx
    .selectFrom('reconciliation_rows')
    .select(['id', 'no', 'cells', 'bucket', 'problem', 'delivery_id', 'customer_code', 'fee'])
    .select(['their_weight', 'their_amount'])
    .where('reconciliation_id', '=', id)
    .where('no', '>', bill.understood)
    .orderBy('no')
    .limit(slice)
    // Lines of the file have a number; lines for missing parcels have none.
    .$narrowType<{ no: number }>()
    .execute();
  const last = rows.at(-1);
  if (!last) return false;
  const units = billUnits(bill.columns, bill.mapping, bill.weight_unit);
  // An erased line has no cells any more and keeps the values that were read from it.
  const lines = rows.map(({ cells, ...row }) =>
    cells === null
      ? { ...row, stated_amount: null }
      : { id: row.id, ...understand(cells, bill.mapping, units) },
  );
  await sql`update reconciliation_rows r set bucket = l.bucket, decision = 'open',
    problem = l.problem, delivery_id = l.delivery_id, customer_code = l.customer_code,
    fee = l.fee,
      their_weight = l.their_weight, their_amount = l.their_amount, head_id = null,
        total_weight = null, total_amount = null, express_id = null, station_id = null,
      our_customer_code = null, our_weight = null, our_amount = null, within_tolerance = 0,
        effect_amount = null
    from jsonb_to_recordset(${jsonText(lines)}::jsonb) as l (id bigint, bucket text,
      problem jsonb, delivery_id text, customer_code text, fee text, their_weight integer,
      their_amount bigint)
    where r.id = l.id`.execute(work.tx);
  const stated =
    lines.findLast(({ stated_amount }) => stated_amount !== null)?.stated_amount ?? null;
  await sql`update reconciliations set understood = ${last.no},
    stated_amount = coalesce(${stated}::bigint, stated_amount), updated_at = clock_timestamp()
    where id = ${id}`.execute(work.tx);
  return true;
};

/** True for the lines of a bill that were read and can be matched. */
const readable = (id: number) => sql<boolean>`r.reconciliation_id = ${id} and r.no is not null
  and r.bucket is not null and r.bucket <> 'unreadable'`;

/**
 * Finds the parcel of each line by its waybill or return waybill. Marks a line whose customer code
 * is unknown or is not the parcel's.
 */
const findParcels = async (
  work: Work,
  { id, provider }: Pick<Bill, 'id' | 'provider'>,
): Promise<void> => {
  await sql`with found as materialized (
      select r.id, r.customer_code, e.id as express_id, e.station_id,
        e.customer_code as our_code,
        r.customer_code <> '' and not exists (select 1 from merchants m
          where m.provider = ${provider} and m.customer_code = r.customer_code) as unknown
      from reconciliation_rows r left join lateral (
        select e.id, e.station_id, e.customer_code from expresses e
          where e.provider = ${provider} and e.delivery_id = r.delivery_id
        union all select e.id, e.station_id, e.customer_code from expresses e
          where e.provider = ${provider} and e.return_delivery_id = r.delivery_id
          limit 1) e on true
      where ${readable(id)}
    ), judged as (select f.*, f.unknown or (f.customer_code <> '' and f.our_code <> ''
      and f.customer_code <> f.our_code) as other from found f)
    update reconciliation_rows r set express_id = j.express_id, station_id = j.station_id,
      our_customer_code = j.our_code, decision = 'open', head_id = null,
      bucket = case when j.other then 'other_code' else 'only_theirs'
        end, our_weight = null, our_amount = null, effect_amount = null, within_tolerance = 0,
      problem = case when j.unknown then jsonb_build_object('code', 'bill_code_unknown',
        'params', jsonb_build_object('customer_code', j.customer_code))
        when j.other then jsonb_build_object('code', 'bill_code_other', 'params',
          jsonb_build_object('customer_code', j.customer_code, 'our_code', j.our_code)) end
    from judged j where r.id = j.id`.execute(work.tx);
  // A line that cannot be read still belongs to its parcel, so that the parcel does not count as
  // missing.
  await sql`update reconciliation_rows r set express_id = e.id, station_id = e.station_id,
    our_customer_code = e.customer_code
    from expresses e where r.reconciliation_id = ${id} and r.bucket = 'unreadable'
      and r.delivery_id is not null and e.provider = ${provider}
      and r.delivery_id in (e.delivery_id, e.return_delivery_id)`.execute(work.tx);
};

/**
 * Marks lines that repeat the waybill and fee of another line of this bill, and lines that an
 * earlier accepted bill contains.
 */
const findRepeats = async (
  work: Work,
  { id, provider }: Pick<Bill, 'id' | 'provider'>,
): Promise<void> => {
  await sql`with counted as (
      select r.id, row_number() over same as n, first_value(r.no) over same as first_no
        from reconciliation_rows r where ${readable(id)} and r.bucket = 'only_theirs'
      window same as (partition by r.delivery_id, r.fee order by r.no))
    update reconciliation_rows r set bucket = 'duplicate',
      problem = jsonb_build_object('code', 'bill_repeats', 'params',
      jsonb_build_object('no', c.first_no))
    from counted c where r.id = c.id and c.n > 1`.execute(work.tx);
  await sql`with before as materialized (
      select r.id, o.reconciliation_id, o.period from reconciliation_rows r cross
        join lateral (
        select o.reconciliation_id, c.period from reconciliation_rows o
          join reconciliations c on c.id = o.reconciliation_id
        where o.delivery_id = r.delivery_id and o.fee = r.fee and o.reconciliation_id <> ${id}
          and o.no is not null and c.provider = ${provider} and c.status <> 'discarded'
          and (o.decision = 'accepted' or (o.decision = 'settled' and o.bucket = 'equal'))
            limit 1) o
      where ${readable(id)} and r.bucket = 'only_theirs')
    update reconciliation_rows r set bucket = 'duplicate',
      problem = jsonb_build_object('code', 'bill_billed_before', 'params',
        jsonb_build_object('reconciliation_id', b.reconciliation_id, 'period', b.period))
    from before b where r.id = b.id`.execute(work.tx);
};

/** SQL for the sum of the parcel's fees in accepted lines of other bills. */
export const billedElsewhere = (
  express: ReturnType<typeof sql>,
  bill_id: number,
) => sql<number>`(select coalesce(sum(o.their_amount),
  0)::bigint
  from reconciliation_rows o join reconciliations c on c.id = o.reconciliation_id
  where o.express_id = ${express} and o.reconciliation_id <> ${bill_id}
    and o.bucket in ('equal', 'weight_differs', 'price_differs')
    and o.decision in ('accepted', 'settled') and c.status <> 'discarded')`;

/**
 * Compares all lines of a parcel with our figures, the weight before the price. A bill has either
 * the measured or the calculated weight of the carrier, so a weight that equals one of the two
 * agrees. If the parcel was never weighed, a weight that equals the billed weight agrees.
 */
const compare = async (
  work: Work,
  {
    id,
    weight_tolerance,
    amount_tolerance,
  }: Pick<Bill, 'id' | 'weight_tolerance' | 'amount_tolerance'>,
): Promise<void> => {
  const { charge_cost_times, charge_least_amount } = await readSettings(work);
  await sql`with summed as materialized (
      select r.express_id, min(r.id) as head_id, min(r.no) as head_no, count(*) as n,
        sum(r.their_amount)::bigint as amount,
        max(r.their_weight) filter (where r.delivery_id = upper(e.delivery_id)) as weight
      from reconciliation_rows r cross join lateral (select e.delivery_id from expresses e
        where e.id = r.express_id limit 1) e
      where ${readable(id)} and r.bucket = 'only_theirs' group by 1
    ), known as materialized (
      select s.*, s.amount + ${billedElsewhere(sql`s.express_id`, id)} as total, e.jd_amount,
        e.jd_weight, coalesce(e.jd_weight, e.cal_weight) as ours, e.jd_cal_weight
      from summed s cross join lateral (select e.jd_amount, e.jd_weight, e.cal_weight,
        e.jd_cal_weight from expresses e where e.id = s.express_id limit 1) e
    ), placed as (
      select k.*, case when k.weight is not null and k.ours is not null and k.weight <> k.ours
        and k.weight is distinct from k.jd_cal_weight then 'weight_differs'
        when k.total is distinct from k.jd_amount then 'price_differs' else 'equal'
          end as bucket from known k)
    update reconciliation_rows r set bucket = p.bucket, decision = case p.bucket
      when 'equal' then 'settled' else 'open' end, head_id = p.head_id,
      total_weight = p.weight, total_amount = p.total,
      our_weight = case when r.id = p.head_id then p.ours end, our_amount = case
        when r.id = p.head_id then p.jd_amount end,
      within_tolerance = ${withinTolerance(
        {
          bucket: 'p.bucket',
          weight: 'p.weight',
          our_weight: 'p.ours',
          amount: 'p.total',
          our_amount: 'p.jd_amount',
        },
        { weight_tolerance, amount_tolerance, charge_cost_times, charge_least_amount },
      )},
      problem = case when p.n > 1 then jsonb_build_object('code', 'bill_sum_of', 'params',
        jsonb_build_object('no', p.head_no, 'count', p.n, 'total_amount', p.amount)) end
    from placed p where ${readable(id)} and r.bucket = 'only_theirs'
      and r.express_id = p.express_id`.execute(work.tx);
};

interface Compared {
  bucket: string;
  weight: string;
  our_weight: string;
  amount: string;
  our_amount: string;
}

interface Tolerances {
  weight_tolerance: number;
  amount_tolerance: number;
  charge_cost_times: number;
  charge_least_amount: number;
}

/**
 * SQL that is 1 if the difference that decides the bucket (of weight or price) is at most the
 * tolerance. The parameters are column names. If the weight decides, the fee must also be within
 * the charge limits (requirements §10.14.8), because a harmless weight may come with a wrong fee.
 */
const withinTolerance = (
  { bucket, weight, our_weight, amount, our_amount }: Compared,
  tolerances: Tolerances,
) =>
  sql`(case ${sql.ref(bucket)}
    when 'weight_differs' then coalesce(abs(${sql.ref(weight)} - ${sql.ref(our_weight)}) <= ${tolerances.weight_tolerance}::int,
    false)
      and coalesce(${sql.ref(amount)} <= greatest(coalesce(${sql.ref(our_amount)},
        0) * ${tolerances.charge_cost_times}::int, ${tolerances.charge_least_amount}::bigint),
        false)
    when 'price_differs' then coalesce(abs(${sql.ref(amount)} - ${sql.ref(our_amount)}) <= ${tolerances.amount_tolerance}::bigint,
      false) else false end)::int`;

/** Marks which lines of a matched bill are within the new tolerances. */
export const markTolerated = async (
  work: Work,
  id: number,
  weight_tolerance: number,
  amount_tolerance: number,
): Promise<void> => {
  const { charge_cost_times, charge_least_amount } = await readSettings(work);
  const marked = withinTolerance(
    {
      bucket: 'r.bucket',
      weight: 'r.total_weight',
      our_weight: 'h.our_weight',
      amount: 'r.total_amount',
      our_amount: 'h.our_amount',
    },
    { weight_tolerance, amount_tolerance, charge_cost_times, charge_least_amount },
  );
  await sql`update reconciliation_rows r set within_tolerance = ${marked}
    from reconciliation_rows h where r.reconciliation_id = ${id} and h.id = r.head_id
      and r.bucket in ('weight_differs', 'price_differs')`.execute(work.tx);
};

/**
 * Adds lines for parcels of the month that are on no bill of this or an earlier month. If this bill
 * contains parcels that other bills list as missing, settles their open lines.
 */
const findMissing = async (
  work: Work,
  { id, provider, period }: Pick<Bill, 'id' | 'provider' | 'period'>,
): Promise<void> => {
  await work.tx
    .deleteFrom('reconciliation_rows')
    .where('reconciliation_id', '=', id)
    .where('no', 'is', null)
    .execute();
  await sql`insert into reconciliation_rows (reconciliation_id, bucket, delivery_id,
    express_id, station_id, our_customer_code, our_weight, our_amount)
    select ${id}, 'only_ours', upper(e.delivery_id), e.id, e.station_id, e.customer_code,
      coalesce(e.jd_weight, e.cal_weight), e.jd_amount from expresses e
    where e.provider = ${provider} and e.delivery_id is not null and e.state_code <> 500
      and e.picked_up_at >= ${sqlMonthStart(period)}
      and e.picked_up_at < ${sqlMonthStart(period, 1)}
      and not exists (select 1 from reconciliation_rows r
        join reconciliations c on c.id = r.reconciliation_id
        where r.express_id = e.id and r.bucket is not null and c.provider = ${provider}
          and c.status not in ('discarded', 'failed') and c.period <= ${period})
    order by e.picked_up_at, e.id`.execute(work.tx);
  const { rows } = await sql<
    RowOf<'reconciliation_rows', 'reconciliation_id'>
  >`update reconciliation_rows o
    set decision = 'settled',
      problem = jsonb_build_object('code', 'bill_found_later', 'params',
        jsonb_build_object('reconciliation_id', ${id}::bigint))
    from reconciliation_rows r, reconciliations c where r.reconciliation_id = ${id}
      and r.no is not null and r.express_id = o.express_id and o.bucket = 'only_ours'
      and o.decision = 'open' and o.reconciliation_id <> ${id} and c.id = o.reconciliation_id
        and c.provider = ${provider} and c.status <> 'discarded'
    returning o.reconciliation_id`.execute(work.tx);
  await refreshStatus(work, [...new Set(rows.map(({ reconciliation_id }) => reconciliation_id))]);
};

const match = async (work: Work, id: number): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(work.tx);
  // Other matchings must wait, so that two bills of the same month do not both list the same parcel
  // as missing.
  await sql`select pg_advisory_xact_lock(hashtextextended('matching of bills',
    0))`.execute(work.tx);
  const bill = await matchingBill(work, id);
  if (!bill) return;
  // The planner has no statistics about the new lines. It expects few rows and joins all lines with
  // all lines in a nested loop. With 16,000 lines, one such step took 46 s and the next one had not
  // ended after 100 s; without nested loops, all steps take 6 s. Parcels are read with lateral
  // joins, so that they are still found by index.
  await sql`set local enable_nestloop = off`.execute(work.tx);
  await findParcels(work, bill);
  await findRepeats(work, bill);
  await compare(work, bill);
  await findMissing(work, bill);
  await work.tx
    .updateTable('reconciliations')
    .set({ calculated_id: 0, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
};

/**
 * Calculates how the next lines would change the prices of their stations. Returns false, and ends
 * the matching, if no line is left.
 */
const previewSome = async (work: Work, id: number): Promise<boolean> => {
  const bill = await matchingBill(work, id);
  if (!bill) return false;
  const columns = sql.join(
    [...priceColumns, 'terms', 'post_amount'].map((column) => sql.ref(`e.${column}`)),
  );
  const { rows } = await sql<
    PriceFacts & {
      row_id: number;
      total_weight: number;
      reversed: boolean;
      post_amount: number;
      terms: Terms | null;
    }
  >`
    select ${columns}, r.id as row_id, r.total_weight,
      exists (select 1 from ledger_transfers t where t.express_id = e.id
      and t.kind = 'reversal') as reversed
    from reconciliation_rows r join expresses e on e.id = r.express_id
    where r.reconciliation_id = ${id} and r.bucket = 'weight_differs' and r.id = r.head_id
      and r.id > ${bill.calculated_id} order by r.id limit ${effectSlice}`.execute(work.tx);
  if (rows.length === 0) {
    await work.tx
      .updateTable('reconciliations')
      .set({
        status: 'ready',
        reason: null,
        version: sql`version + 1`,
        updated_at: sql`clock_timestamp()`,
      })
      .where('id', '=', id)
      .execute();
    await refreshStatus(work, [id]);
    await queueEqualFacts(work, id);
    return false;
  }
  const effects = [];
  for (const { row_id, total_weight, reversed, ...express } of rows)
    effects.push({
      id: row_id,
      amount: reversed ? null : await previewDifference(work, express, { jd_weight: total_weight }),
    });
  await sql`update reconciliation_rows r set effect_amount = e.amount
    from jsonb_to_recordset(${jsonText(effects)}::jsonb) as e (id bigint, amount bigint)
    where r.id = e.id`.execute(work.tx);
  await work.tx
    .updateTable('reconciliations')
    .set({ calculated_id: lastOf(rows).row_id })
    .where('id', '=', id)
    .execute();
  return true;
};

/**
 * Task: matches the lines of a bill with our parcels. Each step is committed, so that another
 * worker can continue after a crash.
 */
export const matchBill = async (
  { db }: BillContext,
  { reconciliation_id: id }: { reconciliation_id: number },
): Promise<void> => {
  while (await db.tx(scope, (work) => understandSome(work, id)));
  await db.tx(scope, (work) => match(work, id));
  while (await db.tx(scope, (work) => previewSome(work, id)));
};
