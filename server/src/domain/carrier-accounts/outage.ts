import { closeAlerts, raiseAlert } from '#domain/alerts/alerts.ts';
import { businessTime } from '#platform/clock.ts';
import { rowsAtOnce, sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { readSetting } from '#platform/settings.ts';

/** Successful calls in a row that end an outage. */
const upAfter = 2;

/** No answer, or one of the gateway; a refusal counts as an answer of the carrier. */
const isFailure = (outcome: string): boolean => outcome === 'unknown' || outcome === 'gateway';

/** What a question about coverage is recorded as: no order waits for it, so it says nothing of the account, failed or answered. */
export const coverageOperation = 'coverage';

/** Calls that order a parcel, or ask whether it was ordered. */
const ordering: readonly string[] = ['create', 'status'];

/** Minutes in which an order that waits is tried many times; earlier calls of orders say nothing any more. */
const orderingMinutes = 10;

/** The last `n` calls of the account that count. */
const lastCalls = (merchant_id: number, n: number) =>
  sql`select outcome from carrier_calls where merchant_id = ${merchant_id} and operation <> ${coverageOperation} order by id desc limit ${n}`;

/** The last `n` calls that ordered, of the last minutes. */
const lastOrders = (merchant_id: number, n: number) =>
  sql`select outcome, express_id from carrier_calls where merchant_id = ${merchant_id} and operation = any(${ordering})
    and at >= now() - make_interval(mins => ${orderingMinutes}) order by at desc, id desc limit ${n}`;

/** Ordering fails: what else is answered does not hide it. One parcel that alone never gets through is no outage. */
const ordersFail = (merchant_id: number, calls: number, failures: number) =>
  sql`(select count(*) >= ${failures} and count(distinct c.express_id) > 1 from (${lastOrders(merchant_id, calls)}) c where c.outcome in ('unknown', 'gateway'))`;

/** Whether an outage of the account has begun. */
export const isAccountDown = async (tx: Tx, merchant_id: number): Promise<boolean> => {
  const [row] = await rowsAtOnce(tx, sql<{ down: boolean }>`select down_since is not null as down from merchants where id = ${merchant_id}`);
  return row?.down ?? false;
};

/**
 * Judges an account by its last recorded calls, and by those alone that ordered: begins or ends an outage.
 * `down`: what `isAccountDown` answered in this transaction, where that is known.
 */
export const judgeAccount = async (
  tx: Tx,
  merchant_id: number,
  { operation, outcome }: { operation: string; outcome: string },
  down?: boolean,
): Promise<void> => {
  if (operation === coverageOperation) return;
  if (isFailure(outcome)) return openOutage(tx, merchant_id);
  if (down ?? (await isAccountDown(tx, merchant_id))) await endOutage(tx, merchant_id);
};

const limitsOf = async (tx: Tx): Promise<[calls: number, failures: number]> => [
  await readSetting(tx, 'outage_calls'),
  await readSetting(tx, 'outage_failures'),
];

const openOutage = async (tx: Tx, merchant_id: number): Promise<void> => {
  const [calls, failures] = await limitsOf(tx);
  const { rows } = await sql<RowOf<'merchants', 'name'> & { down_since: Date }>`update merchants set down_since = clock_timestamp()
    where id = ${merchant_id} and down_since is null
      and ((select count(*) filter (where c.outcome in ('unknown', 'gateway')) from (${lastCalls(merchant_id, calls)}) c) >= ${failures}
        or ${ordersFail(merchant_id, calls, failures)})
    returning name, down_since`.execute(tx);
  const down = rows[0];
  if (!down) return;
  await raiseAlert(tx, {
    code: 'carrier_account_down',
    params: { name: down.name, time: businessTime(down.down_since) },
    merchant_id,
    key: `carrier_down:${merchant_id}`,
  });
};

/** Ends it after answers in a row; where orders failed, after answers in a row to orders, or once none was tried for some minutes. */
const endOutage = async (tx: Tx, merchant_id: number): Promise<void> => {
  const [calls, failures] = await limitsOf(tx);
  const { rows } = await sql`update merchants set down_since = null where id = ${merchant_id}
    and not exists (select 1 from (${lastCalls(merchant_id, upAfter)}) c where c.outcome in ('unknown', 'gateway'))
    and (not ${ordersFail(merchant_id, calls, failures)}
      or not exists (select 1 from (${lastOrders(merchant_id, upAfter)}) c where c.outcome in ('unknown', 'gateway'))) returning 1`.execute(tx);
  if (rows.length > 0) await closeAlerts(tx, merchant_id, 'carrier_account_down');
};
