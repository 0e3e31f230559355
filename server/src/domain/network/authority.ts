import type { Reason } from '@waystation/contract/envelope.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { fail, failFields } from '#platform/fail.ts';

/** How an actor stands to a station in its scope: the office to any, a partner to those below its own, everybody to the own one. */
export type Authority = 'office' | 'above' | 'own';

/** Of the own station: what stands on its labels as the sender. */
export const senderFields = ['sender_name', 'sender_phone'] as const;
/** For super and admin only: what a station may owe, on whose account it ships, by which scheme it pays and what its partner may take of the stations below. */
export const officeFields = ['has_amount', 'fixed_freeze', 'customer_code', 'project_id', 'profit_limit', 'fixed_profit_limit'] as const;

const authorityOf = (actor: Actor, station_id: number): Authority => {
  if (actor.role === 'super' || actor.role === 'admin') return 'office';
  return actor.role === 'partner' && station_id !== actor.station_id ? 'above' : 'own';
};

const may = (authority: Authority, field: string): boolean => {
  if (authority === 'office') return true;
  if (authority === 'own') return senderFields.some((name) => name === field);
  return !officeFields.some((name) => name === field);
};

/** Fails with every field of `given` that the actor may not set of this station; answers how it stands to it. */
export const checkAuthority = (actor: Actor, station_id: number, given: object): Authority => {
  const authority = authorityOf(actor, station_id);
  const refused = Object.entries(given).filter(([field, value]) => value !== undefined && !may(authority, field));
  if (refused.length > 0) failFields(Object.fromEntries(refused.map(([field]): [string, Reason] => [field, { code: 'field_not_yours' }])));
  return authority;
};

/** What nobody does to the own station: disable it, move it. */
export const refuseOwn = (actor: Actor, station_id: number): void => {
  if (authorityOf(actor, station_id) === 'own') fail('forbidden');
};
