import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';

/**
 * A proxy in front of the database. With it a test can cut its own connections. The server
 * continues, because other tests use it.
 */
export interface DatabaseProxy {
  port: number;
  /** Ends every connection and then refuses all new connections. */
  cut(): void;
  /**
   * Answers each new connection as a server does while it starts. Call `cut` before this function.
   */
  startUp(): void;
  mend(): void;
  /** Ends every connection. Later connections go to the given server instead. */
  switchTo(target: pg.ClientConfig): void;
  /** Returns the number of connections that were refused so far. */
  refused(): number;
  close(): Promise<void>;
}

/**
 * Returns the response of a server that is still starting: an error message with severity, code and
 * text. Each of them ends with a zero byte.
 */
const startingUp = (): Buffer => {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
};

const reach = ({ host, port }: pg.ClientConfig): Socket =>
  host!.startsWith('/') ? connect(join(host!, `.s.PGSQL.${port}`)) : connect(port!, host!);

/**
 * Opens a proxy to a database server. If several servers are given, each new connection goes to the
 * next server in turn.
 */
export const openDatabaseProxy = async (...targets: pg.ClientConfig[]): Promise<DatabaseProxy> => {
  const open = new Set<Socket>();
  let current = targets;
  let turn = 0;
  let away = false;
  let starting = false;
  let refused = 0;
  const server = createServer((near) => {
    if (away) {
      refused++;
      if (!starting) return void near.destroy();
      near.on('error', () => {});
      return void near.once('data', () => near.end(startingUp()));
    }
    const far = reach(current[turn++ % current.length]!);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    away = true;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    startUp: () => {
      starting = true;
    },
    mend: () => {
      away = false;
      starting = false;
    },
    switchTo: (next) => {
      cut();
      current = [next];
      away = false;
    },
    refused: () => refused,
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
