import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/people/invitation.ts';
import { passwordProblem } from '@waystation/contract/people/password.ts';
import type { App } from '#app.ts';
import { auditedChange } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import { readActor } from '#platform/auth/actor-of-account.ts';
import { invitationOf, removeInvitation } from '#platform/auth/invitations.ts';
import type { Invited } from '#platform/auth/invitations.ts';
import { forgetBrowsers } from '#platform/auth/known-browsers.ts';
import { hashPassword } from '#platform/auth/password.ts';
import { endSessions } from '#platform/auth/sessions.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { endKeysOf } from './key-ends.ts';
import { proveLink } from './link-proof.ts';

// Requirements §10.8.86: the person who opens a link is known by its token alone.

const scope = systemScope('an invitation is opened');

const audited: AuditedTable<'accounts'> = {
  table: 'accounts',
  audited: () => ({}),
  stationOf: ({ station_id }) => station_id,
};

const openOrThrow = (found: Invited | null): Invited => {
  const invited = found ?? fail('invitation_invalid');
  return invited.is_open ? invited : fail('invitation_ended');
};

const proveToken = (app: App, token: string, request: RequestContext, at: Date): Promise<Invited> =>
  proveLink(app, {
    request,
    at,
    find: (work) => invitationOf(work, token, at),
    check: openOrThrow,
  });

/** For whom the link is: the username, and nothing else of the account. */
export const open = async (
  app: App,
  _actor: null,
  { token }: ParsedOf<typeof calls.openInvitation>,
  request: RequestContext,
): Promise<{ username: string }> => {
  const { username } = await proveToken(app, token, request, app.clock.now());
  return { username };
};

/**
 * Sets the password of the account, once: the link is removed under the account's lock, so that one
 * of two simultaneous calls wins. No session is opened, and two-factor authentication stays on.
 */
export const accept = async (
  app: App,
  _actor: null,
  { token, password }: ParsedOf<typeof calls.acceptInvitation>,
  request: RequestContext,
): Promise<{ username: string }> => {
  const invited = await proveToken(app, token, request, app.clock.now());
  const { account_id: id, username, station_name } = invited;
  const problem = passwordProblem(password, username, station_name ?? '');
  if (problem) failFields({ password: problem });
  const password_hash = await hashPassword(password);
  return app.db.tx(scope, async (work) => {
    const now = app.clock.now();
    const actor = (await readActor(work, id)) ?? fail('invitation_ended');
    const person = work.by(actor, request);
    await auditedChange(person, audited, {
      id,
      action: 'accept_invitation',
      check: async () => void openOrThrow(await invitationOf(work, token, now)),
      columns: () => ({ password_hash, password_changed_at: now, must_change: 0 as const }),
      also: async () => {
        await endSessions(work, id);
        await endKeysOf(person, id, { now, made: true });
        await forgetBrowsers(work, id);
        await removeInvitation(work, id);
        return { password: [null, null], must_change: [1, 0] };
      },
    });
    return { username };
  });
};
