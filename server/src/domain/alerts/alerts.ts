import { jsonText, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';

export interface Alert {
  code: string;
  params?: Record<string, string | number>;
  express_id?: number;
  station_id?: number;
  merchant_id?: number;
  /** Whose doing it is: that account does not close it. */
  account_id?: number;
  /** The same key is the same alert. */
  key: string;
}

/** Raises something a person must look at; raising it again while it is open changes nothing, raising a closed one opens it. */
export const raiseAlert = async (tx: Tx, alert: Alert): Promise<void> => {
  await sql`insert into alerts (code, params, express_id, station_id, merchant_id, account_id, key)
    values (${alert.code}, ${jsonText(alert.params ?? {})}::jsonb, ${alert.express_id ?? null}, ${alert.station_id ?? null}, ${alert.merchant_id ?? null}, ${alert.account_id ?? null}, ${alert.key})
    on conflict (key) do update set closed_at = null, at = now(), params = excluded.params, account_id = excluded.account_id where alerts.closed_at is not null`.execute(
    tx,
  );
};

/** Raises something once: an alert that somebody closed stays closed, though what it tells of goes on. */
export const raiseAlertOnce = async (tx: Tx, alert: Alert): Promise<void> => {
  const { rows } = await sql`select 1 from alerts where key = ${alert.key}`.execute(tx);
  if (rows.length === 0) await raiseAlert(tx, alert);
};

/** Ends the open alerts of a code about a merchant, since what they told of is settled; the one whose key is `still` stays. */
export const closeAlerts = async (tx: Tx, merchant_id: number, code: string, still = ''): Promise<void> => {
  await tx
    .updateTable('alerts')
    .set({ closed_at: sql`now()` })
    .where('merchant_id', '=', merchant_id)
    .where('code', '=', code)
    .where('key', '<>', still)
    .where('closed_at', 'is', null)
    .execute();
};

/** Ends the alert of this key, since what it told of is settled. */
export const closeAlertOf = async (tx: Tx, key: string, at: Date): Promise<void> => {
  await tx.updateTable('alerts').set({ closed_at: at }).where('key', '=', key).where('closed_at', 'is', null).execute();
};
