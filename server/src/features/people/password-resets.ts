import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { passwordProblem } from '@waystation/contract/people/password.ts';
import type * as calls from '@waystation/contract/people/password-reset.ts';
import type { App } from '#app.ts';
import { removeReset, resetOf } from '#domain/notices/notices.ts';
import type { ResetOf } from '#domain/notices/notices.ts';
import { auditedChange } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import { readActor } from '#platform/auth/actor-of-account.ts';
import { removeInvitation } from '#platform/auth/invitations.ts';
import { forgetBrowsers } from '#platform/auth/known-browsers.ts';
import { countAttempt } from '#platform/auth/login-throttle.ts';
import { hashPassword } from '#platform/auth/password.ts';
import { endSessions } from '#platform/auth/sessions.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { endKeysOf } from './key-ends.ts';
import { proveLink } from './link-proof.ts';
import { mailPasswordChangedTask, mailResetLinkTask } from './reset-mails.ts';

// Requirements §10.8.87: a person who forgot the password is known by a mailbox.

const scope = systemScope('a forgotten password');

const audited: AuditedTable<'accounts'> = {
  table: 'accounts',
  audited: () => ({}),
  stationOf: ({ station_id }) => station_id,
};

/**
 * Asks for a link. Every request, whether there is such an account with a mailbox or not, runs the
 * same statements and queues one job, so that neither answer nor time tells; it counts like a
 * failed login, by name and address.
 */
export const ask = async (
  app: App,
  _actor: null,
  input: ParsedOf<typeof calls.askPasswordReset>,
  request: RequestContext,
): Promise<Record<string, never>> => {
  const at = app.clock.now();
  const username = input.username.trim().toLowerCase();
  // A space is in no username: these attempts keep nobody from logging in.
  const attempt = { username: `reset ${username}`, address: request.address, at, known_as: null };
  await app.db.tx(scope, (work) => countAttempt(work, attempt));
  if (app.mailer === null || app.config.publicUrl === null) return {};
  await app.db.tx(scope, async (work) => {
    const { rows } = await sql<{
      id: number;
    }>`select id from accounts where lower(username) = ${username}`.execute(work.tx);
    // The name itself is not queued, since it may be a password.
    await addJob(work, mailResetLinkTask, {
      account_id: rows[0]?.id ?? 0,
      asked_at: at.toISOString(),
    });
  });
  return {};
};

const openOrThrow = (found: ResetOf | null): ResetOf => {
  const reset = found ?? fail('reset_invalid');
  return reset.is_open ? reset : fail('reset_ended');
};

const proveToken = (app: App, token: string, request: RequestContext, at: Date): Promise<ResetOf> =>
  proveLink(app, { request, at, find: (work) => resetOf(work, token, at), check: openOrThrow });

/** For whom the link is: the username, and nothing else of the account. */
export const open = async (
  app: App,
  _actor: null,
  { token }: ParsedOf<typeof calls.openPasswordReset>,
  request: RequestContext,
): Promise<{ username: string }> => {
  const { username } = await proveToken(app, token, request, app.clock.now());
  return { username };
};

/**
 * Sets the password, once: the link is removed under the account's lock, so that one of two
 * simultaneous calls wins. Everything that the old password opened ends, except the mailbox. No
 * session is opened, and two-factor authentication stays on.
 */
export const accept = async (
  app: App,
  _actor: null,
  { token, password }: ParsedOf<typeof calls.acceptPasswordReset>,
  request: RequestContext,
): Promise<{ username: string }> => {
  const reset = await proveToken(app, token, request, app.clock.now());
  const { account_id: id, channel_id, username, station_name } = reset;
  const problem = passwordProblem(password, username, station_name ?? '');
  if (problem) failFields({ password: problem });
  const password_hash = await hashPassword(password);
  return app.db.tx(scope, async (work) => {
    const now = app.clock.now();
    const actor = (await readActor(work, id)) ?? fail('reset_ended');
    const person = work.by(actor, request);
    await auditedChange(person, audited, {
      id,
      action: 'reset_by_mail',
      check: async () => void openOrThrow(await resetOf(work, token, now)),
      columns: () => ({ password_hash, password_changed_at: now, must_change: 0 as const }),
      also: async (_after, { must_change }) => {
        await endSessions(work, id);
        await endKeysOf(person, id, { now, made: true, keptChannel: channel_id });
        await forgetBrowsers(work, id);
        await removeInvitation(work, id);
        await removeReset(work, channel_id);
        await addJob(work, mailPasswordChangedTask, { channel_id, at: now.toISOString() });
        return {
          password: [null, null],
          ...(must_change === 1 && { must_change: [1, 0] as const }),
        };
      },
    });
    return { username };
  });
};
