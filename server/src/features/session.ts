import type { CurrentUser, MenuNode } from '@waystation/contract/session.ts';
import { menuFor } from '@waystation/contract/menu.ts';
import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { endSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';

export const logOut = async (app: App, _actor: null, _input: object, request: RequestContext): Promise<Record<string, never>> => {
  const { token } = request;
  if (token) await app.db.tx(systemScope('logout'), (tx) => endSession(tx, token));
  return {};
};

type PersonalRow = Omit<CurrentUser, 'registered_at'> & { registered_at: Date };

export const personalDetails = async (app: App, actor: Actor): Promise<CurrentUser> =>
  app.db.tx(systemScope('own account'), async (tx) => {
    const { rows } = await sql<PersonalRow>`
      select a.id, a.username, a.nickname, a.phone, a.identity, a.program_id, a.station_id, a.registered_at, a.avatar, a.location, a.role, s.name as station_name
      from accounts a left join stations s on s.id = a.station_id where a.id = ${actor.account_id}`.execute(tx);
    const row = rows[0] ?? fail('not_logged_in');
    return { ...row, registered_at: row.registered_at.toISOString() };
  });

/** The part of the menu that the actor's role may see. */
export const menuOf = async (_app: App, actor: Actor): Promise<MenuNode[]> => menuFor(actor.role);
