import { hash, randomBytes } from 'node:crypto';
import type { KeyScope } from '@waystation/contract/base/key-scopes.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import type { Scope } from '#platform/db/scope.ts';

/**
 * The caller. It is read again for every request, so that a changed right takes effect at the next
 * request.
 */
export interface Actor {
  account_id: number;
  username: string;
  nickname: string;
  role: Role;
  /** The id of the account's station; null for super admins and admins. */
  station_id: number | null;
  /**
   * The actor's station and, for a partner, every station below it; empty for super admins and
   * admins.
   */
  stations: readonly number[];
  token_hash: Buffer;
  session_id: number;
  /** 1 if the API refuses every call except those that set a new password. */
  must_change: 0 | 1;
  /** 1 if the API refuses everything except the calls that set up two-factor authentication. */
  needs_second_factor: 0 | 1;
  /**
   * The id of the manager under whom this account was made; null if a super admin or admin made the
   * account.
   */
  made_under: number | null;
  /** 1 if the account may export lists as files. */
  may_export: 0 | 1;
  /** The API key of the caller. Absent for a session, or for work outside a request. */
  key?: ActorKey;
}

export interface ActorKey {
  id: number;
  name: string;
  scopes: readonly KeyScope[];
  /**
   * `calls`: the calls in the current minute, including this one. `resets_in`: the seconds until
   * this minute ends.
   */
  calls: number;
  resets_in: number;
  /**
   * The same two numbers for all keys of the account together; null if this call is over the key's
   * own limit.
   */
  together: { calls: number; resets_in: number } | null;
}

/**
 * Returns the rows that the actor may access (requirements §6 and docs/architecture.md). Super
 * admins and admins access all rows, a partner those of its station and the stations below it. A
 * station manager accesses those of the station, and a clerk only the clerk's own parcels.
 */
export const scopeOf = (actor: Actor): Scope => {
  if (actor.role === 'super' || actor.role === 'admin')
    return { kind: 'all', why: `${actor.role} ${actor.account_id}` };
  return {
    kind: 'stations',
    stations: actor.stations,
    account: actor.role === 'user' ? actor.account_id : null,
  };
};

/**
 * Returns the id of the manager whose limits apply to this actor, and to all accounts made under
 * that manager; null for super admins and admins.
 */
export const managerOf = ({
  role,
  made_under,
  account_id,
}: Pick<Actor, 'role' | 'made_under' | 'account_id'>): number | null =>
  role === 'super' || role === 'admin' ? null : (made_under ?? account_id);

/** Returns a random 256-bit token, of which only the SHA-256 is stored. */
export const createToken = (): string => randomBytes(32).toString('base64url');
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
