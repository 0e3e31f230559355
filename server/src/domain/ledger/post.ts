import { isErrorCode } from '@waystation/contract/errors.ts';
import type { Params } from '@waystation/contract/envelope.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { Failure } from '#platform/fail.ts';
import type { Movement, Outcome } from './movements.ts';

/** SQLSTATE of an expected refusal (server/sql/ledger-movements.sql, ledger_fail): the message is the code, the detail the parameters. */
const refusal = 'WS001';

/** Posts movements in the given order, in one round trip; one outcome each. One that throws undoes all. */
export const post = async (tx: Tx, movements: readonly Movement[]): Promise<Outcome[]> => {
  try {
    const row = await oneRow(tx, sql<{ outcomes: Outcome[] }>`select ledger_post(${JSON.stringify(movements)}::jsonb) as outcomes`);
    return row.outcomes;
  } catch (error) {
    throw asFailure(error);
  }
};

/** The contract's error for an expected refusal; any other error unchanged. */
export const asFailure = (error: unknown): unknown => {
  const { code, message, detail } = (error ?? {}) as { code?: string; message?: string; detail?: string };
  if (code !== refusal || message === undefined || !isErrorCode(message)) return error;
  return new Failure(message, JSON.parse(detail ?? '{}') as Params, {});
};
