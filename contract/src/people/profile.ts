import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './profile.schema.ts';
export type { SecondFactorStart } from './profile.schema.ts';

const base = '/api/arco/personal';

export const editPersonal = endpoint<typeof schemas.editPersonal>({
  method: 'PATCH',
  path: base,
  roles: everyone,
  summary: 'Change the editable fields of the user’s account.',
});

export const changePassword = endpoint<typeof schemas.changePassword>({
  method: 'POST',
  path: `${base}/password`,
  roles: everyone,
  allowWithDuty: ['password', 'second_factor'],
  summary: 'Change one’s password; every other session ends.',
});

export const personalSessions = endpoint<typeof schemas.personalSessions>({
  method: 'GET',
  path: `${base}/sessions`,
  roles: everyone,
  summary: 'Where one is logged in.',
});

export const revokeSession = endpoint<typeof schemas.revokeSession>({
  method: 'POST',
  path: `${base}/sessions/{id}/revoke`,
  roles: everyone,
  summary: 'End one of the user’s sessions.',
});

export const secondFactor = endpoint<typeof schemas.secondFactor>({
  method: 'GET',
  path: `${base}/second-factor`,
  roles: everyone,
  allowWithDuty: ['second_factor'],
  summary:
    'Whether the second step is on and required, since when, and how many recovery codes are left.',
});

/**
 * The user enters the secret into an authenticator app: `secret` to type it, `uri` to open the app,
 * or the QR code `qr`. `qr` is a path of squares in a grid of `modules` × `modules`, including its
 * white border.
 */
export const startSecondFactor = endpoint<typeof schemas.startSecondFactor>({
  method: 'POST',
  path: `${base}/second-factor/start`,
  roles: everyone,
  allowWithDuty: ['second_factor'],
  summary:
    'Begin setting up the second step: a new secret, which counts once a code of it was entered.',
});

export const confirmSecondFactor = endpoint<typeof schemas.confirmSecondFactor>({
  method: 'POST',
  path: `${base}/second-factor/confirm`,
  roles: everyone,
  allowWithDuty: ['second_factor'],
  summary:
    'Switch two-factor authentication on with a code of the app; only this response has the recovery codes.',
});

export const renewRecoveryCodes = endpoint<typeof schemas.renewRecoveryCodes>({
  method: 'POST',
  path: `${base}/second-factor/recovery-codes`,
  roles: everyone,
  summary: 'New recovery codes instead of the old ones, answered this once.',
});

export const endSecondFactor = endpoint<typeof schemas.endSecondFactor>({
  method: 'POST',
  path: `${base}/second-factor/off`,
  roles: everyone,
  summary: 'Switch the second step off, unless the account must have one.',
});
