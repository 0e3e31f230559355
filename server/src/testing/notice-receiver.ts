import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { NoticeChannel } from '@waystation/contract/people/notice-channel.ts';
import type { Inbox } from '@waystation/contract/shell/inbox.ts';
import { sql } from '#platform/db/db.ts';
import { runTask } from './run-task.ts';
import { openTestApi } from './test-api.ts';
import type { Answer, Refused, TestApi, Tokens } from './test-api.ts';

export interface CaughtMail {
  to: string[];
  subject: string;
  text: string;
  html: string;
}
export interface RobotCall {
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  raw: string;
  body: Record<string, unknown>;
}

/**
 * A real mail server, a real server for webhooks and chat robots, and a product that sends to both.
 */
export interface NoticeReceiver {
  api: TestApi;
  /** `host:port` of the server for webhooks and chat robots. */
  host: string;
  tokens: Tokens;
  mails: CaughtMail[];
  calls: RobotCall[];
  /**
   * Answers a webhook call to a chat robot. Before each test it is set to the answer with which the
   * real platforms report success.
   */
  answer: (response: ServerResponse, call: RobotCall) => void;
  /** True if the mail server accepts mail. */
  takesMail: boolean;
  reset(): Promise<void>;
  /** Creates inbox entries from the notices, and sends the messages that are due. */
  run(): Promise<void>;
  make(who: keyof Tokens, input: object): Promise<Answer<Made>>;
  /** Creates a channel and confirms it with its code, so that the channel receives notices. */
  live(who: keyof Tokens, input: object): Promise<Made['channel']>;
  act<T = NoticeChannel & Refused>(
    who: keyof Tokens,
    id: number,
    what: string,
    body?: object,
  ): Promise<Answer<T>>;
  shown(who: keyof Tokens, id: number): Promise<NoticeChannel>;
  inbox(who: keyof Tokens): Promise<Inbox['items']>;
  /** Writes a notice in the same way as the triggers of the database. */
  happens(
    kind: string,
    values: { station: number; subject?: number; data?: object },
  ): Promise<void>;
  close(): Promise<void>;
}
type Made = { channel: NoticeChannel; secret: string | null } & Refused;

export const channelSettings = {
  name: '值班群',
  language: 'zh',
  kinds: ['low_balance', 'month_closed'],
  pace: 'now',
  daily_hour: 9,
  quiet_from: null,
  quiet_to: null,
};

const success = (response: ServerResponse): void =>
  void response.end('{"errcode":0,"errmsg":"ok","code":0}');

const startRobots = async (take: (response: ServerResponse, call: RobotCall) => void) => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://robots');
      const raw = Buffer.concat(chunks).toString();
      take(response, {
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        raw,
        body: JSON.parse(raw) as Record<string, unknown>,
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

const startMailServer = async (receiver: () => NoticeReceiver) => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 100,
    onMailFrom: (_, __, done) =>
      receiver().takesMail
        ? done()
        : done(Object.assign(new Error('not now'), { responseCode: 421 })),
    onRcptTo: ({ address }, _, done) =>
      address.startsWith('nobody@')
        ? done(Object.assign(new Error('no such user'), { responseCode: 550 }))
        : done(),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then(({ subject, text, html }) => {
          receiver().mails.push({
            to: envelope.rcptTo.map(({ address }) => address),
            subject: subject ?? '',
            text: text ?? '',
            html: html ?? '',
          });
          done();
        });
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  return { server, port: (listening.address() as AddressInfo).port };
};

const codeIn = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? '';
const textOf = ({ body }: RobotCall): string => {
  const { text, content, data } = body as Record<string, Record<string, string>>;
  return text?.['content'] ?? content?.['text'] ?? data?.['text'] ?? '';
};

/**
 * Opens the product with this mail server. Its webhooks and chat robots may use the address `host`.
 */
const openProduct = (host: string, mailPort: number): Promise<TestApi> =>
  openTestApi({
    config: {
      webhookAllow: [host],
      publicUrl: 'https://console.example.com',
      mail: {
        host: '127.0.0.1',
        port: mailPort,
        security: 'none',
        user: null,
        password: null,
        from: { name: 'Waystation', address: 'notices@waystation.example' },
      },
      session: { idleMinutes: 1_000_000, absoluteHours: 100_000 },
    },
  });

const path = '/api/arco/notices/channels';
type Client = Pick<NoticeReceiver, 'make' | 'live' | 'act' | 'shown' | 'inbox' | 'happens'>;
const clientOf = (api: TestApi, of: () => NoticeReceiver): Client => {
  const call: TestApi['call'] = api.call;
  return {
    make: (who, input) =>
      call<Made>(of().tokens[who], 'POST', path, { ...channelSettings, ...input }),
    live: async (who, input) => {
      const { data } = await of().make(who, input);
      const text = of().calls.length > 0 ? textOf(of().calls.at(-1)!) : of().mails.at(-1)!.text;
      const { id } = data.channel;
      const { data: confirmed } = await of().act(who, id, '/confirm', { code: codeIn(text) });
      Object.assign(of(), { mails: [], calls: [] });
      return confirmed;
    },
    act: (who, id, what, body = {}) => call(of().tokens[who], 'POST', `${path}/${id}${what}`, body),
    shown: async (who, id) =>
      (await call<{ items: NoticeChannel[] }>(of().tokens[who], 'GET', path)).data.items.find(
        (one) => one.id === id,
      )!,
    inbox: async (who) =>
      (await call<Inbox>(of().tokens[who], 'GET', '/api/arco/inbox')).data.items,
    happens: async (
      kind,
      {
        station,
        subject = null,
        data = {},
      }: { station: number; subject?: number | null; data?: object },
    ) => {
      await api.rows(sql`insert into inbox_notices (kind, station_id, subject_id, data, at)
        values (${kind}, ${station}, ${subject}::bigint, ${JSON.stringify(data)}::jsonb,
          ${api.clock.now()})`);
    },
  };
};

export const openNoticeReceiver = async (): Promise<NoticeReceiver> => {
  const robots = await startRobots((response, call) => {
    receiver.calls.push(call);
    receiver.answer(response, call);
  });
  const mail = await startMailServer(() => receiver);
  const host = `127.0.0.1:${(robots.address() as AddressInfo).port}`;
  const api = await openProduct(host, mail.port);
  const receiver: NoticeReceiver = {
    api,
    host,
    tokens: await api.loginAll(),
    mails: [],
    calls: [],
    answer: success,
    takesMail: true,
    reset: async () => {
      for (const table of ['notice_channels', 'inbox_notices', 'inbox_entries'])
        await api.rows(sql`delete from ${sql.table(table)}`);
      await api.rows(sql`update mail_state set failures = 0, failing_since = null,
        resume_at = '-infinity'`);
      // Moves the clock to 10:00 of the next business day.
      api.clock.advance(86_400_000 - ((api.clock.now().getTime() + 22 * 3_600_000) % 86_400_000));
      receiver.tokens = await api.loginAll();
      Object.assign(receiver, { mails: [], calls: [], answer: success, takesMail: true });
    },
    run: async () => {
      await runTask(api.app, 'deliver_inbox');
      await runTask(api.app, 'send_notices');
    },
    ...clientOf(api, () => receiver),
    close: async () => {
      robots.closeAllConnections();
      robots.close();
      await new Promise<void>((resolve) => mail.server.close(() => resolve()));
      await api.close();
    },
  };
  return receiver;
};
