import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Origin } from '#platform/http/context.ts';
import { queueStatement } from './pipeline.ts';
import type { Schema } from './schema.ts';
import { systemScope } from './scope.ts';
import type { Scope } from './scope.ts';

/** The queries of an open transaction. */
export type Tx = Kysely<Schema>;

/**
 * An open transaction with its actor and the rows that it may access. They are one value, so that
 * they always fit together. Only `Db.tx` creates a work; the methods of a work return other works
 * of the same transaction.
 */
export class Work {
  /** Only for the type checker: no plain object has the type `Work`. */
  declare private readonly opened: true;
  readonly tx: Tx;
  readonly scope: Scope;
  /** The user who does the work; null for the system itself. */
  readonly actor: Actor | null;
  /**
   * The request to which the work belongs; null for work of the system, and for a read without a
   * request.
   */
  readonly origin: Origin | null;

  constructor(tx: Tx, { scope, actor, origin }: Pick<Work, 'scope' | 'actor' | 'origin'>) {
    this.tx = tx;
    this.scope = scope;
    this.actor = actor;
    this.origin = origin;
  }

  /**
   * Widens the open transaction to all rows while `run` works, and then restores the caller's
   * scope. Rules need this if they read rows outside the caller's scope (the stations above a
   * station, the wallets of its parents). Check the caller's rights before this call. If `run`
   * throws, the scope is not restored, because the transaction is rolled back.
   */
  async asSystem<T>(why: string, run: (system: this) => Promise<T>): Promise<T> {
    if (this.scope.kind === 'all') return run(this);
    const { tx } = this;
    await queueStatement(this, sql`set local waystation.scope = 'all'`.compile(tx));
    const result = await run(this.within(systemScope(why)));
    await queueStatement(this, sql`set local waystation.scope = 'stations'`.compile(tx));
    return result;
  }

  /**
   * Returns the same transaction with another scope for its queries. Row-level security keeps the
   * first scope.
   */
  within(scope: Scope): this {
    return new Work(this.tx, { scope, actor: this.actor, origin: this.origin }) as this;
  }

  /**
   * Returns the same transaction and scope in the name of `actor`. It is for work of the system
   * that this user has started.
   */
  by(actor: Actor, origin: Origin): UserWork;
  by(actor: Actor): ReaderWork;
  by(actor: Actor, origin: Origin | null = null): ReaderWork {
    return new Work(this.tx, { scope: this.scope, actor, origin }) as ReaderWork;
  }
}

/** Work that only reads, in the name of a user. */
export interface ReaderWork extends Work {
  readonly actor: Actor;
}

/**
 * The work of a user. The audit log records the user's changes together with the request that made
 * them.
 */
export interface UserWork extends ReaderWork {
  readonly origin: Origin;
}

/** The scope, the actor and the request of a transaction. */
export interface Caller {
  readonly scope: Scope;
  readonly actor: Actor;
  readonly origin: Origin | null;
}

export interface UserCaller extends Caller {
  readonly origin: Origin;
}

/** The type of a transaction's work, which depends on the caller who opens it. */
export type WorkOf<By extends Scope | Caller> = By extends UserCaller
  ? UserWork
  : By extends Caller
    ? ReaderWork
    : Work;

/**
 * Returns a user as a caller with the user's own scope. `origin` is the request that the audit log
 * records for the user's changes.
 */
export function callerOf(actor: Actor, origin: Origin): UserCaller;
export function callerOf(actor: Actor, origin?: Origin | null): Caller;
export function callerOf(actor: Actor, origin: Origin | null = null): Caller {
  return { scope: scopeOf(actor), actor, origin };
}

/** Returns the fields of a work that depend on the caller who opens it. */
export const callerIn = (by: Scope | Caller): Pick<Work, 'scope' | 'actor' | 'origin'> =>
  'kind' in by ? { scope: by, actor: null, origin: null } : by;
