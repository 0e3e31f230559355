import { invitationOf } from '#platform/auth/invitations.ts';
import { systemScope } from '#platform/db/scope.ts';
import { linkedPassword } from './linked-password.ts';

/** Requirements §10.8.86: the person who opens a link is known by its token alone. */
export const { open, accept } = linkedPassword({
  scope: systemScope('an invitation is opened'),
  find: invitationOf,
  invalid: 'invitation_invalid',
  ended: 'invitation_ended',
  action: 'accept_invitation',
});
