import * as z from 'zod/mini';
import { accountSession, avatar, secretText } from './account.ts';
import { endpoint } from './endpoint.ts';
import { flag, id, text, time } from './fields.ts';
import { everyone } from './roles.ts';
import { currentUser } from './session.ts';

const base = '/api/arco/personal';
/** A code of the authenticator app, or a recovery code; spaces and dashes are not counted. */
const otp = z.string().check(z.minLength(1, 'otp_required'), z.maxLength(32, 'too_long'));

export const editPersonal = endpoint({
  method: 'PATCH',
  path: base,
  roles: everyone,
  summary: 'Change what one may change of one’s own account.',
  input: z.object({
    nickname: z.optional(text(0, 30)),
    phone: z.optional(text(0, 30)),
    location: z.optional(text(0, 60)),
    avatar: z.optional(avatar),
  }),
  output: currentUser,
});

export const changePassword = endpoint({
  method: 'POST',
  path: `${base}/password`,
  roles: everyone,
  allowWithExpiredPassword: true,
  summary: 'Change one’s password; every other session ends.',
  input: z.object({ current: secretText, password: secretText }),
  output: currentUser,
});

export const personalSessions = endpoint({
  method: 'GET',
  path: `${base}/sessions`,
  roles: everyone,
  summary: 'Where one is logged in.',
  input: z.object({}),
  output: z.object({ items: z.array(accountSession) }),
});

export const revokeSession = endpoint({
  method: 'POST',
  path: `${base}/sessions/{id}/revoke`,
  roles: everyone,
  summary: 'End one of one’s own sessions.',
  input: z.object({ id }),
  output: z.object({}),
});

export const secondFactor = endpoint({
  method: 'GET',
  path: `${base}/second-factor`,
  roles: everyone,
  summary: 'Whether the second step is on, since when, and how many recovery codes are left.',
  input: z.object({}),
  output: z.object({ on: flag, since: z.nullable(time), recovery_codes_left: z.int() }),
});

/** `secret` for typing, `uri` for the app, `qr` the same as a picture: a path of squares in a field of `modules` × `modules`, its white border counted. */
export const startSecondFactor = endpoint({
  method: 'POST',
  path: `${base}/second-factor/start`,
  roles: everyone,
  summary: 'Begin setting up the second step: a new secret, which counts once a code of it was entered.',
  input: z.object({ password: secretText }),
  output: z.object({ secret: z.string(), uri: z.string(), qr: z.object({ modules: z.int(), path: z.string() }) }),
});
export type SecondFactorStart = z.infer<typeof startSecondFactor.output>;

const codes = z.object({ recovery_codes: z.array(z.string()) });

export const confirmSecondFactor = endpoint({
  method: 'POST',
  path: `${base}/second-factor/confirm`,
  roles: everyone,
  summary: 'Switch the second step on with a code of the app; the recovery codes are answered this once.',
  input: z.object({ otp }),
  output: codes,
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: `${base}/second-factor/recovery-codes`,
  roles: everyone,
  summary: 'New recovery codes instead of the old ones, answered this once.',
  input: z.object({ password: secretText, otp }),
  output: codes,
});

export const endSecondFactor = endpoint({
  method: 'POST',
  path: `${base}/second-factor/off`,
  roles: everyone,
  summary: 'Switch the second step off.',
  input: z.object({ password: secretText, otp }),
  output: z.object({}),
});
