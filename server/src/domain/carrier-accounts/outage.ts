import { closeAlerts, raiseAlert } from '#domain/alerts/alerts.ts';
import { businessTime } from '#platform/clock.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { readSetting } from '#platform/settings.ts';

/**
 * The number of successful calls in a row that end an outage, and the number of latest parcels
 * whose results decide if orders fail.
 */
const inARow = 2;

/**
 * True if a call failed: it had no answer, or only an answer of the gateway. A refusal does not
 * count as a failure, because it is an answer of the carrier.
 */
const isFailure = (outcome: string): boolean => outcome === 'unknown' || outcome === 'gateway';

/**
 * The name under which a coverage request is recorded. No order waits for such a request, so its
 * result says nothing about the account.
 */
export const coverageOperation = 'coverage';

/**
 * The operations that order a parcel or ask if it was ordered, and the one that fetches waybill
 * numbers. Only these show if orders work.
 */
const ordering: readonly string[] = ['create', 'status', 'search', 'prefetch'];

/**
 * Only calls of the last ten minutes count, because a waiting order is usually tried many times in
 * this period.
 */
const orderingMinutes = 10;

/**
 * The number of calls that are read for each call that is judged, because one waiting parcel makes
 * about this many attempts in `orderingMinutes`.
 */
const callsRead = 20;

/**
 * The state of the account, from its last calls; `calls` and `failures` are settings.
 * `orders_fail`: orders fail, whatever other calls return. Each parcel counts once, with its last
 * outcome. Parcels are ordered by their first calls, so that a parcel that never succeeds does not
 * count among the newest for long. A single parcel that never succeeds is not an outage.
 * `numbers_fail`: waybill numbers cannot be fetched, and no order is sent without them.
 * `calls_fail` and `calls_answered` are about the last calls of all kinds. They ignore a parcel
 * that fails although a later parcel succeeded.
 */
const verdict = (merchant_id: number, calls: number, failures: number) => sql`
  with orders as materialized (
    select id, express_id, operation, outcome in ('unknown', 'gateway') as failed
      from carrier_calls
    where merchant_id = ${merchant_id} and operation = any(${ordering})
      and at >= now() - make_interval(mins => ${orderingMinutes})
    order by at desc, id desc limit ${calls * callsRead}),
  parcels as materialized (
    select express_id, min(id) as first_id, (array_agg(failed order by id desc))[1] as failed,
      count(*) filter (where failed) as failures
    from orders where express_id is not null group by express_id),
  lasts as (select failed, failures, row_number() over (order by first_id desc) as no
    from parcels order by first_id desc limit ${calls}),
  sums as (
    select count(*) as parcels, count(*) filter (where failed) as failed,
      coalesce(sum(failures) filter (where failed), 0) as failures,
      count(*) filter (where failed and no <= ${inARow}) as newest_failed
    from lasts),
  stuck as (select express_id from parcels where failed
    and first_id < (select max(first_id) from parcels where not failed)),
  counted as materialized (
    select outcome in ('unknown', 'gateway') as failed,
      row_number() over (order by id desc) as no
    from (select id, express_id, operation, outcome from carrier_calls
      where merchant_id = ${merchant_id} and operation <> ${coverageOperation}
      order by id desc limit ${calls * callsRead}) c
    where not (operation = any(${ordering}) and outcome in ('unknown', 'gateway')
      and coalesce(express_id in (select express_id from stuck), false))
    order by id desc limit ${calls})
  select (select count(*) >= ${failures} from counted where failed) as calls_fail,
    (select count(*) = ${inARow} from counted where not failed
      and no <= ${inARow}) as calls_answered,
    (select failed > 1 and failures >= ${failures} and newest_failed > 0
      and (newest_failed = ${inARow} or failed * ${calls}::int >= parcels * ${failures}::int)
      from sums) as orders_fail,
    (select count(*) >= ${failures} from orders where failed and operation = 'prefetch'
      and id > coalesce((select max(id) from orders where not failed
        and operation not in ('status', 'search')), 0)) as numbers_fail`;

/** True if the account is down, because an outage has begun. */
export const isAccountDown = async (work: Work, merchant_id: number): Promise<boolean> => {
  const [row] = await rowsAtOnce(
    work,
    sql<{ down: boolean }>`select down_since is not null as down
    from merchants where id = ${merchant_id}`,
  );
  return row?.down ?? false;
};

/**
 * Judges an account by its last recorded calls and by its parcels in state 20, and starts or ends
 * an outage. `down` is the result of `isAccountDown` in the same transaction, if known.
 */
export const judgeAccount = async (
  work: Work,
  merchant_id: number,
  { operation, outcome }: { operation: string; outcome: string },
  down?: boolean,
): Promise<void> => {
  if (operation === coverageOperation) return;
  if (isFailure(outcome)) return openOutage(work, merchant_id);
  if (down ?? (await isAccountDown(work, merchant_id))) await endOutage(work, merchant_id);
};

const limitsOf = async (work: Work): Promise<[calls: number, failures: number]> => [
  await readSetting(work, 'outage_calls'),
  await readSetting(work, 'outage_failures'),
];

const openOutage = async (work: Work, merchant_id: number): Promise<void> => {
  const [calls, failures] = await limitsOf(work);
  const { rows } = await sql<RowOf<'merchants', 'name'> & { down_since: Date }>`update merchants
    set down_since = clock_timestamp()
    where id = ${merchant_id} and down_since is null
      and (select v.calls_fail or v.orders_fail or v.numbers_fail
        from (${verdict(merchant_id, calls, failures)}) v)
    returning name, down_since`.execute(work.tx);
  const down = rows[0];
  if (!down) return;
  await raiseAlert(work, {
    code: 'carrier_account_down',
    params: { name: down.name, time: businessTime(down.down_since) },
    merchant_id,
    key: `carrier_down:${merchant_id}`,
  });
};

/**
 * Ends the outage after several answers in a row. Orders and fetches of waybill numbers must
 * succeed again, or must not have been tried for some minutes.
 */
const endOutage = async (work: Work, merchant_id: number): Promise<void> => {
  const [calls, failures] = await limitsOf(work);
  const { rows } = await sql`update merchants set down_since = null where id = ${merchant_id}
    and down_since is not null
    and (select v.calls_answered and not v.orders_fail and not v.numbers_fail
      from (${verdict(merchant_id, calls, failures)}) v) returning 1`.execute(work.tx);
  if (rows.length > 0) await closeAlerts(work, merchant_id, 'carrier_account_down');
};
