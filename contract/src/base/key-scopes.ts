import type { Role } from './roles.ts';

/** The scopes of an API key: each opens the endpoints that name it as `key`. */
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

/** The days that a key is valid if no end is set, and the most days that can be set. */
export const keyDays = { usual: 90, most: 365 } as const;
