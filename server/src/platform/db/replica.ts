import { sql } from 'kysely';
import { firstOf } from '@waystation/contract/base/present.ts';
import { openDb } from './db.ts';
import type { Db, DbOptions } from './db.ts';
import { systemScope } from './scope.ts';

/** A second database that may be some seconds behind. */
export interface Replica {
  /**
   * The replica while its delay is within the limit; null if it is too old or unreachable: then the
   * primary is read.
   */
  current(): Db | null;
  close(): Promise<void>;
}

export interface ReplicaOptions extends DbOptions {
  primary: Db;
  /** The limit of the replica's delay in milliseconds. */
  maxLagMs: number;
  /** Milliseconds between two measurements of both. */
  everyMs?: number;
}

const scope = systemScope('how far the replica is');

/** Bytes of write-ahead log: on the primary those written, on a standby those replayed. */
const written = sql<{ bytes: number }>`
  select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
    else pg_current_wal_lsn() end, '0/0')::bigint as bytes`;

const position = async (db: Db): Promise<number> => firstOf(await db.rows(scope, written)).bytes;

/**
 * Opens a pool to a replica of `primary`. Its delay is measured without the clocks of the two: data
 * that the primary had written at a moment and the replica has replayed are as old as that moment.
 * A stalled connection or replay increases the delay, and the primary is read again.
 */
export const openReplica = ({
  primary,
  maxLagMs,
  everyMs = 500,
  ...options
}: ReplicaOptions): Replica => {
  const db = openDb({ ...options, standby: true });
  const { log } = options;
  /**
   * The primary's written position at each time, oldest first; all positions that the replica has
   * reached are dropped except the last.
   */
  let marks: { at: number; bytes: number }[] = [];
  let reachedAt = Number.NEGATIVE_INFINITY;
  let read = false;
  let looking: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    const at = performance.now();
    marks.push({ at, bytes: await position(primary) });
    const replayed = await position(db);
    reachedAt = Math.max(
      reachedAt,
      ...marks.filter(({ bytes }) => bytes <= replayed).map((mark) => mark.at),
    );
    marks = marks.filter(({ bytes }) => bytes > replayed).slice(-1_000);
  };
  const current = (): Db | null => (performance.now() - reachedAt <= maxLagMs ? db : null);
  const note = (): void => {
    if ((current() !== null) === read) return;
    read = !read;
    if (read) log.info('what may be some seconds old is read from the replica');
    else log.warn('the replica is away or too far behind; all is read from the primary');
  };

  let closed = false;
  let timer: NodeJS.Timeout;
  const again = (): void => {
    looking = look()
      .catch((error: unknown) =>
        log.debug({ err: error }, 'the replica cannot be compared with the primary'),
      )
      .finally(() => {
        note();
        if (!closed) timer = setTimeout(again, everyMs).unref();
      });
  };
  again();
  return {
    current,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await looking;
      await db.close();
    },
  };
};
