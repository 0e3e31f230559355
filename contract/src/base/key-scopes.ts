import type { Role } from './roles.ts';

/** The scopes of an API key; each scope allows the endpoints whose `key` it is. */
export const keyScopes = [
  'parcels',
  'order',
  'cancel',
  'labels',
  'statements',
  'stations',
  'webhooks',
] as const;
export type KeyScope = (typeof keyScopes)[number];

/**
 * Scopes that a clerk has no use for, because a clerk sees no transactions, stations or webhooks.
 */
const managersOnly: readonly KeyScope[] = ['statements', 'stations', 'webhooks'];

/** The scopes that are useful for an account of `role`; a super has no API keys. */
export const keyScopesOf = (role: Role): readonly KeyScope[] =>
  role === 'super'
    ? []
    : role === 'user'
      ? keyScopes.filter((scope) => !managersOnly.includes(scope))
      : keyScopes;

/**
 * `usual`: the number of days that a key is valid if no end is set; `most`: the largest number that
 * can be set.
 */
export const keyDays = { usual: 90, most: 365 } as const;
