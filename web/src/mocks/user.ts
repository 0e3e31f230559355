import type { Envelope } from '@waystation/contract/base/envelope.ts';
import type { CurrentUser, MenuNode } from '@waystation/contract/people/session.ts';
import { codes, failed, succeeded } from './answer.ts';
import type { MockRequest } from './answer.ts';

const registered_at = '2026-01-05T09:00:00+08:00';

const people = {
  admin: {
    id: 1,
    username: 'admin',
    nickname: '模拟管理员',
    phone: '13800000001',
    identity: 'mock-admin',
    program_id: null,
    station_id: null,
    registered_at,
    avatar: '',
    location: '深圳',
    role: 'admin',
    station_name: null,
    must_change: 0,
    needs_second_factor: 0,
    may_export: 1,
    storage_key: '1'.repeat(64),
  },
  user: {
    id: 2,
    username: 'user',
    nickname: '模拟录单员',
    phone: '13800000002',
    identity: 'mock-user',
    program_id: null,
    station_id: 1,
    registered_at,
    avatar: '',
    location: '深圳',
    role: 'user',
    station_name: '模拟驿站',
    must_change: 0,
    needs_second_factor: 0,
    may_export: 0,
    storage_key: '2'.repeat(64),
  },
} as const satisfies Record<string, CurrentUser>;

type Name = keyof typeof people;

/**
 * The tokens of the mocked users. The password of each user equals the username, as in the
 * demonstration template.
 */
const tokens: Record<Name, string> = { admin: 'mock-token-admin', user: 'mock-token-user' };
const names = Object.keys(people) as Name[];

export const login = ({ body }: MockRequest): Envelope<{ token: string } | null> => {
  const { username, password } = body;
  if (typeof username !== 'string' || username.trim() === '')
    return failed('username cannot be empty', codes.login);
  if (typeof password !== 'string' || password === '')
    return failed('password cannot be empty', codes.login);
  const name = names.find((one) => one === username.trim() && one === password);
  return name === undefined
    ? failed('account or password wrong', codes.login)
    : succeeded({ token: tokens[name] });
};

/**
 * The user of a token. Any token counts as logged in (requirements §4). An unknown token counts as
 * the admin's token.
 */
export const info = ({ token }: MockRequest): Envelope<CurrentUser | null> =>
  token === null
    ? failed('not logged in', codes.notLoggedIn)
    : succeeded(people[names.find((name) => tokens[name] === token) ?? 'admin']);

export const logout = (): Envelope<null> => succeeded(null);

const workplace: MenuNode = {
  path: '/dashboard/workplace',
  name: 'Workplace',
  meta: { locale: 'menu.workplace', icon: 'workplace', order: 0, roles: ['*'] },
  children: [],
};

export const menu = (): Envelope<MenuNode[]> =>
  succeeded([
    {
      path: '/dashboard',
      name: 'dashboard',
      meta: { locale: 'menu.dashboard', icon: 'workplace', order: 0, roles: ['*'] },
      children: [workplace],
    },
  ]);
