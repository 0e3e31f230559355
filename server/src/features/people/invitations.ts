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
import { clearAttempt, countAttempt, throttledAddress } from '#platform/auth/login-throttle.ts';
import { hashPassword } from '#platform/auth/password.ts';
import { endSessions } from '#platform/auth/sessions.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure, fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { countRefusal } from '#platform/refused-calls.ts';
import { endKeysOf } from './key-ends.ts';

// Requirements §10.8.86: the person who opens a link is known by its token alone.

const scope = systemScope('an invitation is opened');

const audited: AuditedTable<'accounts'> = {
  table: 'accounts',
  audited: () => ({}),
  stationOf: ({ station_id }) => station_id,
};

/** The account of a link that can be used; throws for every other. */
const requireOpen = async (work: Work, token: string, now: Date): Promise<Invited> => {
  const invited = (await invitationOf(work, token, now)) ?? fail('invitation_invalid');
  return invited.is_open ? invited : fail('invitation_ended');
};

/**
 * The account of a link. Every try counts like one at the login, by account and address, until the
 * token proves right; refused ones are summed for the audit log.
 */
const proveToken = async (
  app: App,
  token: string,
  request: RequestContext,
  at: Date,
): Promise<Invited> => {
  const invited = await app.db.tx(scope, (work) => invitationOf(work, token, at));
  // A colon is in no username: wrong tokens count for nothing but their address.
  const username = invited?.username.toLowerCase() ?? `link:${throttledAddress(request.address)}`;
  const attempt = { username, address: request.address, at, known_as: null };
  try {
    await app.db.tx(scope, (work) => countAttempt(work, attempt));
    if (invited) await app.db.tx(scope, (work) => clearAttempt(work, attempt));
    return await app.db.tx(scope, (work) => requireOpen(work, token, at));
  } catch (error) {
    if (error instanceof Failure)
      await countRefusal(app.db, request.log, {
        action: 'login_failed',
        address: request.address,
        account_id: invited?.account_id ?? 0,
        key_id: 0,
        at,
        call: request.call,
      });
    throw error;
  }
};

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
      check: async () => void (await requireOpen(work, token, now)),
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
