import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSimulator } from '#simulator.ts';
import type { Simulator } from '#simulator.ts';

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator({ paused: true, mailPort: 0 });
});
afterEach(() => simulator.close());

const server = () => ({ host: '127.0.0.1', port: simulator.mailPort ?? 0, ignoreTLS: true });
const transport = () => createTransport(server());
const mail = (change: object = {}) => ({
  from: 'notices@waystation.example',
  to: 'wang@example.com',
  subject: '余额不足',
  text: '可用 ¥1.00',
  html: '<b>可用</b>',
  ...change,
});
const send = (change: object = {}) => transport().sendMail(mail(change));
const list = async () =>
  ((await (await fetch(`${simulator.url}/mail/list`)).json()) as { mails: { subject: string }[] })
    .mails;
const page = async (): Promise<string> => (await fetch(`${simulator.url}/mail`)).text();

test('the mail page shows the newest mail first, and Clear removes all mails', async () => {
  await send();
  await send({ subject: '第二封' });
  expect((await list()).map(({ subject }) => subject)).toEqual(['第二封', '余额不足']);
  expect(await page()).toContain('可用 ¥1.00');
  await fetch(`${simulator.url}/mail/clear`, { method: 'POST' });
  expect(await list()).toEqual([]);
  expect(await page()).toContain('No mail yet');
});

test('markup in a mail’s subject is shown as text, and the mail’s HTML is shown in a frame without scripts', async () => {
  await send({
    subject: '<script>alert(1)</script>',
    html: '<script>alert(2)</script>"><img src=x>',
  });
  const html = await page();
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain('<iframe sandbox');
});

test('a mail above the size limit and a mail to a refused recipient are not stored', async () => {
  await expect(send({ text: 'x'.repeat(300_000) })).rejects.toMatchObject({ responseCode: 552 });
  await expect(send({ to: 'nobody@example.com' })).rejects.toMatchObject({ responseCode: 550 });
  expect(await list()).toEqual([]);
});

test('no more than 200 mails are kept', async () => {
  const connection = createTransport({
    ...server(),
    pool: true,
    maxConnections: 1,
    maxMessages: Infinity,
  });
  for (let n = 1; n <= 205; n++)
    await connection.sendMail(mail({ subject: `${n}`, text: 'x', html: 'x' }));
  connection.close();
  const subjects = (await list()).map(({ subject }) => subject);
  expect(subjects).toHaveLength(200);
  expect([subjects[0], subjects.at(-1)]).toEqual(['205', '6']);
});

test('the mail page is served only under the host name localhost, and a page of another origin cannot clear the mails', async () => {
  const raw = (head: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(simulator.port, '127.0.0.1', () => socket.write(head));
      socket.once('data', (answer) => {
        resolve(answer.toString().split('\r\n')[0] ?? '');
        socket.destroy();
      });
    });
  expect(await raw('GET /mail HTTP/1.1\r\nhost: evil.example\r\n\r\n')).toContain('403');
  await send();
  const foreign = `POST /mail/clear HTTP/1.1\r\nhost: localhost:${simulator.port}\r\norigin: https://evil.example\r\ncontent-length: 0\r\n\r\n`;
  expect(await raw(foreign)).toContain('404');
  expect(await list()).toHaveLength(1);
});

test('a simulator without a mail port, or whose mail port is taken, starts without a mail catcher', async () => {
  const failures: string[] = [];
  const [none, taken] = [
    await startSimulator({ paused: true }),
    await startSimulator({
      paused: true,
      mailPort: simulator.mailPort,
      log: ({ msg }) => failures.push(msg),
    }),
  ];
  for (const one of [none, taken]) {
    expect(one.mailPort).toBeNull();
    expect(await (await fetch(`${one.url}/mail`)).text()).not.toContain('Mail catcher');
    await one.close();
  }
  expect(failures).toEqual(['the port for mail is taken, so that none is caught']);
});
