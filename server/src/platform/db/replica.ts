import { sql } from 'kysely';
import { firstOf } from '@waystation/contract/base/present.ts';
import { openDb } from './db.ts';
import type { Db, DbOptions } from './db.ts';
import { systemScope } from './scope.ts';
import { TooFarBehindError } from './standby.ts';

/** A replica of the database, whose data may be some seconds old. */
export interface Replica {
  /**
   * Returns the replica if its data is recent enough; null if its data is too old or it cannot be
   * reached. Then the primary is read.
   */
  current(): Db | null;
  close(): Promise<void>;
}

export interface ReplicaOptions extends DbOptions {
  primary: Db;
  /** The largest delay of the replica in milliseconds at which it is still read. */
  maxLagMs: number;
  /** The milliseconds between two measurements of the primary and the replica. */
  everyMs?: number;
}

const scope = systemScope('how far the replica is');

/**
 * SQL for a position in the write-ahead log, in bytes. On the primary it is the end of the written
 * log, on a standby the end of the replayed log.
 */
const written = `select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
  else pg_current_wal_lsn() end, '0/0')::bigint as number`;

const position = async (primary: Db): Promise<number> =>
  firstOf(await primary.rows(scope, sql<{ number: number }>`${sql.raw(written)}`)).number;

/**
 * Opens a pool to a replica of `primary`, or to a balancer in front of several. The delay is
 * measured without comparing clocks: if the replica has replayed everything that the primary had
 * written at some time, its data are not older than that time. Each transaction measures the server
 * that it uses. A server that is too far behind is not read, and its connection is closed.
 */
export const openReplica = ({
  primary,
  maxLagMs,
  everyMs = 500,
  ...options
}: ReplicaOptions): Replica => {
  const { log } = options;
  /**
   * Positions of the primary's log, each with the time at which it was read, oldest first.
   * Positions older than `maxLagMs` are dropped.
   */
  let marks: { at: number; bytes: number }[] = [];
  const isYoung = ({ at }: { at: number }): boolean => performance.now() - at <= maxLagMs;
  const check = (replayed: number): void => {
    if (!marks.some((mark) => isYoung(mark) && mark.bytes <= replayed))
      throw new TooFarBehindError();
  };
  const db = openDb({ ...options, standby: { query: written, check } });
  let answeredAt = Number.NEGATIVE_INFINITY;
  let read = false;
  let looking: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    const at = performance.now();
    marks = [...marks.filter(isYoung), { at, bytes: await position(primary) }];
    await db.rows(scope, sql`select 1`);
    answeredAt = performance.now();
  };
  const current = (): Db | null => (performance.now() - answeredAt <= maxLagMs ? db : null);
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
