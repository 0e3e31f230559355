import { randomInt } from 'node:crypto';
import { mostChannelAsks } from '@waystation/contract/base/limits.ts';
import type { NoticeChannel } from '@waystation/contract/people/notice-channel.ts';
import type { App } from '#app.ts';
import {
  codeHash,
  messageSay,
  openAddress,
  sendMessage,
  settle,
  textMessage,
} from '#domain/notices/notices.ts';
import { webhookWire } from '#domain/webhooks/webhooks.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';

// The handlers of notification channels share this code: shown rows, limits, and sending while a
// user waits.

/** The number of minutes for which a code is valid. */
const codeMinutes = 30;
const day = 86_400_000;
/** The limit of messages that a process sends at the same time for users who wait for them. */
const mostSending = 8;
let sending = 0;

export const auditedChannels: AuditedTable<'notice_channels'> = {
  table: 'notice_channels',
  // The audit log contains neither the address nor its key.
  audited: [
    ...(['kind', 'name', 'language', 'kinds', 'pace', 'daily_hour'] as const),
    ...(['quiet_from', 'quiet_to', 'status', 'resets_password'] as const),
  ],
  stationOf: (_, { station_id }) => station_id,
};

export const ownChannels = 'own channels of notices';
export const ownedBy = ({ account_id }: Actor): Condition[] => [
  sql<boolean>`r.account_id = ${account_id} and r.status <> 'removed'`,
];

type Shown = Omit<
  NoticeChannel,
  'code_until' | 'failing_since' | 'tried_at' | 'sent_at' | 'created_at'
> & {
  code_until: Date | null;
  failing_since: Date | null;
  tried_at: Date | null;
  sent_at: Date | null;
  created_at: Date;
};
const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const shownChannels = async (
  work: Work,
  actor: Actor,
  id: number | null = null,
): Promise<NoticeChannel[]> => {
  const { rows } = await sql<Shown>`select c.id, c.kind, c.name, c.hint, c.language, c.kinds,
      c.pace, c.daily_hour, c.quiet_from, c.quiet_to, c.status, c.stopped_by,
      c.resets_password::int as resets_password,
      case when c.code_hash is not null then c.code_until end as code_until, c.failing_since,
      c.failures, c.error, c.detail, c.tried_at, c.sent_at, c.version, c.created_at,
      (select count(*) from notice_outbox o where o.channel_id = c.id)::int as waiting
    from notice_channels c where c.account_id = ${actor.account_id} and c.status <> 'removed'
      and (${id}::bigint is null or c.id = ${id}) order by c.id`.execute(work.tx);
  return rows.map((row) => ({
    ...row,
    code_until: iso(row.code_until),
    failing_since: iso(row.failing_since),
    tried_at: iso(row.tried_at),
    sent_at: iso(row.sent_at),
    created_at: row.created_at.toISOString(),
  }));
};

export const shownChannel = async (work: Work, actor: Actor, id: number): Promise<NoticeChannel> =>
  (await shownChannels(work, actor, id))[0] ?? fail('not_found');

export const readShown = (app: App, actor: Actor, id: number): Promise<NoticeChannel> =>
  app.db.tx(callerOf(actor), (work) =>
    work.asSystem(ownChannels, (system) => shownChannel(system, actor, id)),
  );

/**
 * Fails if the account has sent its daily limit of messages, or if all accounts together have sent
 * that limit to the address.
 */
export const requireAsks = async (work: Work, account_id: number, hash: Buffer, now: Date) => {
  for (const key of [`channels of ${account_id}`, `address ${hash.toString('hex')}`].toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 154))`.execute(work.tx);
  const since = new Date(now.getTime() - day);
  const { mine, there } = await oneRow(
    work,
    sql<{ mine: number; there: number }>`select
      (select coalesce(sum(asked), 0)::int from notice_channels
        where account_id = ${account_id} and asked_from > ${since}) as mine,
      (select coalesce(sum(asked), 0)::int from notice_channels
        where address_hash = ${hash} and asked_from > ${since}) as there`,
  );
  if (mine >= mostChannelAsks.account || there >= mostChannelAsks.address)
    fail('too_many_channel_messages', {}, { retryAfter: 3_600 });
};

export type StoredChannel = RowOf<
  'notice_channels',
  | 'id'
  | 'kind'
  | 'name'
  | 'address'
  | 'address_hash'
  | 'language'
  | 'status'
  | 'resets_password'
  | 'asked'
  | 'asked_from'
>;

/** Locks the actor's own channel and counts one more requested code or test message. */
export const askedChannel = async (
  work: Work,
  actor: Actor,
  id: number,
  now: Date,
): Promise<StoredChannel> => {
  const find = () =>
    work.tx
      .selectFrom('notice_channels')
      .select([
        'id',
        'kind',
        'name',
        'address',
        'address_hash',
        'language',
        'status',
        'resets_password',
        'asked',
        'asked_from',
      ])
      .where('id', '=', id)
      .where('account_id', '=', actor.account_id)
      .where('status', '<>', 'removed')
      .executeTakeFirst();
  const found = (await find()) ?? fail('not_found');
  await requireAsks(work, actor.account_id, found.address_hash, now);
  const isFresh = found.asked_from.getTime() > now.getTime() - day;
  await work.tx
    .updateTable('notice_channels')
    .set({ asked: isFresh ? found.asked + 1 : 1, ...(!isFresh && { asked_from: now }) })
    .where('id', '=', id)
    .execute();
  return found;
};

export const newCode = (app: App, now: Date) => {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return {
    code,
    columns: (id: number) => ({
      code_hash: codeHash(app.secrets, id, code),
      code_until: new Date(now.getTime() + codeMinutes * 60_000),
      code_tries: 0,
    }),
  };
};

/** Sends a message at once and stores the result. A refusal is shown with the channel. */
export const sendNow = async (
  app: App,
  { id, kind, address }: Pick<StoredChannel, 'id' | 'kind' | 'address'>,
  message: ReturnType<typeof textMessage>,
): Promise<void> => {
  if (sending >= mostSending) fail('too_many_requests', { seconds: 5 }, { retryAfter: 5 });
  sending += 1;
  const wire = webhookWire(app);
  try {
    const to = openAddress(app.secrets, address!);
    const key = `${id} ${crypto.randomUUID()}`;
    const channel = { kind: kind as NoticeChannel['kind'], address: to };
    const outcome = await sendMessage({ ...app, wire }, channel, { message, key });
    await settle(app, id, { outcome, taken: null });
  } finally {
    wire.close();
    sending -= 1;
  }
};

export const codeMessage = (language: 'zh' | 'en', code: string) => {
  const say = messageSay(language);
  return textMessage(say('code_subject', { code }), say('code_text', { code }));
};
