import type { Config } from './config.ts';
import { openCarriers } from '#domain/carriers/carriers.ts';
import type { Carriers } from '#domain/carriers/carriers.ts';
import { expressChannel } from '#domain/express/express-reads.ts';
import { createLiveEvents } from '#domain/live-events/live-events.ts';
import type { LiveEventHub } from '#domain/live-events/live-events.ts';
import { systemClock } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { openDb } from '#platform/db/db.ts';
import type { Db, DbOptions } from '#platform/db/db.ts';
import { openReplica } from '#platform/db/replica.ts';
import type { Replica } from '#platform/db/replica.ts';
import { createListSlots } from '#platform/list-slots.ts';
import type { ListSlots } from '#platform/list-slots.ts';
import { listen } from '#platform/db/signals.ts';
import type { Signals } from '#platform/db/signals.ts';
import type { Log } from '#platform/log.ts';
import { openMailer } from '#platform/mail/mail.ts';
import type { Mailer } from '#platform/mail/mail.ts';
import { secretsFrom } from '#platform/secrets/secrets.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';

/** The dependencies of handlers and tasks; created once by main or by a test. */
export interface App {
  config: Config;
  db: Db;
  /**
   * The connection pool for LISTEN: a direct one if `listenDatabaseUrl` is set, because a
   * transaction pooler does not forward notifications; otherwise `db`.
   */
  listenDb: Db;
  /** The replica for endpoints that may return stale data; null if no replica is configured. */
  replica: Replica | null;
  clock: Clock;
  secrets: Secrets;
  log: Log;
  /** Reports in every process that something happened to the parcel with an id. */
  signals: Signals;
  /** The open live event streams of this process. */
  liveEvents: LiveEventHub;
  /** Sends mail; null if no mail server is configured. */
  mailer: Mailer | null;
  carrierOf: Carriers['carrierOf'];
  /** The limits of simultaneous list queries, which run or wait. */
  listSlots: ListSlots;
  /** The limits of simultaneous exact counts, which run or wait. */
  exactSlots: ListSlots;
  close(): Promise<void>;
}

/** Opens the databases other than the primary's pool: the one for LISTEN, and the replica. */
const openOthers = (config: Config, db: Db, log: Log): Pick<App, 'listenDb' | 'replica'> => ({
  // One connection listens for parcel events and one for jobs, and each is replaced if it is lost;
  // hence 4.
  listenDb:
    config.listenDatabaseUrl === null
      ? db
      : openDb({ connection: { connectionString: config.listenDatabaseUrl }, max: 4, log }),
  replica:
    config.readDatabaseUrl === null
      ? null
      : openReplica({
          primary: db,
          connection: { connectionString: config.readDatabaseUrl },
          max: config.poolSize,
          log,
          prepare: config.prepare,
          maxLagMs: config.readLagMs,
        }),
});

export const createApp = (
  config: Config,
  connection: DbOptions['connection'],
  log: Log,
  clock: Clock = systemClock,
): App => {
  const db = openDb({ connection, max: config.poolSize, log, prepare: config.prepare });
  const { listenDb, replica } = openOthers(config, db, log);
  // Carriers compare a call's timestamp with the real time. The adapters therefore use the system's
  // clock, whatever the product's clock shows.
  const carriers = openCarriers({
    clock: systemClock,
    outboundAllow: config.outboundAllow,
    timeoutMs: config.carrier.timeoutMs,
  });
  const signals = listen(listenDb, expressChannel, log);
  const secrets = secretsFrom(config.secretKey);
  const liveEvents = createLiveEvents({
    db,
    signals,
    secrets,
    clock,
    log,
    session: config.session,
    limits: config.streams,
  });
  return {
    config,
    db,
    listenDb,
    replica,
    clock,
    secrets,
    log,
    signals,
    liveEvents,
    mailer: config.mail && openMailer(config.mail),
    carrierOf: carriers.carrierOf,
    listSlots: createListSlots({
      total: Math.max(1, Math.floor(config.poolSize / 2)),
      perAccount: 4,
      waitingPerAccount: 16,
      waiting: Math.max(5, Math.floor(1.5 * config.poolSize)),
      timeoutMs: config.listTimeoutMs,
      share: config.listSharePercent / 100,
    }),
    exactSlots: createListSlots({
      total: 2,
      perAccount: 1,
      waitingPerAccount: 2,
      waiting: 8,
      timeoutMs: config.exactTimeoutMs,
      share: 1,
    }),
    close: async () => {
      liveEvents.close();
      await signals.close();
      carriers.close();
      await replica?.close();
      if (listenDb !== db) await listenDb.close();
      await db.close();
    },
  };
};
