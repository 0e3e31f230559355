import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { fail, failFields } from '#platform/fail.ts';

/**
 * The kind of authority that an actor has over a station in its scope. `office`: the actor is an
 * admin or super admin. `above`: the actor is a partner, and the station is below the partner's
 * own. `own`: the station is the actor's own.
 */
export type Authority = 'office' | 'above' | 'own';

/**
 * The only fields of their own station that partners and station managers may set: the sender on
 * its labels.
 */
export const senderFields = ['sender_name', 'sender_phone'] as const;
/**
 * Fields that only super admins and admins may change: credit, low-balance limit, carrier account,
 * freight scheme, and the limits of a partner's profit shares.
 */
export const officeFields = [
  'has_amount',
  'fixed_freeze',
  'low_balance',
  'credit_limit',
  'customer_code',
  'project_id',
  'profit_limit',
  'fixed_profit_limit',
] as const;

const authorityOf = (actor: Actor, station_id: number): Authority => {
  if (actor.role === 'super' || actor.role === 'admin') return 'office';
  return actor.role === 'partner' && station_id !== actor.station_id ? 'above' : 'own';
};

const maySet = (authority: Authority, field: string): boolean => {
  if (authority === 'office') return true;
  if (authority === 'own') return senderFields.some((name) => name === field);
  return !officeFields.some((name) => name === field);
};

/**
 * Fails with all fields of `changes` that the actor may not set. Returns the actor's authority over
 * the station.
 */
export const checkAuthority = (actor: Actor, station_id: number, changes: object): Authority => {
  const authority = authorityOf(actor, station_id);
  const refused = Object.entries(changes).filter(
    ([field, value]) => value !== undefined && !maySet(authority, field),
  );
  if (refused.length > 0)
    failFields(
      Object.fromEntries(
        refused.map(([field]): [string, Reason] => [field, { code: 'field_not_yours' }]),
      ),
    );
  return authority;
};

/**
 * Fails if the station is the actor's own, because an actor may neither disable nor move its own
 * station.
 */
export const refuseOwn = (actor: Actor, station_id: number): void => {
  if (authorityOf(actor, station_id) === 'own') fail('forbidden');
};
