import { endpoint } from '#base/endpoint.ts';
import type { schemas } from './password-reset.schema.ts';

/** The path that a mailed link opens, after the `#` in the URL. */
export const resetPath = '/password-reset';

/** The URL that is mailed; the token is after the `#`, so that no server log contains it. */
export const resetLink = (consoleUrl: string, token: string): string =>
  `${consoleUrl}/#${resetPath}?token=${token}`;

export const askPasswordReset = endpoint<typeof schemas.askPasswordReset, 'public'>({
  method: 'POST',
  path: '/api/arco/password-resets',
  roles: 'public',
  summary:
    'Mail a link that sets a forgotten password, where the account has a mailbox for it. The answer is always the same.',
});

export const openPasswordReset = endpoint<typeof schemas.openPasswordReset, 'public'>({
  method: 'POST',
  path: '/api/arco/password-resets/open',
  roles: 'public',
  summary: 'The username that a mailed link is for.',
});

/**
 * This call does not open a session; the user must still log in, including two-factor
 * authentication.
 */
export const acceptPasswordReset = endpoint<typeof schemas.acceptPasswordReset, 'public'>({
  method: 'POST',
  path: '/api/arco/password-resets/accept',
  roles: 'public',
  summary: 'Set the password of the account that a mailed link is for, once.',
});
