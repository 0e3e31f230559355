import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';

/**
 * A pooler in transaction mode. Like PgBouncer before 1.21, it does not translate the names of
 * prepared statements.
 */
export interface TransactionPooler {
  /**
   * The settings of a connection to the pooler. They have the same user and database as a direct
   * connection.
   */
  connection: pg.PoolConfig;
  close(): Promise<void>;
}

interface Server {
  socket: Socket;
  client: Client | null;
}
interface Client {
  socket: Socket;
  server: Server | null;
  /** The messages of the client that wait until a server connection is free. */
  queued: Buffer[];
  /** The number of requests that the server has not yet answered with ReadyForQuery. */
  unanswered: number;
  /** True if the last message belongs to a request whose Sync message has not been sent yet. */
  isOpen: boolean;
}

/** The parameters of a start-up message that PgBouncer accepts. */
const accepted = new Set(['user', 'database', 'application_name', 'client_encoding']);

const message = (type: string, body: Buffer | string): Buffer => {
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeInt32BE(Buffer.byteLength(body) + 4, type.length);
  return Buffer.concat([head, Buffer.from(body)]);
};
const protocol = Buffer.from([0, 3, 0, 0]);
const startUp = ({ user, database }: pg.ClientConfig): Buffer =>
  message('', Buffer.concat([protocol, Buffer.from(`user\0${user}\0database\0${database}\0\0`)]));
const welcome = Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]);

const keep = (socket: Socket, sockets: Set<Socket>): Socket => {
  sockets.add(socket.setNoDelay());
  return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
};

/** Calls `each` for every complete message. The first message of a client has no type. */
const onMessages = (
  socket: Socket,
  firstHead: 0 | 1,
  each: (type: string, whole: Buffer) => void,
): void => {
  let rest = Buffer.alloc(0);
  let head: number = firstHead;
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= head + 4) {
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const whole = rest.subarray(0, end);
      const type = whole.toString('latin1', 0, head);
      rest = rest.subarray(end);
      head = 1;
      each(type, whole);
    }
  });
};

/** Gives each client a server connection for the duration of one transaction. */
class Servers {
  readonly #target: pg.ClientConfig;
  readonly #sockets: Set<Socket>;
  readonly #idle: Server[] = [];
  readonly #waiting: Client[] = [];

  constructor(target: pg.ClientConfig, sockets: Set<Socket>) {
    this.#target = target;
    this.#sockets = sockets;
  }

  /** Opens one more connection to the server. */
  open(): Promise<void> {
    const { host, port } = this.#target;
    const socket = host!.startsWith('/')
      ? connect(join(host!, `.s.PGSQL.${port}`))
      : connect(port!, host!);
    keep(socket, this.#sockets).write(startUp(this.#target));
    const server: Server = { socket, client: null };
    socket.on('close', () => server.client?.socket.destroy());
    return new Promise((ready) => {
      let isReady = false;
      onMessages(socket, 1, (type, whole) => {
        const { client } = server;
        client?.socket.write(whole);
        if (type !== 'Z') return;
        if (client) client.unanswered--;
        if (!isReady) ready();
        isReady = true;
        const isIdle = whole.toString('latin1', 5) === 'I';
        if (isIdle && !client?.isOpen && !client?.unanswered) this.#free(server);
      });
    });
  }

  /**
   * Sends the client's waiting queries now if a server connection is free, and otherwise as soon as
   * one becomes free.
   */
  serve(client: Client): void {
    client.server ??= this.#idle.shift() ?? null;
    if (!client.server) return void (this.#waiting.includes(client) || this.#waiting.push(client));
    client.server.client = client;
    for (const whole of client.queued.splice(0)) client.server.socket.write(whole);
  }

  /**
   * Ends the server connection of a client that has disconnected. This also ends the client's
   * transaction.
   */
  leave(client: Client): void {
    if (this.#waiting.includes(client)) this.#waiting.splice(this.#waiting.indexOf(client), 1);
    if (!client.server) return;
    client.server.client = null;
    client.server.socket.destroy();
    void this.open();
  }

  #free(server: Server): void {
    if (server.client) server.client.server = null;
    server.client = null;
    this.#idle.push(server);
    const next = this.#waiting.shift();
    if (next) this.serve(next);
  }
}

const greet = (socket: Socket, whole: Buffer): void => {
  const names = whole
    .toString('utf8', 8)
    .split('\0')
    .filter((_, at) => at % 2 === 0);
  const refused = names.find((name) => name !== '' && !accepted.has(name));
  if (refused === undefined) return void socket.write(welcome);
  const text = `unsupported startup parameter: ${refused}`;
  socket.end(message('E', `SFATAL\0VFATAL\0C08P01\0M${text}\0\0`));
};

const attend = (socket: Socket, servers: Servers): void => {
  const client: Client = { socket, server: null, queued: [], unanswered: 0, isOpen: false };
  onMessages(socket, 0, (type, whole) => {
    if (type === '') return greet(socket, whole);
    if (type === 'X') return void socket.end();
    client.isOpen = type !== 'Q' && type !== 'S';
    if (!client.isOpen) client.unanswered++;
    client.queued.push(whole);
    servers.serve(client);
  });
  socket.on('close', () => servers.leave(client));
};

/**
 * Opens a transaction pooler in front of `target` with the given number of server connections. Each
 * transaction gets the connection that has been idle for the longest time.
 */
export const openTransactionPooler = async (
  target: pg.ClientConfig,
  size: number,
): Promise<TransactionPooler> => {
  const sockets = new Set<Socket>();
  const servers = new Servers(target, sockets);
  const listening = createServer((socket) => attend(keep(socket, sockets), servers));
  await Promise.all(Array.from({ length: size }, () => servers.open()));
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  return {
    connection: { ...target, host: '127.0.0.1', port },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listening.close(resolve));
    },
  };
};
