import { createHash } from 'node:crypto';
import type pg from 'pg';
import { present } from '@waystation/contract/base/present.ts';

/**
 * The largest number of statement texts that are remembered. The least recently used text is
 * forgotten first.
 */
const remembered = 2_000;
/**
 * The largest number of prepared statements of one connection. The plan of each statement uses
 * memory of the connection's PostgreSQL process.
 */
const perConnection = 100;

type Statement = pg.QueryConfig<unknown[]>;

/**
 * Returns false if a statement selects columns with `*`. Such a statement has another result after
 * a column is added, and PostgreSQL then refuses its prepared form. A `*` after any other word or
 * sign is a multiplication or `count(*)`.
 */
export const namesItsColumns = (text: string): boolean =>
  !/(?:\b(?:select|distinct|all|returning)\s+|[.,]\s*)\*/i.test(text);

/**
 * True if a statement is prepared. A statement without parameters is prepared only if it is a
 * query, and not a setting or a lock.
 */
const isPlanned = (text: string, values: unknown[]): boolean =>
  values.length > 0 || (/^\s*(select|with)\b/i.test(text) && !text.includes(';'));

const nameOf = (text: string, edition: number): string =>
  `waystation_${createHash('sha256').update(`${edition} ${text}`).digest('base64url').slice(0, 22)}`;

/**
 * Names for statements, so that a connection parses and plans each text once. A text gets its name
 * when it is sent a second time, so that rare statements, such as unusual combinations of filters,
 * use no memory. A name is a hash of its text: behind a pooler another process may have prepared
 * the same name on the same connection, and then it is the same statement.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string | null>();
  readonly #ofConnection = new WeakMap<pg.PoolClient, Set<string>>();
  #edition = 0;
  #isStopped = false;

  /** Returns the statement to send on this connection, with a name if it is prepared. */
  statement(client: pg.PoolClient, text: string, values: unknown[]): Statement {
    const name = !this.#isStopped && isPlanned(text, values) ? this.#nameOf(text) : null;
    if (name === null) return { text, values };
    const names = this.#ofConnection.get(client) ?? new Set();
    this.#ofConnection.set(client, names.add(name));
    return { name, text, values };
  }

  /**
   * True if the connection has too many prepared statements. The connection is then replaced after
   * its transaction.
   */
  isFull(client: pg.PoolClient): boolean {
    return (this.#ofConnection.get(client)?.size ?? 0) > perConnection;
  }

  /** Gives later statements new names, so that they are prepared again. */
  clear(): void {
    this.#edition++;
    this.#names.clear();
  }

  /** Stops preparing later statements. False if that was done already. */
  stop(): boolean {
    const isFirst = !this.#isStopped;
    this.#isStopped = true;
    return isFirst;
  }

  #nameOf(text: string): string | null {
    const known = this.#names.get(text);
    if (known === undefined) {
      this.#names.set(text, null);
      if (this.#names.size > remembered)
        this.#names.delete(present(this.#names.keys().next().value));
      return null;
    }
    const name = known ?? (namesItsColumns(text) ? nameOf(text, this.#edition) : null);
    this.#names.delete(text);
    this.#names.set(text, name);
    return name;
  }
}

/**
 * True if PostgreSQL refuses a prepared statement because a migration changed the columns of its
 * result. The error's code and routine are checked, because its message is in the database's
 * language.
 */
export const isStalePlan = (error: unknown): boolean => {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
};

/**
 * True if the error says that a prepared statement is missing or exists already. A pooler causes
 * this if it assigns another server connection.
 */
export const isLostStatement = (error: unknown): boolean => {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string };
  return (
    code === '26000' || code === '42P05' || (code === '08P01' && routine === 'exec_bind_message')
  );
};
