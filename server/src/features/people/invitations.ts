import { invitationOf } from '#platform/auth/invitations.ts';
import { systemScope } from '#platform/db/scope.ts';
import { linkedPassword } from './linked-password.ts';

/**
 * The token of a link is enough to identify the person who opens the link (requirements §10.8.86).
 */
export const { open, accept } = linkedPassword({
  scope: systemScope('an invitation is opened'),
  find: invitationOf,
  invalid: 'invitation_invalid',
  ended: 'invitation_ended',
  action: 'accept_invitation',
});
