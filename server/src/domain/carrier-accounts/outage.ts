import { closeAlerts, raiseAlert } from '#domain/alerts/alerts.ts';
import { businessTime } from '#platform/clock.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { readSetting } from '#platform/settings.ts';

/** Successful calls in a row that end an outage. */
const upAfter = 2;

/** No answer, or one of the gateway; a refusal counts as an answer of the carrier. */
const isFailure = (outcome: string): boolean => outcome === 'unknown' || outcome === 'gateway';

/** Whether an outage of the account has begun. */
export const isAccountDown = async (tx: Tx, merchant_id: number): Promise<boolean> => {
  const { rows } = await sql<{ down: boolean }>`select down_since is not null as down from merchants where id = ${merchant_id}`.execute(tx);
  return rows[0]?.down ?? false;
};

/** Judges an account by its last recorded calls: begins or ends an outage. `down`: what `isAccountDown` answered in this transaction, where that is known. */
export const judgeAccount = async (tx: Tx, merchant_id: number, outcome: string, down?: boolean): Promise<void> => {
  if (isFailure(outcome)) return openOutage(tx, merchant_id);
  if (down ?? (await isAccountDown(tx, merchant_id))) await endOutage(tx, merchant_id);
};

const openOutage = async (tx: Tx, merchant_id: number): Promise<void> => {
  const [calls, failures] = [await readSetting(tx, 'outage_calls'), await readSetting(tx, 'outage_failures')];
  const { rows } = await sql<RowOf<'merchants', 'name'> & { down_since: Date }>`update merchants set down_since = clock_timestamp()
    where id = ${merchant_id} and down_since is null
      and (select count(*) filter (where c.outcome in ('unknown', 'gateway'))
        from (select outcome from carrier_calls where merchant_id = ${merchant_id} order by id desc limit ${calls}) c) >= ${failures}
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

const endOutage = async (tx: Tx, merchant_id: number): Promise<void> => {
  const { rows } = await sql`update merchants set down_since = null where id = ${merchant_id}
    and not exists (select 1 from (select outcome from carrier_calls where merchant_id = ${merchant_id} order by id desc limit ${upAfter}) c
      where c.outcome in ('unknown', 'gateway')) returning 1`.execute(tx);
  if (rows.length > 0) await closeAlerts(tx, merchant_id, 'carrier_account_down');
};
