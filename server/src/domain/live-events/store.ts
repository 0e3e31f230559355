import { present } from '@waystation/contract/base/present.ts';
import { sql } from '#platform/db/db.ts';
import type { Db, RowOf } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { scopeCondition } from '#platform/db/scope.ts';

/**
 * A stored event. An event about a parcel is visible in the parcel's scope. An event with an
 * account is visible only to that account. All other events are for the server.
 */
export type StoredEvent = RowOf<
  'live_events',
  'kind' | 'station_id' | 'user_id' | 'account_id' | 'subject_id' | 'data'
>;

/**
 * A position in the events: everything that this PostgreSQL snapshot sees, in this epoch of the
 * table.
 */
export interface Position {
  epoch: string;
  snapshot: string;
}

export interface Events {
  position: Position;
  /**
   * True if some of the requested events were removed or lost in a crash, or if there are more than
   * one read can return.
   */
  lost: boolean;
  events: StoredEvent[];
}

interface Read {
  epoch: string | null;
  snapshot: string;
  pruned: boolean;
  ahead: boolean;
  events: StoredEvent[];
}

/**
 * The largest number of rows that one read returns. If there are more, clients reload their lists.
 */
const mostRows = 5_000;

/**
 * The reader of events: the server, which reads all events, or an account, which reads the events
 * that it may see.
 */
export interface Reader {
  scope: Scope;
  /** The account that reads; null for the server itself, which distributes the events. */
  account_id: number | null;
}

const conditionOf = ({ scope, account_id }: Reader) =>
  account_id === null
    ? sql<boolean>`true`
    : sql<boolean>`(account_id = ${account_id}
      or (account_id is null and station_id is not null
      and ${scopeCondition({ scope }, 'station_id', 'user_id')}))`;

/**
 * The events that were committed after `from`, each once, whatever the order of their ids and
 * commits. They are the rows that the snapshot `from` did not see and the current snapshot (or
 * `until`) sees. If `from` is null, only the position is returned. The function makes one round
 * trip to the database.
 */
export const readEvents = async (
  db: Db,
  reader: Reader,
  from: Position | null,
  until: Position | null = null,
): Promise<Events> => {
  const since = from?.snapshot ?? null;
  const to = until?.snapshot ?? null;
  const [row] = await db.rows(
    reader.scope,
    sql<Read>`
      with found as materialized (
        select kind, station_id, user_id, account_id, subject_id, data from live_events
        where tx >= pg_snapshot_xmin(${since}::pg_snapshot)
          and tx < pg_snapshot_xmax(pg_current_snapshot())
          and not pg_visible_in_snapshot(tx, ${since}::pg_snapshot)
          and (${to}::pg_snapshot is null or pg_visible_in_snapshot(tx, ${to}::pg_snapshot))
          and ${conditionOf(reader)}
        order by tx, id limit ${mostRows + 1})
      select (select epoch from live_event_log) as epoch,
        pg_current_snapshot()::text as snapshot,
        coalesce((select floor >= pg_snapshot_xmin(${since}::pg_snapshot)
          from live_event_log), false) as pruned,
        coalesce(pg_snapshot_xmax(${since}::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()),
          false) as ahead,
        coalesce((select json_agg(found) from found), '[]') as events`,
  );
  const { epoch, snapshot, pruned, ahead, events } = row!;
  if (epoch === null) {
    await renewEpoch(db);
    return readEvents(db, reader, from, until);
  }
  const position = { epoch, snapshot: to ?? snapshot };
  const lost =
    from !== null && (from.epoch !== epoch || pruned || ahead || events.length > mostRows);
  return { position, lost, events: lost ? [] : events };
};

/**
 * After a crash, and on a promoted standby, the unlogged tables are empty, and the epoch in a
 * client's position shows that it is older. The new log begins with `floor` 0, because no event of
 * the new epoch was removed. With its own transaction as `floor`, every stream would be reset again
 * while an older transaction is open.
 */
const renewEpoch = (db: Db): Promise<unknown> =>
  db.rows(
    systemScope('live events start again'),
    sql`insert into live_event_log (floor) values ('0') on conflict do nothing`,
  );

/**
 * The number of minutes for which events are stored, and the largest number of stored events.
 * Clients can request these events after an absence.
 */
const kept = { minutes: 15, rows: 50_000 };

/**
 * Removes events that are too old or exceed the largest number of rows; returns the number of
 * removed events.
 */
export const pruneEvents = async (
  db: Db,
  { minutes, rows }: typeof kept = kept,
): Promise<number> => {
  const [row] = await db.rows(
    systemScope('old live events'),
    sql<{ n: number }>`
      with gone as (
        delete from live_events
          where at < clock_timestamp() - make_interval(mins => ${minutes})
          or (tx, id) <= (select tx, id from live_events
            order by tx desc, id desc offset ${rows} limit 1)
        returning tx),
      moved as (
        update live_event_log set floor = greatest(floor,
          (select tx from gone order by tx desc limit 1)) where exists (select 1 from gone))
      select count(*) as n from gone`,
  );
  return present(row).n;
};
