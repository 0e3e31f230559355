import type { MenuNode } from '@waystation/contract/session.ts';
import { menuFor } from '@waystation/contract/menu.ts';
import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { endSession } from '#platform/auth/sessions.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { RequestContext } from '#platform/http/context.ts';

export const logOut = async (app: App, _actor: null, _input: object, request: RequestContext): Promise<Record<string, never>> => {
  const { token } = request;
  if (token) await app.db.tx(systemScope('logout'), (tx) => endSession(tx, token));
  return {};
};

/** The part of the menu that the actor's role may see. */
export const menuOf = async (_app: App, actor: Actor): Promise<MenuNode[]> => menuFor(actor.role);
