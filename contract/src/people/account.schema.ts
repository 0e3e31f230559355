import * as z from 'zod/mini';
import { roles } from '#base/roles.ts';
import {
  flag,
  id,
  integer,
  listInput,
  listOf,
  searchText,
  stored,
  text,
  time,
  version,
} from '#base/fields.schema.ts';
import { withSchemas } from '#base/endpoint.ts';
import {
  avatarLength,
  identityLength,
  locationLength,
  mailAddressLength,
  passwordInputLength,
  phoneLength,
  shortNameLength,
  usernameLength,
} from '#base/limits.ts';
import * as endpoints from './account.ts';

const role = z.enum(roles);

/**
 * Letters, digits and . _ @ - are allowed: characters that can be typed on any keyboard and
 * dictated by phone.
 */
export const username = text(usernameLength.min, usernameLength.max).check(
  z.regex(/^[\w.@-]+$/, 'username_letters'),
);
/**
 * A password in a request. The length and the words of the password are checked in password.ts,
 * because that check needs the username too.
 */
export const secretText = z
  .string()
  .check(z.minLength(1, 'password_required'), z.maxLength(passwordInputLength, 'too_long'));

/** Exactly one email address, without a display name. */
export const mailAddress = z
  .string()
  .check(
    z.trim(),
    z.maxLength(mailAddressLength, 'too_long'),
    z.regex(/^[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}$/, 'mail_address'),
  );

/** The first bytes of a PNG, a JPEG and a WebP in Base64. */
const beginnings = 'png;base64,iVBORw0KGgo|jpeg;base64,/9j/|webp;base64,UklGR';

/** A small picture as a `data:` URL, or empty; never a URL that a browser would fetch. */
export const avatar = z
  .string()
  .check(
    z.maxLength(avatarLength, 'too_long'),
    z.regex(new RegExp(`^(data:image/(${beginnings})[A-Za-z0-9+/]+={0,2})?$`), 'avatar'),
  );

/**
 * The names and the place of a person, in responses; the same fields for the user and for the
 * user's manager (requirements §3).
 */
export const person = {
  username: z.string(),
  nickname: z.string(),
  phone: z.string(),
  identity: z.string(),
  program_id: z.nullable(z.int()),
  station_id: z.nullable(z.int()),
};

/**
 * An account, with every field of the current user (requirements §3) and further fields for
 * managers.
 */
export const account = z.object({
  id: z.int(),
  ...person,
  station_name: z.nullable(z.string()),
  registered_at: time,
  avatar: z.string(),
  location: z.string(),
  role,
  status: flag,
  must_change: flag,
  /** 1: the account may export lists. */
  may_export: flag,
  /** 1: two-factor authentication is on. */
  second_factor: flag,
  last_seen_at: z.nullable(time),
  /** The number of sessions that are valid now. */
  sessions: z.int(),
  password_changed_at: time,
  /**
   * `open`: invited by a link that still works until `invitation_until`; `ended`: invited by a link
   * that no longer works; null: not invited, or the person has already set a password.
   */
  invitation: z.nullable(z.enum(['open', 'ended'])),
  invitation_until: z.nullable(time),
  ...stored,
});
export type Account = z.infer<typeof account>;

/** One device that is logged in, identified by its id. The token is stored only on the device. */
export const accountSession = z.object({
  id: z.int(),
  address: z.string(),
  user_agent: z.string(),
  created_at: time,
  last_seen_at: time,
  /** 1: this request was made with this session. */
  current: flag,
});
export type AccountSession = z.infer<typeof accountSession>;

const fields = {
  username,
  nickname: text(0, shortNameLength),
  phone: text(0, phoneLength),
  identity: text(0, identityLength),
  program_id: z.nullable(integer(0, Number.MAX_SAFE_INTEGER)),
  station_id: z.nullable(id),
  avatar,
  location: text(0, locationLength),
  role,
};
/** The optional fields of a new account and of an edit. */
const details = {
  nickname: z.optional(fields.nickname),
  phone: z.optional(fields.phone),
  identity: z.optional(fields.identity),
  program_id: z.optional(fields.program_id),
  station_id: z.optional(fields.station_id),
  avatar: z.optional(avatar),
  location: z.optional(fields.location),
};

/**
 * The response contains `password` once, if the server generated it; null if the caller chose the
 * password.
 */
const withPassword = z.object({ account, password: z.nullable(z.string()) });

/**
 * The invitation link, returned only once: its token, the time until which it is valid, and whether
 * it was mailed.
 */
const invitation = z.object({
  token: z.string(),
  expires_at: time,
  /**
   * 1: the mail server accepted the message; 0: the message could not be mailed; null: no mail was
   * requested.
   */
  mailed: z.nullable(flag),
});
export type IssuedInvitation = z.infer<typeof invitation>;

export const schemas = {
  listAccounts: {
    input: z.object({
      ...listInput,
      q: z.optional(searchText),
      role: z.optional(role),
      station_id: z.optional(id),
      status: z.optional(flag),
      second_factor: z.optional(flag),
    }),
    output: listOf(account),
  },
  getAccount: {
    input: z.object({ id }),
    output: account,
  },
  createAccount: {
    input: z.object({
      username,
      role,
      password: z.optional(secretText),
      ...details,
      status: z.optional(flag),
      /** If absent: 0 for a clerk, 1 for any other role. */
      may_export: z.optional(flag),
      /** 1: the account gets no password; the person sets one by a link. */
      invite: z.optional(flag),
      /** The email address to which the link is also sent. */
      mail: z.optional(mailAddress),
    }),
    output: z.object({
      account,
      password: z.nullable(z.string()),
      /** The invitation; null if the account was not invited. */
      invitation: z.nullable(invitation),
    }),
  },
  editAccount: {
    input: z.object({
      id,
      version,
      username: z.optional(username),
      ...details,
      role: z.optional(role),
      /**
       * 1: the account must set a new password. Only the account itself ends this duty, by setting
       * one.
       */
      must_change: z.optional(z.literal(1, 'must_change_stays')),
      may_export: z.optional(flag),
    }),
    output: account,
  },
  setAccountStatus: {
    input: z.object({ id, status: flag }),
    output: account,
  },
  resetPassword: {
    input: z.object({ id, password: z.optional(secretText) }),
    output: withPassword,
  },
  inviteAccount: {
    input: z.object({ id, mail: z.optional(mailAddress) }),
    output: z.object({ account, invitation }),
  },
  accountSessions: {
    input: z.object({ id }),
    output: z.object({ items: z.array(accountSession) }),
  },
  revokeAccountSessions: {
    input: z.object({ id }),
    output: account,
  },
  resetSecondFactor: {
    input: z.object({ id }),
    output: account,
  },
};

export const calls = withSchemas(endpoints, schemas);
