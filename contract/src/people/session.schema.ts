import * as z from 'zod/mini';
import { person } from './account.schema.ts';
import { flag, id, time } from '#base/fields.schema.ts';
import { roles } from '#base/roles.ts';
import type { MenuNode } from './session.ts';
import { withSchemas } from '#base/endpoint.ts';
import { otpLength, passwordLength, usernameLength } from '#base/limits.ts';
import * as endpoints from './session.ts';

/**
 * The current user: exactly the fields of requirements §3, and the fields of the station that the
 * console needs.
 */
export const currentUser = z.object({
  id,
  ...person,
  registered_at: time,
  avatar: z.string(),
  location: z.string(),
  role: z.enum(roles),
  /** Null if the account has no station. */
  station_name: z.nullable(z.string()),
  /**
   * 1: the API refuses every call except reading the current user, changing the password and
   * logging out.
   */
  must_change: flag,
  /**
   * 1: the API refuses every call except a password change and the setup of two-factor
   * authentication.
   */
  needs_second_factor: flag,
  /** 1: the account may export lists. */
  may_export: flag,
  /**
   * The key that encrypts the data that this account keeps in a browser: 32 bytes as hex digits,
   * the same at each login.
   */
  storage_key: z.string(),
});
export type CurrentUser = z.infer<typeof currentUser>;
const menuNode: z.ZodMiniType<MenuNode> = z.object({
  path: z.string(),
  name: z.string(),
  meta: z.object({
    locale: z.string(),
    icon: z.string(),
    order: z.int(),
    roles: z.array(z.string()),
  }),
  children: z.array(z.lazy(() => menuNode)),
});

export const schemas = {
  login: {
    input: z.object({
      username: z
        .string()
        .check(
          z.trim(),
          z.minLength(1, 'username_required'),
          z.maxLength(usernameLength.max, 'too_long'),
        ),
      password: z
        .string()
        .check(z.minLength(1, 'password_required'), z.maxLength(passwordLength.max, 'too_long')),
      otp: z.optional(z.string().check(z.maxLength(otpLength))),
    }),
    output: z.object({ access_token: z.string() }),
  },
  logout: {
    input: z.object({}),
    output: z.object({}),
  },
  personal: {
    input: z.object({}),
    output: currentUser,
  },
  serverMenu: {
    input: z.object({}),
    output: z.array(menuNode),
  },
};

export const calls = withSchemas(endpoints, schemas);
