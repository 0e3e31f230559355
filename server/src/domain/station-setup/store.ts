import { mostSetups } from '@waystation/contract/network/station-setup.ts';
import type { StationSetup } from '@waystation/contract/network/station-setup.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { scopeCondition, systemScope } from '#platform/db/scope.ts';
import { setupsOf } from './progress.ts';

/** The open setup guides in scope; the account's own guides come first, then the newest. */
export const openSetups = (work: Work, account_id: number, at: Date): Promise<StationSetup[]> =>
  setupsOf(
    work,
    account_id,
    sql`(select u.station_id as id,
      row_number() over (order by u.account_id = ${account_id} desc, u.started_at desc,
      u.station_id desc) as no
      from station_setups u where u.ended_at is null
        and ${scopeCondition(work, 'u.station_id')}
      order by u.account_id = ${account_id} desc, u.started_at desc, u.station_id desc
        limit ${mostSetups}) f`,
    at,
  );

const notify = (work: Work, station_id: number, account_id: number, at: Date): Promise<unknown> =>
  sql`insert into inbox_notices (kind, station_id, account_id, subject_id, at)
    values ('setup', ${station_id}, ${account_id}, ${station_id}, ${at})`.execute(work.tx);

/**
 * Opens the setup guide of a station in the caller's transaction. Returns false if a guide is open
 * already.
 */
export const beginSetup = async (
  work: Work,
  station_id: number,
  account_id: number,
  at: Date,
): Promise<boolean> => {
  const { rows } = await sql`insert into station_setups (station_id, account_id, started_at,
    checked_at, reminded_at)
    values (${station_id}, ${account_id}, ${at}, ${at}, ${at})
    on conflict (station_id) do update set account_id = excluded.account_id,
      started_at = excluded.started_at, checked_at = excluded.checked_at,
      reminded_at = excluded.reminded_at, ended_at = null
    where station_setups.ended_at is not null returning 1`.execute(work.tx);
  if (rows.length > 0) await notify(work, station_id, account_id, at);
  return rows.length > 0;
};

/** Ends the setup guide of a station. Returns false if the station has no open guide. */
export const endSetup = async (work: Work, station_id: number, at: Date): Promise<boolean> => {
  const { rows } = await sql`update station_setups set ended_at = ${at}
    where station_id = ${station_id} and ended_at is null returning 1`.execute(work.tx);
  return rows.length > 0;
};

/**
 * The largest number of setup guides that one run checks. The guides whose last check was longest
 * ago come first.
 */
const looksAt = 100;
/**
 * The number of days before a user is reminded of an open setup guide, and between two reminders.
 */
export const remindedAfterDays = 3;

/**
 * Task that runs every 15 minutes: ends the setup guides whose steps are all done, and reminds
 * users of guides that were not started. Both write notices.
 */
export const noteSetups = async ({
  db,
  clock,
}: {
  db: Db;
  clock: { now(): Date };
}): Promise<void> => {
  const at = clock.now();
  const scope = systemScope('station setups');
  const due = new Date(at.getTime() - remindedAfterDays * 86_400_000);
  await db.tx(scope, async (work) => {
    const { rows } = await sql<{ station_id: number; account_id: number; reminded_at: Date }>`
      select station_id, account_id, reminded_at from station_setups where ended_at is null
        order by checked_at, station_id limit ${looksAt} for update skip locked`.execute(work.tx);
    if (rows.length === 0) return;
    const ids = rows.map(({ station_id }) => station_id);
    const setups = await setupsOf(
      work,
      null,
      sql`unnest(${ids}::bigint[]) with ordinality f (id,
      no)`,
      at,
    );
    const ended = new Set(
      setups.filter(({ done, steps }) => done === steps.length).map(({ station_id }) => station_id),
    );
    const reminded = rows
      .filter(({ station_id, reminded_at }) => !ended.has(station_id) && reminded_at <= due)
      .map(({ station_id }) => station_id);
    await sql`update station_setups set checked_at = ${at}, ended_at = case
      when station_id = any(${[...ended]}::bigint[]) then ${at}::timestamptz end,
      reminded_at = case when station_id = any(${reminded}::bigint[]) then ${at}::timestamptz
        else reminded_at end where station_id = any(${ids}::bigint[])`.execute(work.tx);
    for (const { station_id, account_id } of rows)
      if (ended.has(station_id) || reminded.includes(station_id))
        await notify(work, station_id, account_id, at);
  });
};
