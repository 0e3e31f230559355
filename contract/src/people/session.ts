import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './session.schema.ts';
export type { CurrentUser } from './session.schema.ts';

/**
 * Never returns 401, because the client logs the user out on 401, and a mistyped password must not
 * do that (requirements §7).
 */
export const login = endpoint<typeof schemas.login, 'public'>({
  method: 'POST',
  path: '/api/arco/login/password',
  roles: 'public',
  summary: 'Log in with username and password; the answer is the bearer token.',
});

/** Idempotent: a missing or expired token is accepted, so this call never returns 401. */
export const logout = endpoint<typeof schemas.logout, 'public'>({
  method: 'POST',
  path: '/api/arco/logout',
  roles: 'public',
  always: true,
  summary: 'End the session of the bearer token.',
});

export const personal = endpoint<typeof schemas.personal>({
  method: 'GET',
  path: '/api/arco/personal',
  roles: everyone,
  allowWithDuty: ['password', 'second_factor'],
  summary: 'The current user.',
});

export interface MenuNode {
  path: string;
  name: string;
  meta: { locale: string; icon: string; order: number; roles: string[] };
  children: MenuNode[];
}

export const serverMenu = endpoint<typeof schemas.serverMenu>({
  method: 'POST',
  path: '/api/user/menu',
  roles: everyone,
  summary:
    'The menu tree the current user may see, for clients that take the menu from the server.',
});
