import { present } from '@waystation/contract/base/present.ts';
import { raiseAlert } from '#domain/alerts/alerts.ts';
import { stateCode } from '@waystation/contract/parcels/express-states.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { announce, whyFields } from './moves.ts';
import { noteUnknown } from './outcome-record.ts';
import { updateExpress } from './row.ts';
import type { ExpressRow, WaybillClaim } from './row.ts';

type Claimed = Pick<ExpressRow, 'waybill_claims'>;

/** The waybills that were reported for this order and not rejected. */
export const openClaims = ({ waybill_claims }: Claimed): WaybillClaim[] =>
  waybill_claims.filter(({ rejected }) => rejected !== 1);

/**
 * Waybills from which an administrator may choose: two or more different waybills, or one waybill
 * that a push reported while the outcome is unknown. Empty if there is nothing to choose.
 */
export const choosableClaims = (
  express: Claimed & Pick<ExpressRow, 'state_code'>,
): WaybillClaim[] => {
  const claims = openClaims(express);
  const named =
    express.state_code === stateCode.ordering && claims.some(({ source }) => source === 'push');
  return claims.length > 1 || named ? claims : [];
};

/**
 * True if two waybills were reported: nothing is sent, requested or printed until an administrator
 * has chosen one.
 */
export const hasWaybillConflict = (express: Claimed): boolean => openClaims(express).length > 1;

/**
 * SQL condition for a parcel `e`: two waybills were reported, and no administrator has chosen
 * between them.
 */
export const isUndecided = sql<boolean>`jsonb_path_query_array(e.waybill_claims,
  '$[*] ? (!exists(@.rejected))') -> 1 is not null`;

/**
 * True if two waybills were reported, at least one of them in an answer of the carrier. If only a
 * push contradicts the prefetched number, the carrier is called until it has answered.
 */
export const isAnsweredTwice = (express: Claimed): boolean =>
  hasWaybillConflict(express) && openClaims(express).some(({ source }) => source === 'answer');

export const isRejectedWaybill = ({ waybill_claims }: Claimed, delivery_id: string): boolean =>
  waybill_claims.some((claim) => claim.rejected === 1 && claim.delivery_id === delivery_id);

/** The sources of a reported waybill, the weakest first. */
const strength = { number: 0, push: 1, answer: 2 } as const satisfies Record<
  WaybillClaim['source'],
  number
>;

/** The reported waybills and one more. Each waybill appears once, with its strongest source. */
export const claimsWith = (
  { waybill_claims }: Claimed,
  delivery_id: string,
  source: WaybillClaim['source'],
): WaybillClaim[] =>
  waybill_claims.some((claim) => claim.delivery_id === delivery_id)
    ? waybill_claims.map((claim) =>
        claim.delivery_id === delivery_id && strength[source] > strength[claim.source]
          ? { ...claim, source }
          : claim,
      )
    : [...waybill_claims, { delivery_id, source }];

/** The claims without child waybills, which a push may have reported as waybills of the order. */
export const withoutPackages = (
  { waybill_claims }: Claimed,
  { package_ids = [] }: { package_ids?: readonly string[] },
): { waybill_claims: WaybillClaim[] } => ({
  waybill_claims: waybill_claims.filter(({ delivery_id }) => !package_ids.includes(delivery_id)),
});

/**
 * The waybills that remain reported for an order after the carrier has refused it: all except the
 * prefetched number.
 */
export const claimsAfterRefusal = ({ waybill_claims }: Claimed): WaybillClaim[] =>
  waybill_claims.filter(({ source }) => source !== 'number');

const conflictKey = (express_id: number): string => `waybill_conflict:${express_id}`;

/**
 * Stops an order for which different waybills were reported. The hold stays, an alert shows both
 * waybills to administrators, and no call is repeated.
 */
export const raiseWaybillConflict = async (
  work: Work,
  express: ExpressRow,
  waybill_claims: WaybillClaim[],
): Promise<void> => {
  const [first, second] = openClaims({ waybill_claims });
  const params = {
    order_id: express.order_id,
    first: present(first).delivery_id,
    second: present(second).delivery_id,
  };
  await updateExpress(work, express.id, {
    waybill_claims,
    ...(express.state_code === stateCode.ordering &&
      whyFields({ reason: { code: 'waybill_conflict', params } })),
  });
  if (express.state_code === stateCode.ordering)
    await noteUnknown(work, express, {
      cause: 'two_waybills',
      since: express.order_sought_at,
      maybe_stored: true,
    });
  await raiseAlert(work, {
    code: 'waybill_conflict',
    params,
    express_id: express.id,
    station_id: express.station_id,
    key: conflictKey(express.id),
  });
  await announce(work, express.id);
};

export const closeWaybillConflict = async (work: Work, express_id: number): Promise<void> => {
  await work.tx
    .updateTable('alerts')
    .set({ closed_at: sql`now()` })
    .where('key', '=', conflictKey(express_id))
    .where('closed_at', 'is', null)
    .execute();
};
