import pg from 'pg';
import { raiseNumbersIfMoved } from './generation.ts';
import type { Log } from '#platform/log.ts';

const standbys = new WeakSet<pg.ClientBase>();

/**
 * A database client that records if its server is a standby. PostgreSQL reports this from version
 * 14 on.
 */
class NotingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
    connection.on(
      'parameterStatus',
      (status: { parameterName: string; parameterValue: string }) => {
        if (status.parameterName !== 'in_hot_standby') return;
        if (status.parameterValue === 'on') standbys.add(this);
        else standbys.delete(this);
      },
    );
  }
}

/**
 * Returns the options of a pool that refuses connections to a standby. During a failover, a load
 * balancer may still forward a connection to a standby. If the primary has changed, a new
 * connection first raises the ids and order numbers.
 */
export const primaryOnly = (log: Log): pg.PoolConfig => ({
  Client: NotingClient,
  onConnect: (client) => {
    if (!standbys.has(client)) return raiseNumbersIfMoved(client, log);
    throw Object.assign(new Error('the server is a standby, not the primary'), { code: '57P03' });
  },
});

/** Thrown if the standby's data is too old to be read. */
export class TooFarBehindError extends Error {
  constructor() {
    super('the replica is too far behind');
    this.name = 'TooFarBehindError';
  }
}

/**
 * True if an error shows that another server must be used. This server may be a standby, which
 * accepts no writes and has no unlogged tables. Its data may be too old, or it was promoted behind
 * a pooler's connection (server/sql/numbers.sql). PostgreSQL's message is not read, because it is
 * in the database's language.
 */
export const isOfWrongServer = (error: unknown): boolean => {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string };
  return (
    error instanceof TooFarBehindError ||
    code === '25006' ||
    code === 'WS001' ||
    (code === '0A000' && routine === 'get_relation_info') ||
    (code === '55000' && /^pg_(?:current_wal|walfile)_/.test(routine ?? ''))
  );
};
