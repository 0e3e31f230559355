import { openDuty } from '@waystation/contract/base/login-duties.ts';
import type { LiveEvents } from '@waystation/contract/shell/events.ts';
import { managerOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { actorsOfSessions } from '#platform/auth/sessions.ts';
import type { SessionLimits } from '#platform/auth/sessions.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import { openEventStream } from '#platform/http/event-stream.ts';
import type { EventStream } from '#platform/http/event-stream.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { composeEvents, maySee } from './compose.ts';
import { cursorOf } from './cursor.ts';
import type { Position, StoredEvent } from './store.ts';

/** Limits of the streams that this process keeps open. */
export interface StreamLimits {
  perSession: number;
  perAccount: number;
  /** The largest number of streams of all accounts under one manager together. */
  perManager: number;
  total: number;
}

export interface ClientsOptions {
  db: Db;
  secrets: Secrets;
  clock: Clock;
  session: SessionLimits;
  limits: StreamLimits;
}

export interface Client {
  actor: Actor;
  stream: EventStream;
  /**
   * The position from which the stream continues. It is undefined as soon as the stream has reached
   * the position of all other streams.
   */
  from: Position | null | undefined;
  /** True if the cursor that the client sent could not be read. */
  isUnknown: boolean;
}

/** The open streams of this process, with the rights of their readers. */
export interface Clients {
  all: ReadonlySet<Client>;
  /** Throws `too_many_streams` or `too_many_streams_of_manager`. */
  add(actor: Actor, from: Position | null, isUnknown: boolean): Client;
  /**
   * Reads the rights of these clients again, and ends the streams whose session is no longer valid.
   */
  refreshRights(some: Iterable<Client>): Promise<void>;
  /** Sends a message; without `message`, sends only the client's present position. */
  send(client: Client, at: Position, message?: Omit<LiveEvents, 'cursor'>): void;
  /** Sends to each stream the events that its reader may see with the current rights. */
  distribute(rows: readonly StoredEvent[], at: Position): Promise<void>;
  endAll(): void;
}

const refuseTooMany = (
  clients: ReadonlySet<Client>,
  actor: Actor,
  { perSession, perAccount, perManager, total }: StreamLimits,
): void => {
  const ofAccount = [...clients].filter((client) => client.actor.account_id === actor.account_id);
  const ofSession = ofAccount.filter((client) => client.actor.session_id === actor.session_id);
  const limit =
    ofSession.length >= perSession
      ? perSession
      : ofAccount.length >= perAccount
        ? perAccount
        : clients.size >= total
          ? total
          : null;
  if (limit !== null) fail('too_many_streams', { limit });
  const manager = managerOf(actor);
  const ofManager =
    manager === null ? [] : [...clients].filter((client) => managerOf(client.actor) === manager);
  if (ofManager.length >= perManager) fail('too_many_streams_of_manager', { limit: perManager });
};

export const createClients = ({ db, secrets, clock, session, limits }: ClientsOptions): Clients => {
  const all = new Set<Client>();

  const refreshRights: Clients['refreshRights'] = async (some) => {
    const list = [...some];
    if (list.length === 0) return;
    const sessions = [...new Set(list.map(({ actor }) => actor.session_id))];
    const actors = await actorsOfSessions(db, sessions, { now: clock.now(), limits: session });
    for (const client of list) {
      const actor = actors.get(client.actor.session_id);
      if (actor && openDuty(actor) === null) client.actor = actor;
      else {
        client.stream.end();
        all.delete(client);
      }
    }
  };

  const send: Clients['send'] = (client, at, message) => {
    if (!all.has(client)) return;
    const cursor = cursorOf(secrets, at);
    if (
      !client.stream.send(
        cursor,
        message && JSON.stringify({ cursor, ...message } satisfies LiveEvents),
      )
    )
      all.delete(client);
  };

  return {
    all,
    refreshRights,
    send,
    add: (actor, from, isUnknown) => {
      refuseTooMany(all, actor, limits);
      const client: Client = { actor, stream: openEventStream(), from, isUnknown };
      all.add(client);
      client.stream.onClose(() => all.delete(client));
      return client;
    },
    distribute: async (rows, at) => {
      if (rows.some(({ kind }) => kind === 'access')) await refreshRights(all);
      const concerned = [...all].filter(
        (client) => client.from === undefined && rows.some((row) => maySee(client.actor, row)),
      );
      await refreshRights(concerned);
      for (const client of concerned) {
        const events = composeEvents(
          client.actor,
          rows.filter((row) => maySee(client.actor, row)),
        );
        if (events.length > 0) send(client, at, { reset: 0, events });
      }
    },
    endAll: () => {
      for (const { stream } of all) stream.end();
      all.clear();
    },
  };
};
