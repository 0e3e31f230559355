import * as z from 'zod/mini';
import { flag, id, text, time } from '#base/fields.schema.ts';
import { accountSession, avatar, secretText } from './account.schema.ts';
import { currentUser } from './session.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import { locationLength, otpLength, phoneLength, shortNameLength } from '#base/limits.ts';
import * as endpoints from './profile.ts';

/** A code from the authenticator app, or a recovery code; its spaces and dashes are ignored. */
const otp = z.string().check(z.minLength(1, 'otp_required'), z.maxLength(otpLength, 'too_long'));
export type SecondFactorStart = z.infer<typeof schemas.startSecondFactor.output>;

const codes = z.object({ recovery_codes: z.array(z.string()) });

export const schemas = {
  editPersonal: {
    input: z.object({
      nickname: z.optional(text(0, shortNameLength)),
      phone: z.optional(text(0, phoneLength)),
      location: z.optional(text(0, locationLength)),
      avatar: z.optional(avatar),
    }),
    output: currentUser,
  },
  changePassword: {
    input: z.object({ current: secretText, password: secretText }),
    output: currentUser,
  },
  personalSessions: {
    input: z.object({}),
    output: z.object({ items: z.array(accountSession) }),
  },
  revokeSession: {
    input: z.object({ id }),
    output: z.object({}),
  },
  secondFactor: {
    input: z.object({}),
    output: z.object({
      on: flag,
      /** 1: the account must use two-factor authentication and cannot switch it off. */
      required: flag,
      since: z.nullable(time),
      recovery_codes_left: z.int(),
    }),
  },
  startSecondFactor: {
    input: z.object({ password: secretText }),
    output: z.object({
      secret: z.string(),
      uri: z.string(),
      qr: z.object({ modules: z.int(), path: z.string() }),
    }),
  },
  confirmSecondFactor: {
    input: z.object({ otp }),
    output: codes,
  },
  renewRecoveryCodes: {
    input: z.object({ password: secretText, otp }),
    output: codes,
  },
  endSecondFactor: {
    input: z.object({ password: secretText, otp }),
    output: z.object({}),
  },
};

export const calls = withSchemas(endpoints, schemas);
