import type { OutputOf, ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostNoticeChannels } from '@waystation/contract/base/limits.ts';
import type { NoticeChannel } from '@waystation/contract/people/notice-channel.ts';
import type * as calls from '@waystation/contract/people/notice-channel.ts';
import type { App } from '#app.ts';
import {
  addressHash,
  addressHint,
  addressProblem,
  composeNotices,
  mailState,
  messageSay,
  plainText,
  sealAddress,
  textMessage,
} from '#domain/notices/notices.ts';
import { createWebhookSecret } from '#domain/webhooks/webhooks.ts';
import { auditedChange, auditedInsert } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import {
  auditedChannels,
  codeMessage,
  newCode,
  ownChannels,
  ownedBy,
  readShown,
  requireAsks,
  sendNow,
  shownChannel,
  shownChannels,
} from './notice-channel-rows.ts';

export const list = (app: App, actor: Actor): Promise<OutputOf<typeof calls.listNoticeChannels>> =>
  app.db.tx(callerOf(actor), (work) =>
    work.asSystem(ownChannels, async (system) => ({
      items: await shownChannels(system, actor),
      mail:
        app.mailer === null
          ? ('none' as const)
          : (await mailState(system)).failures > 0
            ? ('failing' as const)
            : ('ready' as const),
    })),
  );

const checkQuiet = ({
  quiet_from,
  quiet_to,
}: Pick<NoticeChannel, 'quiet_from' | 'quiet_to'>): void => {
  if ((quiet_from === null) !== (quiet_to === null))
    failFields({ [quiet_from === null ? 'quiet_from' : 'quiet_to']: { code: 'required' } });
};

const requireRoom = async (work: Work, account_id: number): Promise<void> => {
  const { n } = await oneRow(
    work,
    sql<{ n: number }>`select count(*)::int as n from notice_channels
      where account_id = ${account_id} and status <> 'removed'`,
  );
  if (n >= mostNoticeChannels) fail('too_many_channels', { limit: mostNoticeChannels });
};

/** The signing key of a channel: a new key for a webhook, the entered key for a robot, or none. */
const secretOf = (kind: NoticeChannel['kind'], entered: string): string => {
  if (kind === 'webhook') return createWebhookSecret();
  return kind === 'dingtalk' || kind === 'feishu' ? entered.trim() : '';
};

export const create = async (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createNoticeChannel>,
  request: RequestContext,
): Promise<OutputOf<typeof calls.createNoticeChannel>> => {
  const { kind, address: entered, secret: signing = '', kinds, ...settings } = input;
  checkQuiet(settings);
  const to = entered.trim();
  if (kind === 'mail' && app.mailer === null) fail('mail_not_set_up');
  const problem = addressProblem(kind, to, app.config.webhookAllow);
  if (problem) failFields({ address: problem });
  const secret = secretOf(kind, signing);
  const now = app.clock.now();
  const { code, columns } = newCode(app, now);
  const made = await app.db.tx(callerOf(actor, request), (work) =>
    work.asSystem(ownChannels, async (system) => {
      const hash = addressHash(app.secrets, to);
      await requireAsks(system, actor.account_id, hash, now);
      await requireRoom(system, actor.account_id);
      const row = await auditedInsert(work, auditedChannels, {
        values: {
          ...settings,
          account_id: actor.account_id,
          kind,
          kinds: [...new Set(kinds)],
          address: sealAddress(app.secrets, { to, secret }),
          address_hash: hash,
          hint: addressHint(kind, to),
          asked_from: now,
          asked: 1,
          resume_at: now,
        },
      });
      await system.tx
        .updateTable('notice_channels')
        .set(columns(row.id))
        .where('id', '=', row.id)
        .execute();
      return row;
    }),
  );
  await sendNow(app, made, codeMessage(settings.language, code));
  return {
    channel: await readShown(app, actor, made.id),
    secret: kind === 'webhook' ? secret : null,
  };
};

export const edit = (
  app: App,
  actor: Actor,
  { id, version, kinds, ...settings }: ParsedOf<typeof calls.editNoticeChannel>,
  request: RequestContext,
): Promise<NoticeChannel> => {
  checkQuiet(settings);
  return app.db.tx(callerOf(actor, request), (work) =>
    work.asSystem(ownChannels, async (system) => {
      const now = app.clock.now();
      await auditedChange(work, auditedChannels, {
        id,
        version,
        action: 'edit',
        within: ownedBy(actor),
        current: () => shownChannel(system, actor, id),
        // A changed pace applies to waiting entries at once. After failures the pause continues.
        columns: ({ failures }) => ({
          ...settings,
          kinds: [...new Set(kinds)],
          ...(failures === 0 && { resume_at: now }),
        }),
      });
      await sql`delete from notice_outbox o using inbox_entries e where o.channel_id = ${id}
        and e.id = o.entry_id and not e.kind = any(${kinds}::text[])`.execute(system.tx);
      return shownChannel(system, actor, id);
    }),
  );
};

export const preview = async (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.previewNoticeChannel>,
): Promise<OutputOf<typeof calls.previewNoticeChannel>> => {
  const { language, name } = await readShown(app, actor, id);
  const say = messageSay(language);
  const message =
    (await composeNotices(app, actor, { ids: null, language })) ??
    textMessage(say('test_subject'), say('test_text', { name: plainText(name) }));
  return { subject: message.subject, text: message.text };
};

export const remove = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.removeNoticeChannel>,
  request: RequestContext,
): Promise<{ id: number }> =>
  app.db.tx(callerOf(actor, request), (work) =>
    work.asSystem(ownChannels, async (system) => {
      await auditedChange(work, auditedChannels, {
        id,
        action: 'remove',
        within: ownedBy(actor),
        columns: () => ({
          status: 'removed' as const,
          address: null,
          hint: '',
          code_hash: null,
          code_until: null,
        }),
      });
      await sql`delete from notice_outbox where channel_id = ${id}`.execute(system.tx);
      return { id };
    }),
  );
