import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isMailAddress, openMailer } from './mail.ts';
import type { MailServer } from './mail.ts';

interface Taken {
  to: string[];
  raw: string;
}

let taken: Taken[] = [];
let sink: SMTPServer;
let server: MailServer;

const portOf = (listening: Server): number => (listening.address() as AddressInfo).port;

beforeAll(async () => {
  sink = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: ({ address }, _, done) =>
      address.startsWith('nobody')
        ? done(Object.assign(new Error('no such user'), { responseCode: 550 }))
        : address.startsWith('full')
          ? done(Object.assign(new Error('mailbox full'), { responseCode: 452 }))
          : address.startsWith('relay')
            ? done(Object.assign(new Error('5.7.1 relaying denied'), { responseCode: 550 }))
            : address.startsWith('busy')
              ? done(Object.assign(new Error('closing'), { responseCode: 421 }))
              : done(),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (session.envelope.rcptTo[0]?.address.startsWith('filter'))
          return done(Object.assign(new Error('over quota'), { responseCode: 554 }));
        taken.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  const listening = sink.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  server = {
    host: '127.0.0.1',
    port: portOf(listening),
    security: 'none',
    user: null,
    password: null,
    from: { name: '驿站 "notices"', address: 'notices@waystation.example' },
  };
});
afterAll(() => sink.close());
afterEach(() => {
  taken = [];
});

const mail = { to: 'wang@example.com', subject: '余额', text: '余额不足', html: '<p>余额不足</p>' };

describe('sending mail', () => {
  it('a mail is received once, from the configured sender, with a text part and an HTML part', async () => {
    expect(await openMailer(server).send(mail)).toEqual({ sent: true });
    expect(taken).toHaveLength(1);
    expect(taken[0]?.to).toEqual(['wang@example.com']);
    expect(await PostalMime.parse(taken[0]?.raw ?? '')).toMatchObject({
      from: server.from,
      to: [{ address: 'wang@example.com' }],
      subject: '余额',
      text: expect.stringContaining('余额不足'),
      html: expect.stringContaining('<p>余额不足</p>'),
    });
  });

  it('a mail subject with line breaks remains one header and adds no recipient', async () => {
    await openMailer(server).send({ ...mail, subject: 'a\r\nBcc: eve@example.com\r\n\r\nbody' });
    const [one] = taken;
    expect(one?.to).toEqual(['wang@example.com']);
    const { subject, bcc } = await PostalMime.parse(one?.raw ?? '');
    expect(subject).toBe('a Bcc: eve@example.com body');
    expect(bcc).toBeUndefined();
  });

  it.each([
    'a@example.com, eve@example.com',
    'Wang <wang@example.com>',
    'wang@example.com\r\nRCPT TO:<eve@example.com>',
    'wang@localhost',
    `${'a'.repeat(65)}@example.com`,
    '"a b"@example.com',
  ])('%j is not an address of one person, and no mail is sent to it', async (to) => {
    expect(isMailAddress(to)).toBe(false);
    expect(await openMailer(server).send({ ...mail, to })).toMatchObject({
      sent: false,
      fault: 'recipient',
    });
    expect(taken).toEqual([]);
  });

  it('a mail to a refused recipient returns the fault “recipient”, and an unreachable mail server returns the fault “server”', async () => {
    const mailer = openMailer(server);
    expect(await mailer.send({ ...mail, to: 'nobody@example.com' })).toEqual({
      sent: false,
      fault: 'recipient',
      permanent: true,
      detail: '550',
    });
    expect(await mailer.send({ ...mail, to: 'full@example.com' })).toMatchObject({
      fault: 'recipient',
      permanent: false,
    });
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const port = portOf(closed);
    await new Promise((resolve) => closed.close(resolve));
    expect(await openMailer({ ...server, port }).send(mail)).toMatchObject({
      sent: false,
      fault: 'server',
      permanent: false,
    });
  });

  it('if the mail server refuses to relay, rejects the text or closes the connection, the recipient is not marked as permanently failed', async () => {
    const mailer = openMailer(server);
    for (const [to, fault, detail] of [
      ['relay@example.com', 'recipient', '550'],
      ['filter@example.com', 'recipient', '554'],
      ['busy@example.com', 'server', '421'],
    ])
      expect(await mailer.send({ ...mail, to: to! })).toEqual({
        sent: false,
        fault,
        permanent: false,
        detail,
      });
  });

  it('a mail that is sent again has the same Message-ID', async () => {
    for (let n = 0; n < 2; n++) await openMailer(server).send({ ...mail, id: 'ab12' });
    const ids = await Promise.all(
      taken.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId),
    );
    expect(ids).toEqual(Array(2).fill('<ab12@waystation.example>'));
  });

  it('a mail server without STARTTLS gets no mail if STARTTLS is required', async () => {
    const mailer = openMailer({ ...server, security: 'starttls', user: 'me', password: 'secret' });
    expect(await mailer.send(mail)).toMatchObject({ sent: false, fault: 'server' });
    expect(taken).toEqual([]);
  });
});
