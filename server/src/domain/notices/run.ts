import type { Language } from '@waystation/contract/base/errors.ts';
import { mostInboxEntries } from '@waystation/contract/shell/inbox.ts';
import type { ChannelKind } from '@waystation/contract/people/notice-channel.ts';
import { webhookWire } from '#domain/webhooks/webhooks.ts';
import type { WebhookApp } from '#domain/webhooks/webhooks.ts';
import { sql } from '#platform/db/db.ts';
import type { Db } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { openAddress } from './address.ts';
import { composeNotices, readerOf } from './compose.ts';
import { dueAt, keptFor } from './schedule.ts';
import type { Times } from './schedule.ts';
import { sendMessage } from './send-message.ts';
import type { Outcome, Sender } from './send-message.ts';
import { dropTaken, settle } from './settle.ts';
import type { Taken } from './settle.ts';
import { checkMail, mailState } from './mail-state.ts';
import type { MailApp } from './mail-state.ts';

export type NoticeApp = WebhookApp & MailApp & { config: { publicUrl: string | null } };

interface Channel extends Times {
  id: number;
  account_id: number;
  kind: ChannelKind;
  language: Language;
  address: Buffer;
  since: Date;
}

/**
 * The number of messages that one run sends at the same time. `healthy`: to working channels.
 * `failing`: to channels whose last message failed.
 */
const slots = { healthy: 16, failing: 4 } as const;
/**
 * The largest number of channels that a run claims, and the time in milliseconds after which it
 * claims no more.
 */
const ofRun = { healthy: 2_000, failing: 40, ms: 45_000 } as const;
/** Seconds after which a worker that has not reported the result of its channel is assumed dead. */
const leaseSeconds = 90;
/**
 * The largest number of entries in one message, which is also the number of entries that the inbox
 * reads together.
 */
const mostTaken = mostInboxEntries;

/**
 * Claims one channel that has waiting entries and was not tried in this run; the channel that was
 * not tried for the longest time comes first.
 */
const claim = (
  db: Db,
  now: Date,
  { failing, withMail, tried }: { failing: boolean; withMail: boolean; tried: readonly number[] },
): Promise<Channel | undefined> =>
  db.tx(systemScope('channels of notices'), async (work) => {
    const { rows } = await sql<Channel>`
      with due as (
        select c.id from notice_channels c
        where c.id in (select o.channel_id from notice_outbox o) and c.status = 'live'
          and c.resume_at <= ${now} and (c.failures > 0) = ${failing}
          and (${withMail} or c.kind <> 'mail') and c.id <> all(${tried}::bigint[])
          and (c.leased_until is null or c.leased_until <= clock_timestamp())
        order by c.tried_at nulls first, c.id limit 1 for update skip locked
      )
      update notice_channels c
        set leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        from due where c.id = due.id
        returning c.id, c.account_id, c.kind, c.language, c.address, c.pace, c.daily_hour,
          c.quiet_from, c.quiet_to, c.hour_from, c.hour_sent,
          (select min(o.at) from notice_outbox o where o.channel_id = c.id) as since`.execute(
      work.tx,
    );
    return rows[0];
  });

const rest = (db: Db, id: number, until: Date): Promise<unknown> =>
  db.tx(systemScope('channels of notices'), (work) =>
    work.tx
      .updateTable('notice_channels')
      .set({ resume_at: until, leased_until: null })
      .where('id', '=', id)
      .execute(),
  );

type Waiting = Taken & { entry_id: number };
const waitingFor = (db: Db, id: number): Promise<Waiting[]> =>
  db.rows(
    systemScope('what waits for a channel'),
    sql<Waiting>`select id, entry_id, events from notice_outbox where channel_id = ${id}
      order by id limit ${mostTaken}`,
  );

/** Sends the waiting entries of a claimed channel as one message, if the message is due. */
const sendTo = async (app: NoticeApp & Sender, channel: Channel): Promise<void> => {
  const { db, clock, secrets } = app;
  const { id, kind, language } = channel;
  const now = clock.now();
  const due = dueAt(channel.since, now, channel);
  if (due > now) return void (await rest(db, id, due));
  const taken = await waitingFor(db, id);
  const actor = await readerOf(db, channel.account_id);
  const ids = taken.map(({ entry_id }) => entry_id);
  const message = actor && (await composeNotices(app, actor, { ids, language }));
  if (!message) {
    await db.tx(systemScope('channels of notices'), (work) => dropTaken(work, taken));
    return void (await rest(db, id, now));
  }
  const key = `${id} ${taken.map((one) => `${one.id}.${one.events}`).join(' ')}`;
  const address = openAddress(secrets, channel.address);
  const outcome = await sendMessage(app, { kind, address }, { message, key });
  await settle(app, id, { outcome, taken });
};

const broken: Outcome = { error: 'internal', detail: '', permanent: false };

/**
 * Sends to several channels simultaneously, but to each channel at most once in a run. Ends when no
 * channel is due or the run's time is over.
 */
const runLane = async (
  app: NoticeApp & Sender,
  failing: boolean,
  { until, tried }: { until: number; tried: number[] },
): Promise<void> => {
  let left: number = failing ? ofRun.failing : ofRun.healthy;
  const worker = async (): Promise<void> => {
    while (left > 0 && performance.now() < until) {
      left -= 1;
      const channel = await nextOf(app, failing, tried);
      if (!channel) return;
      tried.push(channel.id);
      await sendTo(app, channel).catch(async (error: unknown) => {
        app.log.error({ err: error, channel: channel.id }, 'a notice was not sent');
        await settle(app, channel.id, { outcome: broken, taken: [] });
      });
    }
  };
  await Promise.all(
    Array.from({ length: failing ? slots.failing : slots.healthy }, () => worker()),
  );
};

/**
 * The next channel to send to; mail channels are left out while the mail server does not accept
 * mail.
 */
const nextOf = async (
  app: NoticeApp,
  failing: boolean,
  tried: readonly number[],
): Promise<Channel | undefined> => {
  const now = app.clock.now();
  const state = await app.db.tx(systemScope('state of mail'), mailState);
  const withMail = app.mailer !== null && state.resume_at <= now;
  return claim(app.db, now, { failing, withMail, tried });
};

/** Deletes entries of the outbox that have waited too long to be useful. */
const dropOld = (db: Db, now: Date): Promise<unknown> =>
  db.tx(systemScope('channels of notices'), (work) =>
    sql`delete from notice_outbox where id = any(array(select id from notice_outbox
      where at < ${new Date(now.getTime() - keptFor)} limit 10000))`.execute(work.tx),
  );

/**
 * Task that runs every minute: sends the waiting entries of channels. Channels whose last message
 * failed have separate slots, so that they do not delay the other channels.
 */
export const sendNotices = async (app: NoticeApp): Promise<void> => {
  await dropOld(app.db, app.clock.now());
  const wire = webhookWire(app);
  const until = performance.now() + ofRun.ms;
  try {
    await Promise.all(
      [false, true].map((failing) => runLane({ ...app, wire }, failing, { until, tried: [] })),
    );
    await checkMail(app);
  } finally {
    wire.close();
  }
};
