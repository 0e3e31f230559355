import { endpoint } from '#base/endpoint.ts';
import { managers, outranks, roles } from '#base/roles.ts';
import type { Role } from '#base/roles.ts';
import type { schemas } from './account.schema.ts';
export type { Account, AccountSession, IssuedInvitation } from './account.schema.ts';

const base = '/api/arco/users';
/**
 * The roles that an account of `role` may assign: those below its own. Below a station manager only
 * clerks exist.
 */
export const rolesBelow = (of: Role): Role[] => roles.filter((role) => outranks(of, role));
/**
 * True if an account of this role needs a station: super and admin belong to none, all others to
 * one.
 */
export const needsStation = (of: Role): boolean => of !== 'super' && of !== 'admin';

export const listAccounts = endpoint<typeof schemas.listAccounts>({
  method: 'GET',
  path: base,
  roles: managers,
  summary: 'Accounts of the caller’s scope with a role below its own.',
});

export const getAccount = endpoint<typeof schemas.getAccount>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: managers,
  summary: 'One account.',
});

export const createAccount = endpoint<typeof schemas.createAccount>({
  method: 'POST',
  path: base,
  roles: managers,
  summary:
    'A new account: with the password sent, one made up and answered once, or a link by which the person sets it.',
});

/**
 * Changes only the fields that are sent. Role and station must be sent together if only one of the
 * old and the new role needs a station.
 */
export const editAccount = endpoint<typeof schemas.editAccount>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: managers,
  summary: 'Change an account; role and station count on its next request.',
});

export const setAccountStatus = endpoint<typeof schemas.setAccountStatus>({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: managers,
  summary: 'Enable or disable an account; disabling ends its sessions.',
});

export const resetPassword = endpoint<typeof schemas.resetPassword>({
  method: 'POST',
  path: `${base}/{id}/password`,
  roles: managers,
  summary:
    'A new password, sent or made by the server; it must be changed at the next login, and the sessions end.',
});

export const inviteAccount = endpoint<typeof schemas.inviteAccount>({
  method: 'POST',
  path: `${base}/{id}/invitation`,
  roles: managers,
  summary:
    'A link by which the person sets a password, answered once; the password, sessions, keys and older links end.',
});

export const accountSessions = endpoint<typeof schemas.accountSessions>({
  method: 'GET',
  path: `${base}/{id}/sessions`,
  roles: managers,
  summary: 'Where an account is logged in.',
});

export const revokeAccountSessions = endpoint<typeof schemas.revokeAccountSessions>({
  method: 'POST',
  path: `${base}/{id}/sessions/revoke`,
  roles: managers,
  summary: 'End all sessions of an account.',
});

export const resetSecondFactor = endpoint<typeof schemas.resetSecondFactor>({
  method: 'POST',
  path: `${base}/{id}/second-factor/reset`,
  roles: managers,
  summary: 'Take the second step off an account whose owner has lost the device.',
});
