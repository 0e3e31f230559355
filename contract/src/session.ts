import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { flag, id, time } from './fields.ts';
import { everyone, roles } from './roles.ts';

/** The current user, field for field as requirements §3, with what the shell needs of the station beside it. */
export const currentUser = z.object({
  id,
  username: z.string(),
  nickname: z.string(),
  phone: z.string(),
  identity: z.string(),
  program_id: z.nullable(z.int()),
  station_id: z.nullable(z.int()),
  registered_at: time,
  avatar: z.string(),
  location: z.string(),
  role: z.enum(roles),
  /** Null where the account has no station. */
  station_name: z.nullable(z.string()),
  /** 1: nothing is answered but this, a change of the password, and logging out. */
  must_change: flag,
});
export type CurrentUser = z.infer<typeof currentUser>;

/** Never answers 401, so that the client's logout on 401 is not triggered by a typing error (requirements §7). */
export const login = endpoint({
  method: 'POST',
  path: '/api/arco/login/password',
  roles: 'public',
  summary: 'Log in with username and password; the answer is the bearer token.',
  input: z.object({
    username: z.string().check(z.trim(), z.minLength(1, 'username_required'), z.maxLength(64, 'too_long')),
    password: z.string().check(z.minLength(1, 'password_required'), z.maxLength(256, 'too_long')),
    otp: z.optional(z.string().check(z.maxLength(32))),
  }),
  output: z.object({ access_token: z.string() }),
});

/** Idempotent; an absent or dead token is fine, so it never answers 401. */
export const logout = endpoint({
  method: 'POST',
  path: '/api/arco/logout',
  roles: 'public',
  summary: 'End the session of the bearer token.',
  input: z.object({}),
  output: z.object({}),
});

export const personal = endpoint({
  method: 'GET',
  path: '/api/arco/personal',
  roles: everyone,
  allowWithExpiredPassword: true,
  summary: 'The current user.',
  input: z.object({}),
  output: currentUser,
});

export interface MenuNode {
  path: string;
  name: string;
  meta: { locale: string; icon: string; order: number; roles: string[] };
  children: MenuNode[];
}
const menuNode: z.ZodMiniType<MenuNode> = z.object({
  path: z.string(),
  name: z.string(),
  meta: z.object({ locale: z.string(), icon: z.string(), order: z.int(), roles: z.array(z.string()) }),
  children: z.array(z.lazy(() => menuNode)),
});

export const serverMenu = endpoint({
  method: 'POST',
  path: '/api/user/menu',
  roles: everyone,
  summary: 'The menu tree the current user may see, for clients that take the menu from the server.',
  input: z.object({}),
  output: z.array(menuNode),
});
