import { daysBefore } from '#platform/clock.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { recordPruned } from '#platform/audit.ts';
import { readSetting } from '#platform/settings.ts';

export interface Alert {
  code: string;
  params?: Record<string, string | number>;
  express_id?: number;
  station_id?: number;
  merchant_id?: number;
  /** The account that caused the alert; this account may not close it. */
  account_id?: number;
  /** Identifies the alert; raising the same key again does not create another alert. */
  key: string;
}

/**
 * Raises an alert for admins. Does nothing if the alert is open already, and reopens it if it is
 * closed.
 */
export const raiseAlert = async (work: Work, alert: Alert): Promise<void> => {
  await sql`insert into alerts (code, params, express_id, station_id, merchant_id, account_id,
    key)
    values (${alert.code}, ${jsonText(alert.params ?? {})}::jsonb,
      ${alert.express_id ?? null}, ${alert.station_id ?? null}, ${alert.merchant_id ?? null},
      ${alert.account_id ?? null}, ${alert.key})
    on conflict (key) do update set closed_at = null, at = now(), params = excluded.params,
      account_id = excluded.account_id where alerts.closed_at is not null`.execute(work.tx);
};

/**
 * Raises an alert unless it was raised before. A closed alert stays closed, even if its cause
 * continues.
 */
export const raiseAlertOnce = async (work: Work, alert: Alert): Promise<void> => {
  const { rows } = await sql`select 1 from alerts where key = ${alert.key}`.execute(work.tx);
  if (rows.length === 0) await raiseAlert(work, alert);
};

/**
 * Closes the open alerts with this code about a carrier account, because their cause has ended. The
 * alert with the key `still` stays open.
 */
export const closeAlerts = async (
  work: Work,
  merchant_id: number,
  code: string,
  still = '',
): Promise<void> => {
  await work.tx
    .updateTable('alerts')
    .set({ closed_at: sql`now()` })
    .where('merchant_id', '=', merchant_id)
    .where('code', '=', code)
    .where('key', '<>', still)
    .where('closed_at', 'is', null)
    .execute();
};

/** Closes the alert of this key, because its cause has ended. */
export const closeAlertOf = async (work: Work, key: string, at: Date): Promise<void> => {
  await work.tx
    .updateTable('alerts')
    .set({ closed_at: at })
    .where('key', '=', key)
    .where('closed_at', 'is', null)
    .execute();
};

/**
 * Removes alerts that were closed more than the configured number of days ago. Open alerts are
 * never removed.
 */
export const removeOldAlerts = async (work: Work, now: Date, most: number): Promise<number> => {
  const days = await readSetting(work, 'closed_alert_days');
  const before = daysBefore(now, days);
  const { numAffectedRows } = await sql`delete from alerts where id in (select id from alerts
    where closed_at < ${before} order by closed_at limit ${most})`.execute(work.tx);
  const rows = Number(numAffectedRows ?? 0);
  await recordPruned(work, 'alerts', { days, rows });
  return rows;
};
