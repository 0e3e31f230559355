import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { AddressInfo, Server } from 'node:net';
import { createRecent } from '#recent.ts';

/** A mail that was accepted. */
export type CaughtMail = {
  number: number;
  at: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
};

export type MailCatcher = {
  port: number;
  /** All caught mails, newest first. */
  mails(): CaughtMail[];
  clear(): void;
  close(): Promise<void>;
};

const mostMails = 200;
/**
 * `largest`: the maximum size of a mail in bytes. `longestPart`: the maximum number of characters
 * that are stored of one part of a mail.
 */
const largest = 262_144;
const longestPart = 100_000;
const mostClients = 20;
const idleMs = 30_000;

const readWhole = async (stream: AsyncIterable<Buffer>): Promise<Buffer | null> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.length;
    if (size <= largest) parts.push(part);
  }
  return size <= largest ? Buffer.concat(parts) : null;
};

const refused = (text: string, responseCode: number): Error =>
  Object.assign(new Error(text), { responseCode });

/**
 * Accepts every mail on loopback and forwards none; the latest 200 are kept in memory. An address
 * that begins with `nobody` is refused, so that a failure can be tested. Throws if the port is in
 * use.
 */
export const startMailCatcher = async (port: number): Promise<MailCatcher> => {
  const recent = createRecent<Omit<CaughtMail, 'number'>>(mostMails);
  const server = new SMTPServer({
    name: 'waystation mail catcher',
    banner: 'mail goes no further',
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    size: largest,
    maxClients: mostClients,
    socketTimeout: idleMs,
    closeTimeout: 500,
    onRcptTo: ({ address }, _, done) =>
      address.toLowerCase().startsWith('nobody@')
        ? done(refused('nobody lives here', 550))
        : done(),
    onData: (stream, { envelope }, done) => {
      void (async () => {
        const raw = await readWhole(stream as AsyncIterable<Buffer>);
        if (raw === null) return done(refused('the mail is too large', 552));
        const { from, subject, text, html } = await PostalMime.parse(raw);
        recent.add({
          at: new Date().toISOString(),
          from: from?.address ?? '',
          to: envelope.rcptTo.map(({ address }) => address),
          subject: (subject ?? '').slice(0, 500),
          text: (text ?? '').slice(0, longestPart),
          html: (html ?? '').slice(0, longestPart),
        });
        done();
      })().catch(() => done(refused('the mail could not be read', 554)));
    },
  });
  const listening = await new Promise<Server>((resolve, reject) => {
    server.once('error', reject);
    const opened = server.listen(port, '127.0.0.1', () => resolve(opened));
  });
  // An error of a client's connection must not end the program.
  server.removeAllListeners('error');
  server.on('error', () => {});
  return {
    port: (listening.address() as AddressInfo).port,
    mails: () => recent.after(Math.max(0, recent.count() - mostMails), mostMails).toReversed(),
    clear: recent.clear,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
