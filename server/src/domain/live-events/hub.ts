import { streamHeartbeat } from '@waystation/contract/shell/events.ts';
import type { LiveEvents } from '@waystation/contract/shell/events.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Signals } from '#platform/db/signals.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { EventStream } from '#platform/http/event-stream.ts';
import type { Log } from '#platform/log.ts';
import { createClients } from './clients.ts';
import type { Client, ClientsOptions } from './clients.ts';
import { composeEvents } from './compose.ts';
import { cursorOf, positionOf } from './cursor.ts';
import { repeat } from './repeat.ts';
import { readEvents } from './store.ts';
import type { Position } from './store.ts';

export interface HubOptions extends ClientsOptions {
  signals: Signals;
  log: Log;
}

/** The live events of one process: new rows are read only once for all its open streams. */
export interface LiveEventHub {
  /**
   * Opens a stream of the events after `after` that the actor may see. Throws `too_many_streams`.
   */
  open(actor: Actor, after: string | null): EventStream;
  /** Reads the events after `after` that the actor may see. */
  read(actor: Actor, after: string | undefined): Promise<LiveEvents>;
  /** The number of open streams. */
  streams(): number;
  /** Ends every stream. */
  close(): void;
}

/**
 * The time between two reads of the events table, in milliseconds. A notification about a change of
 * a parcel makes the next read earlier, after at least `shortest`.
 */
const pace = { pause: 1_000, shortest: 200 };

const server = { scope: systemScope('live events'), account_id: null };
const readerOf = (actor: Actor) => ({ scope: scopeOf(actor), account_id: actor.account_id });

export const createLiveEvents = (options: HubOptions): LiveEventHub => {
  const { db, secrets, log, signals } = options;
  const clients = createClients(options);
  /** The position that all joined streams have reached; null if no stream is open. */
  let position: Position | null = null;
  let beatAt = Date.now();
  let isClosed = false;

  const joined = (): Client[] => [...clients.all].filter(({ from }) => from === undefined);

  /**
   * Brings a new stream to the position of all other streams. It first gets the events after its
   * own position that its reader may see.
   */
  const join = async (client: Client, at: Position): Promise<void> => {
    const missed = client.from
      ? await readEvents(db, readerOf(client.actor), client.from, at)
      : null;
    client.from = undefined;
    const events = missed ? composeEvents(client.actor, missed.events) : [];
    clients.send(client, at, { reset: client.isUnknown || missed?.lost ? 1 : 0, events });
  };

  const sendHeartbeat = async (at: Position): Promise<void> => {
    if (Date.now() - beatAt < streamHeartbeat) return;
    beatAt = Date.now();
    await clients.refreshRights(clients.all);
    for (const client of joined()) clients.send(client, at);
  };

  const work = async (): Promise<boolean> => {
    const joining = [...clients.all].filter(({ from }) => from !== undefined);
    const { position: at, lost, events } = await readEvents(db, server, position);
    if (lost) for (const client of joined()) clients.send(client, at, { reset: 1, events: [] });
    await clients.distribute(events, at);
    // The position is set after the events are distributed. If the database fails before, the
    // events are read and distributed again.
    position = at;
    for (const client of joining) await join(client, at);
    await sendHeartbeat(at);
    if (clients.all.size > 0) return true;
    position = null;
    return false;
  };

  const reading = repeat({ work, ...pace, log });
  const unhear = signals.onEach(() => reading.soon());

  return {
    open: (actor, after) => {
      const from = after === null ? null : positionOf(secrets, after);
      const { stream } = clients.add(actor, from, after !== null && from === null);
      if (isClosed) clients.endAll();
      else reading.now();
      return stream;
    },
    read: async (actor, after) => {
      const from = after === undefined ? null : positionOf(secrets, after);
      const { position: at, lost, events } = await readEvents(db, readerOf(actor), from);
      return {
        cursor: cursorOf(secrets, at),
        reset: lost || (after !== undefined && from === null) ? 1 : 0,
        events: composeEvents(actor, events),
      };
    },
    streams: () => clients.all.size,
    close: () => {
      isClosed = true;
      unhear();
      reading.stop();
      clients.endAll();
    },
  };
};
