import { expressStates } from '@waystation/contract/express.ts';
import type { StateCode } from '@waystation/contract/express.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import { errorText } from '@waystation/contract/errors.ts';
import { queueStatement, sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { writeExpress } from './row.ts';
import type { ExpressRow } from './row.ts';
import { mayMove } from './state.ts';

/** Why a parcel is in its state: a reason of ours, or the carrier's unchanged words. */
export type Why = { reason: Reason } | { words: string };

export interface Move {
  to: StateCode;
  /** The column of express_moves: order, hold, refused, carrier, cancel, release … */
  cause: string;
  account_id: number | null;
  at: Date;
  why?: Why;
  changes?: Partial<ExpressRow>;
}

/** The row's columns of a reason: the Chinese text, and our code beside it. */
export const whyFields = (why: Why | undefined): Pick<ExpressRow, 'state_remark' | 'state_reason'> => {
  if (!why) return { state_remark: '', state_reason: null };
  if ('words' in why) return { state_remark: why.words.slice(0, 500), state_reason: null };
  return { state_remark: errorText(why.reason.code, why.reason.params, 'zh'), state_reason: why.reason };
};

/**
 * Moves a locked parcel to another state, records the move, and notifies requests that wait for it. A move of our own must be legal (requirements §4);
 * the fold judges `cause: 'carrier'`, because a late message may rewrite its history.
 */
export const moveExpress = async (tx: Tx, express: ExpressRow, move: Move): Promise<ExpressRow> => {
  if (move.cause !== 'carrier' && !mayMove(express.state_code, move.to))
    throw new Error(`parcel ${express.id} may not go from ${express.state_code} to ${move.to}`);
  await recordMove(tx, express, express.state_code, move);
  const moved = await writeExpress(tx, express, { ...move.changes, state_code: move.to, state_txt: expressStates[move.to].zh, ...whyFields(move.why) });
  await announce(tx, express.id);
  return moved;
};

/** Records the first state of a new parcel, or a move that is already written to the row. */
export const recordMove = async (
  tx: Tx,
  { id: express_id, station_id, tree_id }: Pick<ExpressRow, 'id' | 'station_id' | 'tree_id'>,
  from: StateCode | null,
  move: Pick<Move, 'to' | 'cause' | 'account_id' | 'at'>,
): Promise<void> => {
  const { to, cause, account_id, at } = move;
  await queueStatement(
    tx,
    tx.insertInto('express_moves').values({ express_id, station_id, tree_id, from_code: from, to_code: to, cause, account_id, at }).compile(),
  );
};

export const expressChannel = 'waystation_express';

/** Notifies the API processes that wait for this parcel, on commit. */
export const announce = async (tx: Tx, express_id: number): Promise<void> => {
  await queueStatement(tx, sql`select pg_notify(${expressChannel}, ${String(express_id)})`.compile(tx));
};
