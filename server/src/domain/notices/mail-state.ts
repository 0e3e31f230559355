import { oneRow, sql } from '#platform/db/db.ts';
import type { Db, RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import type { Clock } from '#platform/clock.ts';
import type { Mail, Mailer, MailResult } from '#platform/mail/mail.ts';
import { retryAt } from './schedule.ts';

/**
 * The longest pause before mail is tried again while the mail server fails. It is short, so that
 * mail is soon sent after the server recovers.
 */
const longestPause = 15 * 60_000;

export interface MailApp {
  db: Db;
  clock: Clock;
  mailer: Mailer | null;
}

export type MailState = Pick<
  RowOf<'mail_state', 'failing_since' | 'failures' | 'detail' | 'resume_at'>,
  'failing_since' | 'failures' | 'detail' | 'resume_at'
>;

/** Reads the stored state of the installation's mail server. */
export const mailState = (work: Work): Promise<MailState> =>
  oneRow(
    work,
    sql<MailState>`select failing_since, failures, detail,
      greatest(resume_at, '1970-01-01'::timestamptz) as resume_at from mail_state`,
  );

const noteMail = async ({ db, clock }: MailApp, result: MailResult): Promise<void> => {
  const fault = !result.sent && result.fault === 'server' ? result.detail : null;
  const now = clock.now();
  await db.tx(systemScope('state of mail'), async (work) => {
    const { failures, failing_since } = await oneRow(
      work,
      sql<MailState>`select failing_since, failures, detail, resume_at from mail_state for update`,
    );
    if (fault === null && failures === 0) return;
    await work.tx
      .updateTable('mail_state')
      .set(
        fault === null
          ? { failures: 0, failing_since: null, detail: '', resume_at: now }
          : {
              failures: failures + 1,
              failing_since: failing_since ?? now,
              detail: fault,
              resume_at: new Date(
                Math.min(retryAt(failures + 1, now).getTime(), now.getTime() + longestPause),
              ),
            },
      )
      .execute();
  });
};

/**
 * Checks a failing mail server even if no mail waits. Otherwise the Health page and its alert would
 * report the failure for ever.
 */
export const checkMail = async (app: MailApp): Promise<void> => {
  if (app.mailer === null) return;
  const { failures, resume_at } = await app.db.tx(systemScope('state of mail'), mailState);
  if (failures > 0 && resume_at <= app.clock.now()) await noteMail(app, await app.mailer.check());
};

/**
 * Sends one mail through the installation's mail server, and stores the state of that server, which
 * the Health page shows. Null if mail is not set up.
 */
export const sendMail = async (app: MailApp, mail: Mail): Promise<MailResult | null> => {
  if (app.mailer === null) return null;
  const result = await app.mailer.send(mail);
  await noteMail(app, result);
  return result;
};
