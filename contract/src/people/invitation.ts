import { endpoint } from '#base/endpoint.ts';
import type { schemas } from './invitation.schema.ts';

/** The path that an invitation link opens, after the `#` in the URL. */
export const invitationPath = '/invitation';

/** The URL of an invitation; the token is after the `#`, so that no server log contains it. */
export const invitationLink = (consoleUrl: string, token: string): string =>
  `${consoleUrl}/#${invitationPath}?token=${token}`;

export const openInvitation = endpoint<typeof schemas.openInvitation, 'public'>({
  method: 'POST',
  path: '/api/arco/invitations/open',
  roles: 'public',
  summary: 'The username that the link of an invitation is for.',
});

/**
 * This call does not open a session; the user must still log in, including two-factor
 * authentication.
 */
export const acceptInvitation = endpoint<typeof schemas.acceptInvitation, 'public'>({
  method: 'POST',
  path: '/api/arco/invitations/accept',
  roles: 'public',
  summary: 'Set the password of the account that a link of an invitation is for, once.',
});
