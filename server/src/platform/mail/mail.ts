import { createTransport } from 'nodemailer';

/** The server that accepts outgoing mail, as `config.ts` reads it. */
export interface MailServer {
  host: string;
  port: number;
  security: 'tls' | 'starttls' | 'none';
  user: string | null;
  password: string | null;
  from: { name: string; address: string };
}

/** A mail to one person, as text and as HTML. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /**
   * A hexadecimal id, which stays the same when the mail is sent again. Mailboxes then show the
   * mail only once.
   */
  id?: string;
}

/**
 * The result of sending a mail. `fault` is `recipient` if the server refused the address or the
 * message, and `server` if no mail can be sent at present. `permanent` is true if a repeat will be
 * refused too. `detail` is a code without any text of the mail.
 */
export type MailResult =
  | { sent: true }
  | { sent: false; fault: 'server' | 'recipient'; permanent: boolean; detail: string };

export interface Mailer {
  /** Sends one mail, within half a minute. The promise never rejects. */
  send(mail: Mail): Promise<MailResult>;
  /** Checks within half a minute that the product can log in to the mail server; sends no mail. */
  check(): Promise<MailResult>;
}

/**
 * The time limits in milliseconds: of each step, and of the whole mail. A server may check a mail
 * for a long time before it accepts it, and a mail that is abandoned too early is sent twice.
 */
const within = { connect: 5_000, greeting: 5_000, idle: 25_000, whole: 30_000 } as const;
const longest = { subject: 200, body: 100_000 } as const;

/** Returns a subject on one line, so that no control character can begin another mail header. */
const subjectLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, longest.subject)
    .toWellFormed();

/**
 * True for a single mail address. A list, or a name with an address, could send the mail to another
 * person.
 */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 &&
  /^[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}$/.test(text);

interface SmtpError {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

/** The reply code with which a mail server ends the connection, whatever the command was. */
const closing = 421;

/**
 * Returns the reason why a mail failed. Only the refusal of an address is permanent. A refused text
 * (a quota, a filter) or an enhanced code 5.7 (the server does not relay) is not permanent.
 * Otherwise, one such error would end the mail channel of every recipient.
 */
const failureOf = (error: unknown): Extract<MailResult, { sent: false }> => {
  const { code = 'error', command = '', response = '', responseCode } = error as SmtpError;
  const ofRecipient =
    responseCode !== undefined && responseCode !== closing && ['RCPT TO', 'DATA'].includes(command);
  return {
    sent: false,
    fault: ofRecipient ? 'recipient' : 'server',
    permanent:
      ofRecipient &&
      command === 'RCPT TO' &&
      responseCode >= 500 &&
      !/^\d{3}[ -]5\.7\./.test(response),
    detail: responseCode === undefined ? code : String(responseCode),
  };
};

/**
 * Returns a mailer that opens no connection before the first mail. Each mail has a connection of
 * its own.
 */
export const openMailer = ({ host, port, security, user, password, from }: MailServer): Mailer => {
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: within.connect,
    dnsTimeout: within.connect,
    greetingTimeout: within.greeting,
    socketTimeout: within.idle,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const deliver = async ({ to, subject, text, html, id }: Mail): Promise<MailResult> => {
    if (!isMailAddress(to) || text.length > longest.body || html.length > longest.body)
      return { sent: false, fault: 'recipient', permanent: true, detail: 'EENVELOPE' };
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject: subjectLine(subject),
        text,
        html,
        ...(id !== undefined && {
          messageId: `<${id}@${from.address.split('@')[1] ?? 'waystation'}>`,
        }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      return { sent: true };
    } catch (error) {
      return failureOf(error);
    }
  };
  const inTime = async (call: Promise<MailResult>): Promise<MailResult> => {
    let late: NodeJS.Timeout | undefined;
    const timeout = new Promise<MailResult>((resolve) => {
      late = setTimeout(
        () => resolve({ sent: false, fault: 'server', permanent: false, detail: 'ETIMEDOUT' }),
        within.whole,
      );
    });
    const result = await Promise.race([call, timeout]);
    clearTimeout(late);
    return result;
  };
  return {
    send: (mail) => inTime(deliver(mail)),
    check: () => inTime(transport.verify().then(() => ({ sent: true }), failureOf)),
  };
};
