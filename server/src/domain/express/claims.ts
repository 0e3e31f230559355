import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { raiseAlert } from './desk.ts';
import { announce, whyFields } from './moves.ts';
import { updateExpress } from './row.ts';
import type { ExpressRow, WaybillClaim } from './row.ts';

type Claimed = Pick<ExpressRow, 'waybill_claims'>;

/** Waybills named for this order that nobody decided against. */
export const openClaims = ({ waybill_claims }: Claimed): WaybillClaim[] => waybill_claims.filter(({ rejected }) => rejected !== 1);

/** What the office may choose from: two waybills that differ, or the one a push named while the outcome is unknown; empty: nothing is open. */
export const choosableClaims = (express: Claimed & Pick<ExpressRow, 'state_code'>): WaybillClaim[] => {
  const claims = openClaims(express);
  const named = express.state_code === 20 && claims.some(({ source }) => source === 'push');
  return claims.length > 1 || named ? claims : [];
};

/** Two answers differ: nothing is sent, asked or printed until the office has decided. */
export const hasWaybillConflict = (express: Claimed): boolean => openClaims(express).length > 1;

export const isRejectedWaybill = ({ waybill_claims }: Claimed, delivery_id: string): boolean =>
  waybill_claims.some((claim) => claim.rejected === 1 && claim.delivery_id === delivery_id);

/** The claims and one more; a waybill claimed before stands once. */
export const claimsWith = ({ waybill_claims }: Claimed, delivery_id: string, source: WaybillClaim['source']): WaybillClaim[] =>
  waybill_claims.some((claim) => claim.delivery_id === delivery_id) ? waybill_claims : [...waybill_claims, { delivery_id, source }];

const conflictKey = (express_id: number): string => `waybill_conflict:${express_id}`;

/** Stops at two answers that differ: the hold stays, the office is called with both numbers, and nothing is repeated. */
export const raiseWaybillConflict = async (tx: Tx, express: ExpressRow, waybill_claims: WaybillClaim[]): Promise<void> => {
  const [first, second] = openClaims({ waybill_claims });
  const params = { order_id: express.order_id, first: first!.delivery_id, second: second!.delivery_id };
  await updateExpress(tx, express.id, {
    waybill_claims,
    ...(express.state_code === 20 && whyFields({ reason: { code: 'waybill_conflict', params } })),
  });
  await raiseAlert(tx, { code: 'waybill_conflict', params, express_id: express.id, station_id: express.station_id, key: conflictKey(express.id) });
  await announce(tx, express.id);
};

export const closeWaybillConflict = async (tx: Tx, express_id: number): Promise<void> => {
  await sql`update alerts set closed_at = now() where key = ${conflictKey(express_id)} and closed_at is null`.execute(tx);
};
