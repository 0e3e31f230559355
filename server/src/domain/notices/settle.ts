import type { ChannelKind } from '@waystation/contract/people/notice-channel.ts';
import type { Clock } from '#platform/clock.ts';
import { jsonText, sql } from '#platform/db/db.ts';
import type { Db, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { countedMessage, disabledAfter, noticeAfter, retryAt } from './schedule.ts';
import type { Outcome } from './send-message.ts';

interface Stored {
  account_id: number;
  station_id: number | null;
  kind: ChannelKind;
  name: string;
  status: string;
  failures: number;
  failing_since: Date | null;
  hour_from: Date | null;
  hour_sent: number;
  resume_at: Date;
}

const stored = async (work: Work, id: number): Promise<Stored | undefined> =>
  (
    await sql<Stored>`select c.account_id, a.station_id, c.kind, c.name, c.status, c.failures,
        c.failing_since, c.hour_from, c.hour_sent, c.resume_at
      from notice_channels c join accounts a on a.id = c.account_id
      where c.id = ${id} and c.status <> 'removed' for update of c`.execute(work.tx)
  ).rows[0];

/** Writes an inbox notice for the owner of a channel, because the channel fails or was disabled. */
const noteChannel = (
  work: Work,
  id: number,
  { account_id, station_id, name }: Stored,
  { reason, now }: { reason: 'failing' | 'disabled'; now: Date },
): Promise<unknown> =>
  work.tx
    .insertInto('inbox_notices')
    .values({
      kind: 'channel',
      station_id,
      account_id,
      subject_id: id,
      data: jsonText({ name, reason }),
      at: now,
    })
    .execute();

interface Failed {
  outcome: Extract<Outcome, { detail: string }>;
  now: Date;
  lease: { leased_until?: null };
}

const noteFailure = async (
  work: Work,
  id: number,
  channel: Stored,
  { outcome, now, lease }: Failed,
): Promise<void> => {
  const failures = channel.failures + 1;
  const since = channel.failing_since ?? now;
  const ends =
    channel.status === 'live' &&
    (outcome.permanent || now.getTime() - since.getTime() >= disabledAfter);
  await work.tx
    .updateTable('notice_channels')
    .set({
      failures,
      failing_since: since,
      resume_at: retryAt(failures, now),
      error: outcome.error,
      detail: outcome.detail,
      tried_at: now,
      ...lease,
      ...(ends && {
        status: 'disabled' as const,
        stopped_by: outcome.permanent ? ('refused' as const) : ('failures' as const),
        version: sql<number>`version + 1`,
      }),
    })
    .where('id', '=', id)
    .execute();
  if (ends) {
    await sql`delete from notice_outbox where channel_id = ${id}`.execute(work.tx);
    await noteChannel(work, id, channel, { reason: 'disabled', now });
  } else if (channel.status === 'live' && failures === noticeAfter)
    await noteChannel(work, id, channel, { reason: 'failing', now });
};

/**
 * Rows of the outbox as they were when they were read. A row that has changed since then waits for
 * the next message.
 */
export interface Taken {
  id: number;
  events: number;
}

/**
 * Stores the result of a message. `taken` is the list of outbox rows in the message; it is null if
 * the message was a code or a test. A code or test can be sent while a worker is sending to the
 * channel, so the worker's lease is kept. If the mail server accepts no mail at all, the channel
 * has not failed, and its mail waits.
 */
export const settle = (
  { db, clock }: { db: Db; clock: Clock },
  id: number,
  { outcome, taken }: { outcome: Outcome; taken: readonly Taken[] | null },
): Promise<void> =>
  db.tx(systemScope('channels of notices'), async (work) => {
    const now = clock.now();
    const channel = await stored(work, id);
    if (!channel) return;
    const lease = taken === null ? {} : { leased_until: null };
    if (outcome.error === 'server') {
      await work.tx
        .updateTable('notice_channels')
        .set({ error: 'server', detail: outcome.detail, tried_at: now, ...lease })
        .where('id', '=', id)
        .execute();
      return;
    }
    if (outcome.error !== null) return noteFailure(work, id, channel, { outcome, now, lease });
    await work.tx
      .updateTable('notice_channels')
      .set({
        failures: 0,
        failing_since: null,
        error: null,
        detail: '',
        tried_at: now,
        sent_at: now,
        resume_at: now,
        ...lease,
        ...countedMessage(channel, now),
      })
      .where('id', '=', id)
      .execute();
    await dropTaken(work, taken ?? []);
  });

/** Deletes rows of the outbox that were not changed after they were read. */
export const dropTaken = async (work: Work, taken: readonly Taken[]): Promise<void> => {
  if (taken.length === 0) return;
  await sql`delete from notice_outbox o using unnest(${taken.map(({ id }) => id)}::bigint[],
      ${taken.map(({ events }) => events)}::int[]) as t (id, events)
    where o.id = t.id and o.events = t.events`.execute(work.tx);
};
