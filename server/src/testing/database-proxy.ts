import { createServer, connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';

/** A way to the database that can be taken away without touching the server, which other tests use. */
export interface DatabaseProxy {
  port: number;
  /** Breaks every connection and refuses new ones. */
  cut(): void;
  mend(): void;
  /** How many connections were refused so far. */
  refused(): number;
  close(): Promise<void>;
}

const reach = ({ host, port }: pg.ClientConfig): Socket => (host!.startsWith('/') ? connect(join(host!, `.s.PGSQL.${port}`)) : connect(port!, host!));

export const openDatabaseProxy = async (target: pg.ClientConfig): Promise<DatabaseProxy> => {
  const open = new Set<Socket>();
  let away = false;
  let refused = 0;
  const server = createServer((near) => {
    if (away) {
      refused++;
      return void near.destroy();
    }
    const far = reach(target);
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
    mend: () => {
      away = false;
    },
    refused: () => refused,
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};
