import { expressStates } from '@waystation/contract/parcels/express.ts';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { errorText } from '@waystation/contract/base/errors.ts';
import { queueStatement, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { closeProductAlert } from './confirmed-product.ts';
import { writeExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import { mayMove } from './state.ts';

/**
 * The reason why a parcel is in its state: a reason with our code, or the carrier's unchanged text.
 */
export type Why = { reason: Reason } | { words: string };

export interface Move {
  to: StateCode;
  /**
   * The value of the column `cause` of `express_moves`, for example `order`, `hold`, `refused`,
   * `carrier` or `cancel`.
   */
  cause: string;
  account_id: number | null;
  at: Date;
  why?: Why;
  changes?: Partial<ExpressRow>;
}

/** The row's columns for a reason: the Chinese text, and our error code. */
export const whyFields = (
  why: Why | undefined,
): Pick<ExpressRow, 'state_remark' | 'state_reason'> => {
  if (!why) return { state_remark: '', state_reason: null };
  if ('words' in why) return { state_remark: why.words.slice(0, 500), state_reason: null };
  return {
    state_remark: errorText(why.reason.code, why.reason.params, 'zh'),
    state_reason: why.reason,
  };
};

/**
 * Changes the state of a locked parcel, records the change, and notifies requests that wait for the
 * parcel. A change that we cause must be legal (requirements §4). A change with `cause: 'carrier'`
 * was already checked by `foldMessages`, because a late message may change the history.
 */
export const moveExpress = async (
  work: Work,
  express: ExpressRow,
  move: Move,
): Promise<ExpressRow> => {
  if (move.cause !== 'carrier' && !mayMove(express.state_code, move.to))
    throw new Error(`parcel ${express.id} may not go from ${express.state_code} to ${move.to}`);
  await recordMove(work, express, express.state_code, move);
  const moved = await writeExpress(work, express, {
    ...move.changes,
    state_code: move.to,
    state_txt: expressStates[move.to].zh,
    ...whyFields(move.why),
  });
  if (move.to === stateCode.cancelled && express.delivery_id !== null)
    await closeProductAlert(work, express.id, move.at);
  await announce(work, express.id);
  return moved;
};

/**
 * Records the first state of a new parcel, or a change of state that is already written to the row.
 */
export const recordMove = async (
  work: Work,
  { id: express_id, station_id }: Pick<ExpressRow, 'id' | 'station_id'>,
  from: StateCode | null,
  move: Pick<Move, 'to' | 'cause' | 'account_id' | 'at'>,
): Promise<void> => {
  const { to, cause, account_id, at } = move;
  await queueStatement(
    work,
    work.tx
      .insertInto('express_moves')
      .values({
        express_id,
        station_id,
        from_code: from,
        to_code: to,
        cause,
        account_id,
        at,
      })
      .compile(),
  );
};

export const expressChannel = 'waystation_express';

/** Notifies, when the transaction commits, the API processes that wait for this parcel. */
export const announce = async (work: Work, express_id: number): Promise<void> => {
  await queueStatement(
    work,
    sql`select pg_notify(${expressChannel},
    ${String(express_id)})`.compile(work.tx),
  );
};
