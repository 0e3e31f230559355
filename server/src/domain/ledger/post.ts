import { isErrorCode } from '@waystation/contract/base/errors.ts';
import type { Params } from '@waystation/contract/base/envelope.ts';
import { oneRow, queueWithCommit, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { Failure } from '#platform/fail.ts';
import type { Movement, Outcome } from './movements.ts';

/**
 * SQLSTATE of an expected refusal (server/sql/ledger-movements.sql, ledger_fail): the message
 * is the code, the detail the parameters.
 */
const refusal = 'WS001';

/**
 * Posts movements in the given order, in one round trip. Returns one outcome per movement. If a
 * movement throws, none of them is posted.
 */
export const post = async (work: Work, movements: readonly Movement[]): Promise<Outcome[]> => {
  try {
    const row = await oneRow(
      work,
      sql<{
        outcomes: Outcome[];
      }>`select ledger_post(${JSON.stringify(movements)}::jsonb) as outcomes`,
    );
    return row.outcomes;
  } catch (error) {
    throw asFailure(error);
  }
};

/**
 * SQLSTATE of a movement that was refused in `postUnread` (server/sql/ledger-posting.sql).
 */
const refusedUnread = 'WS003';

/** The balance did not cover a movement of `postUnread`. Nothing of its transaction is stored. */
export class MovementRefusedError extends Error {
  constructor() {
    super('a movement was refused');
    this.name = 'MovementRefusedError';
  }
}

const asRefused = (error: unknown): unknown =>
  (error as { code?: string } | null)?.code === refusedUnread
    ? new MovementRefusedError()
    : asFailure(error);

/**
 * Posts a movement together with the commit, after everything else in the transaction. Its stations
 * are therefore locked only for the posting and the commit. If the movement is refused, the
 * transaction fails with MovementRefusedError.
 */
export const postUnread = (work: Work, movement: Movement): Promise<void> =>
  queueWithCommit(
    work,
    sql`select ledger_post_unrefused(${JSON.stringify([movement])}::jsonb)`.compile(work.tx),
    asRefused,
  );

/**
 * Returns the product's error for a refusal that the ledger expects; returns any other error
 * unchanged.
 */
export const asFailure = (error: unknown): unknown => {
  const { code, message, detail } = (error ?? {}) as {
    code?: string;
    message?: string;
    detail?: string;
  };
  if (code !== refusal || message === undefined || !isErrorCode(message)) return error;
  return new Failure(message, JSON.parse(detail ?? '{}') as Params, {});
};
