import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * The rows that a unit of work may read and change. The scope layer adds a condition for the scope
 * to every query on station-owned rows. As a second check, PostgreSQL's row-level security reads
 * the scope from the transaction's settings (docs/architecture.md).
 */
export type Scope =
  | { kind: 'all'; why: string }
  | {
      kind: 'stations';
      /** The actor's own station and, for a partner, every station below it. */
      stations: readonly number[];
      /**
       * The account of a clerk, who sees only parcels that this account created; null for all
       * parcels of the stations.
       */
      account: number | null;
    };

/** An object with a scope, such as `Work`. */
export interface Scoped {
  readonly scope: Scope;
}

/** The scope of the system itself; its reason is logged with slow or failing work. */
export const systemScope = (why: string): Scope => ({ kind: 'all', why });

/**
 * SQL that limits the open transaction to the scope. It works with PgBouncer, because it uses only
 * SET LOCAL.
 */
export const scopeSettings = (scope: Scope): string => {
  if (scope.kind === 'all') return `set local waystation.scope = 'all'`;
  const stations = scope.stations.map((station) => {
    if (!Number.isSafeInteger(station))
      throw new Error('a station id in a scope is not a whole number');
    return station;
  });
  const account = scope.account === null ? '' : String(Number(scope.account));
  return `set local waystation.scope = 'stations'; set local waystation.stations = '{${stations.join(',')}}'; set local waystation.account = '${account}'`;
};

/**
 * Returns SQL that is true for rows within the scope. `user` is the column with the creator of a
 * row, if the table has one.
 */
export const scopeCondition = (
  { scope }: Scoped,
  station: string,
  user?: string,
): RawBuilder<boolean> => {
  if (scope.kind === 'all') return sql<boolean>`true`;
  // A single station is compared with `=`, because PostgreSQL can then read an index in its order.
  // With a list of stations it cannot.
  const inStations =
    scope.stations.length === 1
      ? sql<boolean>`${sql.ref(station)} = ${scope.stations[0]}::bigint`
      : sql<boolean>`${sql.ref(station)} = any(${scope.stations}::bigint[])`;
  return scope.account === null || user === undefined
    ? inStations
    : sql<boolean>`(${inStations}
    and ${sql.ref(user)} = ${scope.account})`;
};

/**
 * Like `scopeCondition`, for reading an account's rows in the order of the account's own index. `is
 * true` keeps the planner from also using the index of the station. A generic plan would combine
 * both indexes, and read and sort every row of the account (12 ms instead of 0.2 ms for 2,017
 * parcels).
 */
export const inOrderOfAccount = (
  work: Scoped,
  station: string,
  user: string,
): RawBuilder<boolean> =>
  work.scope.kind === 'all' || work.scope.account === null
    ? scopeCondition(work, station)
    : sql<boolean>`(${sql.ref(user)} = ${work.scope.account}
      and (${scopeCondition(work, station)}) is true)`;

/**
 * Like `scopeCondition`, for reading a user's rows in the order of the user's own index. It needs
 * `is true` for the same reason as `inOrderOfAccount`.
 */
export const inOrderOfPerson = (
  work: Scoped,
  station: string,
  user?: string,
): RawBuilder<boolean> => sql<boolean>`(${scopeCondition(work, station, user)}) is true`;
