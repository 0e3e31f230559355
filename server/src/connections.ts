import type pg from 'pg';
import { firstOf } from '@waystation/contract/base/present.ts';
import { ConfigError } from './config.ts';
import type { Config } from './config.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { AppRole } from '#platform/db/migrate.ts';
import { secretsFrom } from '#platform/secrets/secrets.ts';

/**
 * The connections of the database's two roles: the owner migrates, and the application role does
 * everything else.
 */
export interface Connections {
  /** Null if only the application role's address is known: then this process does not migrate. */
  owner: pg.ClientConfig | null;
  app: pg.PoolConfig;
  role: AppRole;
}

/** The embedded server accepts every connection over its socket, so the role needs no password. */
export const embeddedConnections = (owner: {
  host: string;
  port: number;
  user: string;
  database: string;
}): Connections => ({
  owner,
  app: { ...owner, user: 'waystation_app' },
  role: { name: 'waystation_app', password: null },
});

/** PostgreSQL names end at 63 bytes. */
const roleName = (database: string): string => `waystation_app_${database}`.slice(0, 63);

/**
 * The connections for DATABASE_URL. The application role is the one of WAYSTATION_APP_DATABASE_URL,
 * or by default a separate one for each database, whose password is derived from the secret key.
 */
export const externalConnections = (config: Config): Connections => {
  const owner = { connectionString: config.databaseUrl! };
  const url = new URL(config.databaseUrl!);
  if (config.appDatabaseUrl) {
    const appUrl = new URL(config.appDatabaseUrl);
    const name = appUrl.searchParams.get('user') ?? decodeURIComponent(appUrl.username);
    const password = appUrl.searchParams.get('password') ?? decodeURIComponent(appUrl.password);
    return {
      owner,
      app: { connectionString: config.appDatabaseUrl },
      role: { name, password: password || null },
    };
  }
  const role = {
    name: roleName(decodeURIComponent(url.pathname.slice(1))),
    password: secretsFrom(config.secretKey).derive('application role'),
  };
  return { owner, app: { connectionString: asRole(url, role.name, role.password) }, role };
};

/**
 * Returns the same database URL for another role. User and password are put into the URL's query,
 * which the driver reads first. A URL without a host (a socket) has no other place for them.
 */
const asRole = (url: URL, user: string, password: string): string => {
  const other = new URL(url.href);
  other.searchParams.set('user', user);
  other.searchParams.set('password', password);
  return other.href;
};

/**
 * Throws if the server would use a role that is not subject to row-level security, or that may
 * change tables.
 */
export const assertAppRole = async (db: Db): Promise<void> => {
  const { rows } = await db.tx(systemScope('who are we'), (work) =>
    sql<{ name: string; unbound: boolean; owns: boolean }>`select rolname as name, rolsuper
      or rolbypassrls as unbound,
      exists (select 1 from pg_class c where c.oid = 'stations'::regclass
        and pg_has_role(r.oid, c.relowner, 'member')) as owns from pg_roles r
        where rolname = current_user`.execute(work.tx),
  );
  const { name, unbound, owns } = firstOf(rows);
  if (unbound)
    throw new ConfigError(
      `The server would work as ${name}, which row-level security does not bind; name another role in WAYSTATION_APP_DATABASE_URL.`,
    );
  if (owns)
    throw new ConfigError(
      `The server would work as ${name}, which owns the tables; name a role of its own in WAYSTATION_APP_DATABASE_URL.`,
    );
};
