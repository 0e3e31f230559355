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
import type { RowOf, UserWork, Work } from '#platform/db/db.ts';
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
import { withProof } from './with-proof.ts';

/** The number of wrong codes after which a code ends. */
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
      // An enabled channel needs no code, except a mailbox that may not yet reset a forgotten
      // password. With the code and the password it gains that right.
      const mayGain = channel.kind === 'mail' && !channel.resets_password;
      if (channel.status === 'live' && !mayGain) fail('channel_state');
      await system.tx
        .updateTable('notice_channels')
        .set({ ...columns(id), updated_at: now })
        .where('id', '=', id)
        .execute();
      await auditSent(work, 'send_code', channel);
      return channel;
    }),
  );
  await sendNow(app, found, codeMessage(found.language as 'zh' | 'en', code));
  return readShown(app, actor, id);
};

const auditSent = (
  work: UserWork,
  action: 'send_code' | 'test',
  { id, name }: Pick<StoredChannel, 'id' | 'name'>,
): Promise<void> =>
  recordAudit(work, {
    action,
    subject: 'notice_channels',
    subject_id: id,
    station_id: work.actor.station_id,
    changes: { name: [name, name] },
  });

type StoredCode = RowOf<'notice_channels', 'code_hash' | 'code_until'>;

/** True if the code is the last one sent and is still valid. */
const isRight = (
  { secrets, clock }: App,
  { code_hash, code_until }: StoredCode,
  { id, code }: { id: number; code: string },
): boolean =>
  code_hash !== null &&
  code_until !== null &&
  code_until > clock.now() &&
  timingSafeEqual(code_hash, codeHash(secrets, id, code.trim()));

/** True if the code is right. A wrong code is counted in a transaction that commits. */
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
      if (found.code_hash === null || found.code_tries >= mostTries) return false;
      if (isRight(app, found, { id, code })) return true;
      await system.tx
        .updateTable('notice_channels')
        .set({ code_tries: found.code_tries + 1 })
        .where('id', '=', id)
        .execute();
      return false;
    }),
  );

/**
 * Takes the right to reset the password from the account's other mailboxes, because only one
 * mailbox has it.
 */
const takeOver = async (work: Work, { id, account_id }: { id: number; account_id: number }) => {
  await work.tx
    .updateTable('notice_channels')
    .set({ resets_password: false, reset_hash: null })
    .where('account_id', '=', account_id)
    .where('id', '<>', id)
    .where('resets_password', '=', true)
    .execute();
};

export const confirm = async (
  app: App,
  actor: Actor,
  { id, code, password, otp = '' }: ParsedOf<typeof calls.confirmNoticeChannel>,
  request: RequestContext,
): Promise<NoticeChannel> => {
  if (!(await tryCode(app, actor, id, code))) failFields({ code: { code: 'channel_code_wrong' } });
  const enable = (work: UserWork, isProven: boolean): Promise<NoticeChannel> =>
    work.asSystem(ownChannels, async (system) => {
      const { after } = await auditedChange(work, auditedChannels, {
        id,
        action: 'enable',
        within: ownedBy(actor),
        // If the account was reset after the code was tried, the code has ended.
        check: async () => {
          const stored = await system.tx
            .selectFrom('notice_channels')
            .select(['code_hash', 'code_until'])
            .where('id', '=', id)
            .executeTakeFirstOrThrow();
          if (!isRight(app, stored, { id, code }))
            failFields({ code: { code: 'channel_code_wrong' } });
        },
        columns: ({ kind }) => ({
          status: 'live' as const,
          stopped_by: null,
          resets_password: isProven && kind === 'mail' && actor.role !== 'super',
          code_hash: null,
          code_until: null,
          failures: 0,
          failing_since: null,
          error: null,
          detail: '',
          resume_at: app.clock.now(),
        }),
      });
      if (after.resets_password) await takeOver(system, after);
      return shownChannel(system, actor, id);
    });
  if (password === undefined)
    return app.db.tx(callerOf(actor, request), (work) => enable(work, false));
  return withProof(
    { app, actor, request },
    { password, otp },
    () => Promise.resolve(),
    (work) => enable(work, true),
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
      await auditSent(work, 'test', channel);
      return channel;
    }),
  );
  const say = messageSay(found.language as 'zh' | 'en');
  const text = say('test_text', { name: plainText(found.name) });
  await sendNow(app, found, textMessage(say('test_subject'), text));
  return readShown(app, actor, id);
};
