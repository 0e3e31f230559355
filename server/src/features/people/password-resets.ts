import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/people/password-reset.ts';
import type { App } from '#app.ts';
import { removeReset, resetOf } from '#domain/notices/notices.ts';
import type { ResetOf } from '#domain/notices/notices.ts';
import { countAttempt } from '#platform/auth/login-throttle.ts';
import { sql } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { linkedPassword } from './linked-password.ts';
import { mailPasswordChangedTask, mailResetLinkTask } from './reset-mails.ts';

// A confirmed mailbox identifies a person who forgot the password (requirements §10.8.87).

const scope = systemScope('a forgotten password');

/**
 * Requests a reset link. Every request runs the same statements and queues one job, even if there
 * is no such account or mailbox. Neither the answer nor the time therefore reveals whether the
 * account exists. It counts like a failed login, by username and by IP address.
 */
export const ask = async (
  app: App,
  _actor: null,
  input: ParsedOf<typeof calls.askPasswordReset>,
  request: RequestContext,
): Promise<Record<string, never>> => {
  const at = app.clock.now();
  const username = input.username.trim().toLowerCase();
  // No username contains a space, so these attempts cannot block a login.
  const attempt = { username: `reset ${username}`, address: request.address, at, known_as: null };
  await app.db.tx(scope, (work) => countAttempt(work, attempt));
  if (app.mailer === null || app.config.publicUrl === null) return {};
  await app.db.tx(scope, async (work) => {
    const { rows } = await sql<{
      id: number;
    }>`select id from accounts where lower(username) = ${username}`.execute(work.tx);
    // The typed username is not queued, because it may be a password.
    await addJob(work, mailResetLinkTask, {
      account_id: rows[0]?.id ?? 0,
      asked_at: at.toISOString(),
    });
  });
  return {};
};

/**
 * A reset ends the sessions, keys and channels of the old password, except the mailbox that
 * received the link.
 */
export const { open, accept } = linkedPassword<ResetOf>({
  scope,
  find: resetOf,
  invalid: 'reset_invalid',
  ended: 'reset_ended',
  action: 'reset_by_mail',
  keptChannel: ({ channel_id }) => channel_id,
  also: async (work, { channel_id }, at) => {
    await removeReset(work, channel_id);
    await addJob(work, mailPasswordChangedTask, { channel_id, at: at.toISOString() });
  },
});
