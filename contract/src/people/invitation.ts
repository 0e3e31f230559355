import { endpoint } from '#base/endpoint.ts';
import type { schemas } from './invitation.schema.ts';

/** The page that a link of an invitation opens, after the `#` of the address. */
export const invitationPath = '/invitation';

/** The link of an invitation; the token is behind the `#`, so that it is in no log. */
export const invitationLink = (consoleUrl: string, token: string): string =>
  `${consoleUrl}/#${invitationPath}?token=${token}`;

export const openInvitation = endpoint<typeof schemas.openInvitation, 'public'>({
  method: 'POST',
  path: '/api/arco/invitations/open',
  roles: 'public',
  summary: 'The username that the link of an invitation is for.',
});

/** Opens no session: the login with its second step follows. */
export const acceptInvitation = endpoint<typeof schemas.acceptInvitation, 'public'>({
  method: 'POST',
  path: '/api/arco/invitations/accept',
  roles: 'public',
  summary: 'Set the password of the account that a link of an invitation is for, once.',
});
