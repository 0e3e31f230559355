import type { MenuNode } from '@waystation/contract/people/session.ts';
import { menuFor } from '@waystation/contract/shell/menu.ts';
import type { App } from '#app.ts';
import { hashToken } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { endSession } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { RequestContext } from '#platform/http/context.ts';

export const logOut = async (
  app: App,
  _actor: null,
  _input: object,
  request: RequestContext,
): Promise<Record<string, never>> => {
  const { token } = request;
  if (!token) return {};
  await app.db.tx(systemScope('logout'), async (work) => {
    // An invalid token ends no session and writes no audit entry.
    await sql`insert into audit_log (account_id, account_name, role, address, request_id,
      action, subject, subject_id)
      select a.id, a.username, a.role, ${request.address}, ${request.request_id}, 'logout',
        'accounts', a.id
      from sessions s join accounts a on a.id = s.account_id
        where s.token_hash = ${hashToken(token)}`.execute(work.tx);
    await endSession(work, token);
  });
  return {};
};

/** The part of the menu that the actor's role may see. */
export const menuOf = async (_app: App, actor: Actor): Promise<MenuNode[]> => menuFor(actor.role);
