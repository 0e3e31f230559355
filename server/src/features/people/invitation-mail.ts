import { invitationHours } from '@waystation/contract/base/limits.ts';
import type { IssuedInvitation } from '@waystation/contract/people/account.ts';
import { invitationLink } from '@waystation/contract/people/invitation.ts';
import type { App } from '#app.ts';
import { sendMail } from '#domain/notices/notices.ts';
import type { Changes } from '#platform/audit.ts';
import type { IssuedInvitation as Issued } from '#platform/auth/invitations.ts';
import { fail, failFields } from '#platform/fail.ts';

/** Throws at the field where a link should be mailed and the installation sends no mail. */
export const requireMail = ({ mailer, config }: App, mail: string | undefined): void => {
  if (mail !== undefined && (mailer === null || config.publicUrl === null))
    failFields({ mail: { code: 'mail_off' } });
};

/** Fails if a new account cannot be invited as requested. */
export const checkInvitation = (
  app: App,
  asked: {
    isInvited: boolean;
    mail: string | undefined;
    wanted: string | undefined;
    status: 0 | 1 | undefined;
  },
): void => {
  if (!asked.isInvited) return;
  requireMail(app, asked.mail);
  if (asked.status === 0) fail('invitation_of_disabled');
  if (asked.wanted !== undefined) failFields({ password: { code: 'invitation_with_password' } });
};

/** The issuing of a link as changes for the audit log. */
export const invitationChanges = (link: Issued | null): Changes =>
  link === null ? {} : { expires_at: [null, link.expires_at.toISOString()] };

const zh = `请在 ${invitationHours} 小时内打开链接，为您的账号设置密码。链接仅可使用一次，请勿转发。`;
const en = `Open the link within ${invitationHours} hours to set the password of your account. It works once; do not forward it.`;

/**
 * Returns an issued link, and mails it if an address is given. It is called after the commit,
 * because a mail cannot be taken back. The token is passed through no queue, because it is stored
 * nowhere.
 */
export const answerInvitation = async (
  app: App,
  { token, expires_at }: Issued,
  mail: string | undefined,
): Promise<IssuedInvitation> => {
  const { config, log } = app;
  const answer = { token, expires_at: expires_at.toISOString() };
  if (mail === undefined || config.publicUrl === null) return { ...answer, mailed: null };
  const link = invitationLink(config.publicUrl, token);
  const result = await sendMail(app, {
    to: mail,
    subject: 'Waystation：请设置密码 · Set your password',
    text: `${zh}\n${en}\n\n${link}\n`,
    html: `<p>${zh}<br>${en}</p><p><a href="${link}">${link}</a></p>`,
  });
  if (result === null) return { ...answer, mailed: null };
  if (!result.sent)
    log.warn({ fault: result.fault, detail: result.detail }, 'an invitation could not be mailed');
  return { ...answer, mailed: result.sent ? 1 : 0 };
};
