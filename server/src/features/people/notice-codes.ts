import { timingSafeEqual } from 'node:crypto';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { NoticeChannel } from '@waystation/contract/people/notice-channel.ts';
import type * as calls from '@waystation/contract/people/notice-channel.ts';
import type { App } from '#app.ts';
import { codeHash, messageSay, plainText, textMessage } from '#domain/notices/notices.ts';
import { recordAudit } from '#platform/audit.ts';
import { auditedChange } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import type { UserWork } from '#platform/db/db.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import {
  askedChannel,
  auditedChannels,
  codeMessage,
  newCode,
  ownChannels,
  ownedBy,
  readShown,
  sendNow,
  shownChannel,
} from './notice-channel-rows.ts';
import type { StoredChannel } from './notice-channel-rows.ts';

/** Wrong codes after which a code is no longer valid. */
const mostTries = 5;

export const sendCode = async (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.sendChannelCode>,
  request: RequestContext,
): Promise<NoticeChannel> => {
  const now = app.clock.now();
  const { code, columns } = newCode(app, now);
  const found = await app.db.tx(callerOf(actor, request), (work) =>
    work.asSystem(ownChannels, async (system) => {
      const channel = await askedChannel(system, actor, id, now);
      if (channel.status === 'live') fail('channel_state');
      await system.tx
        .updateTable('notice_channels')
        .set({ ...columns(id), updated_at: now })
        .where('id', '=', id)
        .execute();
      await auditSent(work, channel);
      return channel;
    }),
  );
  await sendNow(app, found, codeMessage(found.language as 'zh' | 'en', code));
  return readShown(app, actor, id);
};

/** A code is a test of the address, too. */
const auditSent = (
  work: UserWork,
  { id, name }: Pick<StoredChannel, 'id' | 'name'>,
): Promise<void> =>
  recordAudit(work, {
    action: 'test',
    subject: 'notice_channels',
    subject_id: id,
    station_id: work.actor.station_id,
    changes: { name: [name, name] },
  });

/** Whether the code is right; a wrong one is counted, in a transaction that commits. */
const tryCode = (app: App, actor: Actor, id: number, code: string): Promise<boolean> =>
  app.db.tx(callerOf(actor), (work) =>
    work.asSystem(ownChannels, async (system) => {
      const found = await system.tx
        .selectFrom('notice_channels')
        .select(['code_hash', 'code_until', 'code_tries'])
        .where('id', '=', id)
        .where('account_id', '=', actor.account_id)
        .where('status', '<>', 'removed')
        .forUpdate()
        .executeTakeFirst();
      if (!found) return fail('not_found');
      const { code_hash, code_until, code_tries } = found;
      if (code_hash === null || code_tries >= mostTries) return false;
      if (code_until === null || code_until <= app.clock.now()) return false;
      if (timingSafeEqual(code_hash, codeHash(app.secrets, id, code.trim()))) return true;
      await system.tx
        .updateTable('notice_channels')
        .set({ code_tries: code_tries + 1 })
        .where('id', '=', id)
        .execute();
      return false;
    }),
  );

export const confirm = async (
  app: App,
  actor: Actor,
  { id, code }: ParsedOf<typeof calls.confirmNoticeChannel>,
  request: RequestContext,
): Promise<NoticeChannel> => {
  if (!(await tryCode(app, actor, id, code))) failFields({ code: { code: 'channel_code_wrong' } });
  return app.db.tx(callerOf(actor, request), (work) =>
    work.asSystem(ownChannels, async (system) => {
      await auditedChange(work, auditedChannels, {
        id,
        action: 'enable',
        within: ownedBy(actor),
        columns: () => ({
          status: 'live' as const,
          stopped_by: null,
          code_hash: null,
          code_until: null,
          failures: 0,
          failing_since: null,
          error: null,
          detail: '',
          resume_at: app.clock.now(),
        }),
      });
      return shownChannel(system, actor, id);
    }),
  );
};

export const test = async (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.testNoticeChannel>,
  request: RequestContext,
): Promise<NoticeChannel> => {
  const found = await app.db.tx(callerOf(actor, request), (work) =>
    work.asSystem(ownChannels, async (system) => {
      const channel = await askedChannel(system, actor, id, app.clock.now());
      if (channel.status !== 'live') fail('channel_state');
      await auditSent(work, channel);
      return channel;
    }),
  );
  const say = messageSay(found.language as 'zh' | 'en');
  const text = say('test_text', { name: plainText(found.name) });
  await sendNow(app, found, textMessage(say('test_subject'), text));
  return readShown(app, actor, id);
};
