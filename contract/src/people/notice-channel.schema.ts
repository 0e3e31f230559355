import * as z from 'zod/mini';
import { withSchemas } from '#base/endpoint.ts';
import { id, text, time, version } from '#base/fields.schema.ts';
import {
  channelAddressLength,
  channelSecretLength,
  otpLength,
  shortNameLength,
} from '#base/limits.ts';
import { inboxKinds } from '#shell/inbox.ts';
import { secretText } from './account.schema.ts';
import { channelErrors, channelKinds, channelStatuses, noticePaces } from './notice-channel.ts';
import * as endpoints from './notice-channel.ts';

/** The number of the last hour of a day. */
const lastHour = 23;
const hour = z.int('invalid').check(z.gte(0, 'invalid'), z.lte(lastHour, 'invalid'));
const inboxKind = z.enum(inboxKinds, 'invalid');
const language = z.enum(['zh', 'en'], 'invalid');

const settings = {
  name: text(1, shortNameLength),
  language,
  /** The kinds of notifications that are sent to the channel. */
  kinds: z.array(inboxKind).check(z.maxLength(inboxKinds.length, 'too_long')),
  pace: z.enum(noticePaces, 'invalid'),
  /** The hour of the daily message, in Beijing time. */
  daily_hour: hour,
  /** The hours between which no notifications are sent; both null: there are no such hours. */
  quiet_from: z.nullable(hour),
  quiet_to: z.nullable(hour),
};
const settingsObject = z.object(settings);
export type NoticeSettings = z.infer<typeof settingsObject>;

const channel = z.object({
  id: z.int(),
  kind: z.enum(channelKinds),
  ...settings,
  name: z.string(),
  /** A part of the address by which its owner recognises the address. */
  hint: z.string(),
  status: z.enum(channelStatuses),
  /** 1: the link for setting a forgotten password is sent to this mailbox. */
  resets_password: z.union([z.literal(0), z.literal(1)]),
  stopped_by: z.nullable(z.enum(['failures', 'refused', 'access'])),
  /** The time until which the code that was sent is valid. */
  code_until: z.nullable(time),
  failing_since: z.nullable(time),
  failures: z.int(),
  /**
   * The error of the last attempt; null if there was no attempt or it succeeded. `detail` is an
   * error code of the channel's server.
   */
  error: z.nullable(z.enum(channelErrors)),
  detail: z.string(),
  tried_at: z.nullable(time),
  sent_at: z.nullable(time),
  /** The number of notifications that wait to be sent. */
  waiting: z.int(),
  version: z.int(),
  created_at: time,
});
export type NoticeChannel = z.infer<typeof channel>;

const channels = z.object({
  items: z.array(channel),
  /**
   * `none`: the installation has no mail server; `failing`: the mail server accepts no mail now.
   */
  mail: z.enum(['ready', 'failing', 'none']),
});
export type NoticeChannels = z.infer<typeof channels>;

export const schemas = {
  listNoticeChannels: { input: z.object({}), output: channels },
  createNoticeChannel: {
    input: z.object({
      kind: z.enum(channelKinds, 'invalid'),
      /** An email address, or the URL of a chat robot or of another endpoint. */
      address: text(1, channelAddressLength),
      /** The secret with which messages to a robot of DingTalk or Feishu must be signed. */
      secret: z.optional(z.string().check(z.maxLength(channelSecretLength, 'too_long'))),
      ...settings,
    }),
    output: z.object({ channel, secret: z.nullable(z.string()) }),
  },
  editNoticeChannel: { input: z.object({ id, version, ...settings }), output: channel },
  sendChannelCode: { input: z.object({ id }), output: channel },
  confirmNoticeChannel: {
    input: z.object({
      id,
      code: z.string().check(z.maxLength(otpLength, 'too_long')),
      /**
       * The caller's password, because this mailbox may replace another mailbox for resetting a
       * forgotten password. It is not checked for other channels and for a super.
       */
      password: z.optional(secretText),
      otp: z.optional(z.string().check(z.maxLength(otpLength, 'too_long'))),
    }),
    output: channel,
  },
  testNoticeChannel: { input: z.object({ id }), output: channel },
  previewNoticeChannel: {
    input: z.object({ id }),
    output: z.object({ subject: z.string(), text: z.string() }),
  },
  removeNoticeChannel: { input: z.object({ id }), output: z.object({ id: z.int() }) },
};

export const calls = withSchemas(endpoints, schemas);
