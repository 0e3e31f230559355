import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** A step of an upgrade: one migration, or the functions, triggers and policies together. */
export interface Step {
  name: string;
  ms: number;
  /**
   * The tables that other sessions could not read or write during the step, the table with the
   * longest lock first.
   */
  locks: Lock[];
}

export interface Lock {
  table: string;
  blocks: 'reads and writes' | 'writes';
  /** The longest time for which the lock was held since it was first seen, in milliseconds. */
  ms: number;
}

/** The lock modes that make statements of the product wait, with the statements that they block. */
const blocking = {
  AccessExclusiveLock: 'reads and writes',
  ExclusiveLock: 'writes',
  ShareRowExclusiveLock: 'writes',
  ShareLock: 'writes',
} as const;
type Mode = keyof typeof blocking;
const modes = Object.keys(blocking);

/** The number of milliseconds between two reads of the locks. */
const everyMs = 10;

/**
 * The SQL that records the locks of each transaction of the upgrade. A transaction ends with an
 * insert into one of two tables, whose triggers store its locks. Tables that the upgrade creates
 * are left out, because no session waits for them.
 */
const recorder = `
  create schema rehearsal;
  create table rehearsal.known as
    select c.oid::bigint as id, relname::text as name from pg_class c
    where relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace) and relkind = 'r';
  create table rehearsal.steps (name text, began float8, ended float8, locks jsonb);
  create function rehearsal.record() returns trigger language plpgsql as $$
    begin
      insert into rehearsal.steps select case tg_table_name when 'schema_sql' then 'server/sql' else new.name end,
        extract(epoch from now()), extract(epoch from clock_timestamp()),
        (select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'table', k.name, 'mode', l.mode)), '[]')
         from pg_locks l join rehearsal.known k on k.id = l.relation::bigint
         where l.pid = pg_backend_pid() and l.locktype = 'relation' and l.granted);
      return null;
    end $$;
  create trigger rehearsal after insert on schema_migrations for each row execute function rehearsal.record();
  create trigger rehearsal after insert on schema_sql for each statement execute function rehearsal.record();`;

interface Recorded {
  name: string;
  began: number;
  ended: number;
  locks: { id: number; table: string; mode: string }[];
}

/**
 * Reads the locks of all other sessions until it is stopped. Returns the time when each lock was
 * first seen.
 */
const watchLocks = (client: pg.Client): { seen: Map<string, number>; stop(): Promise<void> } => {
  const seen = new Map<string, number>();
  const ending = new AbortController();
  const looking = (async () => {
    while (!ending.signal.aborted) {
      const { rows } = await client.query<{ key: string; at: number }>({
        name: 'locks',
        text: `select extract(epoch from xact_start)::float8 || ' ' || relation::bigint as key,
            extract(epoch from clock_timestamp())::float8 as at
          from pg_locks l join pg_stat_activity a using (pid)
          where l.locktype = 'relation' and granted and a.datname = current_database()
            and pid <> pg_backend_pid() and mode = any ($1)`,
        values: [modes],
      });
      for (const { key, at } of rows) if (!seen.has(key)) seen.set(key, at);
      await wait(everyMs);
    }
  })();
  looking.catch(() => {});
  return {
    seen,
    stop: async () => {
      ending.abort();
      await looking;
    },
  };
};

const stepOf = ({ name, began, ended, locks }: Recorded, seen: Map<string, number>): Step => {
  const ms = (ended - began) * 1_000;
  const strongest = new Map<string, Lock>();
  for (const { id, table, mode } of locks) {
    const blocks = blocking[mode as Mode];
    if (blocks === undefined || strongest.get(table)?.blocks === 'reads and writes') continue;
    const first = seen.get(`${began} ${id}`) ?? ended;
    strongest.set(table, {
      table,
      blocks,
      ms: Math.min(ms, (ended - first) * 1_000 + everyMs),
    });
  }
  return { name, ms, locks: [...strongest.values()].toSorted((a, b) => b.ms - a.ms) };
};

/** Runs an upgrade of the copy, and returns its steps, each with its locks. */
export const recordUpgrade = async (
  owner: pg.ClientConfig,
  upgrade: () => Promise<void>,
): Promise<Step[]> => {
  const client = new pg.Client({ application_name: 'waystation rehearsal', ...owner });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(recorder);
    const watched = watchLocks(client);
    try {
      await upgrade();
    } finally {
      await watched.stop();
    }
    const { rows } = await client.query<Recorded>('select * from rehearsal.steps order by ended');
    return rows.map((row) => stepOf(row, watched.seen));
  } finally {
    await client
      .query(
        `drop trigger if exists rehearsal on schema_migrations; drop trigger if exists rehearsal on schema_sql;
         drop schema if exists rehearsal cascade`,
      )
      .catch(() => {});
    await client.end().catch(() => {});
  }
};
