import * as z from 'zod/mini';
import { resetMinutes } from '@waystation/contract/base/limits.ts';
import { resetLink } from '@waystation/contract/people/password-reset.ts';
import type { App } from '#app.ts';
import {
  issueReset,
  mailboxOf,
  messageSay,
  openAddress,
  sendMail,
  textMessage,
} from '#domain/notices/notices.ts';
import type { IssuedReset } from '#domain/notices/notices.ts';
import { recordSystemAudit } from '#platform/audit.ts';
import { systemScope } from '#platform/db/scope.ts';
import { task } from '#platform/jobs/task.ts';
import type { JobContext } from '#platform/jobs/task.ts';

const scope = systemScope('mails about a password');
const minute = 60_000;

/** Task: mails a reset link. `account_id` is 0 if the typed username is unknown. */
export const mailResetLinkTask = task(
  'mail_reset_link',
  z.object({ account_id: z.int(), asked_at: z.string() }),
  { attempts: 3, keyBy: ['account_id'], priority: -1 },
);

/** Mails the person that the password was set. */
export const mailPasswordChangedTask = task(
  'mail_password_changed',
  z.object({ channel_id: z.int(), at: z.string() }),
  { attempts: 6 },
);

type Mailbox = Pick<IssuedReset, 'address' | 'language'>;

/**
 * Throws if the mail server accepts no mail now, so that the task runs again. After the last
 * attempt it logs the failure instead.
 */
const sendOrThrow = async (
  app: App,
  { address }: Mailbox,
  { subject, text, html }: ReturnType<typeof textMessage>,
  { last, log }: JobContext,
): Promise<void> => {
  const { to } = openAddress(app.secrets, address);
  const result = await sendMail(app, { to, subject, text, html });
  if (result === null || result.sent) return;
  const { fault, permanent, detail } = result;
  if (!permanent && !last) throw new Error(`The mail server takes no mail: ${detail}`);
  // The health page already shows that a mail server fails, so a failed job would add nothing.
  log.warn({ fault, detail }, 'a mail about a password was not sent');
};

/**
 * Issues the link in the job and not in the request, because a queue would store the token. Sends
 * nothing if the request is older than the validity of a link, because nobody waits for the mail
 * any more.
 */
export const mailResetLink = async (
  app: App,
  { account_id, asked_at }: { account_id: number; asked_at: string },
  job: JobContext,
): Promise<void> => {
  const now = app.clock.now();
  const { publicUrl } = app.config;
  if (now.getTime() - Date.parse(asked_at) >= resetMinutes * minute) return;
  if (account_id === 0 || app.mailer === null || publicUrl === null) return;
  const issued = await app.db.tx(scope, async (work) => {
    const reset = await issueReset(work, account_id, now);
    if (reset)
      await recordSystemAudit(work, {
        action: 'mail_reset_link',
        subject: 'accounts',
        subject_id: account_id,
        station_id: reset.station_id,
        changes: {},
      });
    return reset;
  });
  if (!issued) return;
  const say = messageSay(issued.language);
  const link = resetLink(publicUrl, issued.token);
  await sendOrThrow(
    app,
    issued,
    textMessage(say('reset_subject'), say('reset_text', { username: issued.username }), link),
    job,
  );
};

export const mailPasswordChanged = async (
  app: App,
  { channel_id, at }: { channel_id: number; at: string },
  job: JobContext,
): Promise<void> => {
  const mailbox = await app.db.tx(scope, (work) => mailboxOf(work, channel_id));
  if (!mailbox) return;
  const say = messageSay(mailbox.language);
  const beijing = new Date(Date.parse(at) + 8 * 60 * minute).toISOString();
  const time = beijing.slice(0, 16).replace('T', ' ');
  const text = say('changed_text', { username: mailbox.username, time });
  await sendOrThrow(app, mailbox, textMessage(say('changed_subject'), text), job);
};
