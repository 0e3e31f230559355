import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flag, id, integer, listInput, listOf, searchText, text, time, version } from './fields.ts';
import { managers, outranks, roles } from './roles.ts';
import type { Role } from './roles.ts';

const base = '/api/arco/users';
const role = z.enum(roles);

/** Letters, digits and . _ @ - : what can be typed at any keyboard and read out on the phone. */
export const username = text(3, 64).check(z.regex(/^[\w.@-]+$/, 'username_letters'));
/** A password on its way in: length and wording are judged by password.ts, where the username is known. */
export const secretText = z.string().check(z.minLength(1, 'password_required'), z.maxLength(1024, 'too_long'));

/** A small picture as a data address, or nothing; never an address that a browser would fetch. */
export const avatar = z.string().check(z.maxLength(16_000, 'too_long'), z.regex(/^(data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2})?$/, 'avatar'));

/** Who may log in: every field of the current user (requirements §3) and what a manager asks about. */
export const account = z.object({
  id: z.int(),
  username: z.string(),
  nickname: z.string(),
  phone: z.string(),
  identity: z.string(),
  program_id: z.nullable(z.int()),
  station_id: z.nullable(z.int()),
  station_name: z.nullable(z.string()),
  registered_at: time,
  avatar: z.string(),
  location: z.string(),
  role,
  status: flag,
  must_change: flag,
  /** 1: the second step of the login is on. */
  second_factor: flag,
  last_seen_at: z.nullable(time),
  /** Sessions that would be let in now. */
  sessions: z.int(),
  password_changed_at: time,
  version: z.int(),
  created_at: time,
  updated_at: time,
});
export type Account = z.infer<typeof account>;

/** One device that is logged in. The id names it; the token is nowhere but on the device. */
export const accountSession = z.object({
  id: z.int(),
  address: z.string(),
  user_agent: z.string(),
  created_at: time,
  last_seen_at: time,
  /** 1: the session that asks. */
  current: flag,
});
export type AccountSession = z.infer<typeof accountSession>;

/** The roles that `role` may give: those below its own; a station's own people are clerks. */
export const rolesBelow = (of: Role): Role[] => roles.filter((role) => outranks(of, role));
/** Office accounts belong to no station, all others to one. */
export const needsStation = (of: Role): boolean => of !== 'super' && of !== 'admin';

const fields = {
  username,
  nickname: text(0, 30),
  phone: text(0, 30),
  identity: text(0, 64),
  program_id: z.nullable(integer(0, Number.MAX_SAFE_INTEGER)),
  station_id: z.nullable(id),
  avatar,
  location: text(0, 60),
  role,
};

export const listAccounts = endpoint({
  method: 'GET',
  path: base,
  roles: managers,
  summary: 'Accounts of the caller’s scope with a role below its own.',
  input: z.object({
    ...listInput,
    q: z.optional(searchText),
    role: z.optional(role),
    station_id: z.optional(id),
    status: z.optional(flag),
    second_factor: z.optional(flag),
  }),
  output: listOf(account),
});

export const getAccount = endpoint({ method: 'GET', path: `${base}/{id}`, roles: managers, summary: 'One account.', input: z.object({ id }), output: account });

/** `password` is answered once where the server made it; null where it was given. */
const withPassword = z.object({ account, password: z.nullable(z.string()) });

export const createAccount = endpoint({
  method: 'POST',
  path: base,
  roles: managers,
  summary: 'A new account; without a password one is made up and answered once. It must be changed at the first login.',
  input: z.object({
    username,
    role,
    password: z.optional(secretText),
    nickname: z.optional(fields.nickname),
    phone: z.optional(fields.phone),
    identity: z.optional(fields.identity),
    program_id: z.optional(fields.program_id),
    station_id: z.optional(fields.station_id),
    avatar: z.optional(avatar),
    location: z.optional(fields.location),
    status: z.optional(flag),
  }),
  output: withPassword,
});

/** Only what changed; role and station together where one decides on the other. */
export const editAccount = endpoint({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: managers,
  summary: 'Change an account; role and station count on its next request.',
  input: z.object({
    id,
    version,
    username: z.optional(username),
    nickname: z.optional(fields.nickname),
    phone: z.optional(fields.phone),
    identity: z.optional(fields.identity),
    program_id: z.optional(fields.program_id),
    station_id: z.optional(fields.station_id),
    avatar: z.optional(avatar),
    location: z.optional(fields.location),
    role: z.optional(role),
    /** 1 asks for a new password; only the account itself takes it off, by setting one. */
    must_change: z.optional(z.literal(1, 'must_change_stays')),
  }),
  output: account,
});

export const setAccountStatus = endpoint({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: managers,
  summary: 'Enable or disable an account; disabling ends its sessions.',
  input: z.object({ id, status: flag }),
  output: account,
});

export const resetPassword = endpoint({
  method: 'POST',
  path: `${base}/{id}/password`,
  roles: managers,
  summary: 'A new password, given or made up; it must be changed at the next login, and the sessions end.',
  input: z.object({ id, password: z.optional(secretText) }),
  output: withPassword,
});

export const accountSessions = endpoint({
  method: 'GET',
  path: `${base}/{id}/sessions`,
  roles: managers,
  summary: 'Where an account is logged in.',
  input: z.object({ id }),
  output: z.object({ items: z.array(accountSession) }),
});

export const revokeAccountSessions = endpoint({
  method: 'POST',
  path: `${base}/{id}/sessions/revoke`,
  roles: managers,
  summary: 'End all sessions of an account.',
  input: z.object({ id }),
  output: account,
});

export const resetSecondFactor = endpoint({
  method: 'POST',
  path: `${base}/{id}/second-factor/reset`,
  roles: managers,
  summary: 'Take the second step off an account whose owner has lost the device.',
  input: z.object({ id }),
  output: account,
});
