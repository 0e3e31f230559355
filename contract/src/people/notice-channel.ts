import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { schemas } from './notice-channel.schema.ts';
export type { NoticeChannel, NoticeChannels, NoticeSettings } from './notice-channel.schema.ts';

/**
 * The kinds of channels: a mailbox, the robot of a chat group, or an endpoint of another program.
 */
export const channelKinds = ['mail', 'wecom', 'dingtalk', 'feishu', 'webhook'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/**
 * The statuses of a channel. `disabled`: it failed for days, was refused for good, or its account
 * lost its access.
 */
export const channelStatuses = ['unconfirmed', 'live', 'disabled'] as const;

/**
 * When notifications are sent: immediately, together each hour, or together at an hour of the day.
 */
export const noticePaces = ['now', 'hourly', 'daily'] as const;
export type NoticePace = (typeof noticePaces)[number];

/**
 * Why a message could not be delivered. `server`: the installation's mail server accepts no
 * messages now.
 */
export const channelErrors = [
  'server',
  'refused',
  'status',
  'timeout',
  'unreachable',
  'connection_lost',
  'too_large',
  'denied',
  'internal',
] as const;
export type ChannelError = (typeof channelErrors)[number];

const base = '/api/arco/notices/channels';

export const listNoticeChannels = endpoint<typeof schemas.listNoticeChannels>({
  method: 'GET',
  path: base,
  roles: everyone,
  summary: 'The caller’s channels of notifications, and whether mail can be sent.',
});

export const createNoticeChannel = endpoint<typeof schemas.createNoticeChannel>({
  method: 'POST',
  path: base,
  roles: everyone,
  summary:
    'A new channel of the caller. A code is sent to it, and nothing else before the code is entered. Only this response has the secret of a webhook.',
});

export const editNoticeChannel = endpoint<typeof schemas.editNoticeChannel>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: everyone,
  summary: 'Change what goes to an own channel, and when.',
});

export const sendChannelCode = endpoint<typeof schemas.sendChannelCode>({
  method: 'POST',
  path: `${base}/{id}/code`,
  roles: everyone,
  summary:
    'Send a new code to an own channel that is not confirmed or is disabled, or to a live mailbox without the right to set a forgotten password.',
});

export const confirmNoticeChannel = endpoint<typeof schemas.confirmNoticeChannel>({
  method: 'POST',
  path: `${base}/{id}/confirm`,
  roles: everyone,
  summary: 'Enter the code that was sent to an own channel, which is live from then on.',
});

export const testNoticeChannel = endpoint<typeof schemas.testNoticeChannel>({
  method: 'POST',
  path: `${base}/{id}/test`,
  roles: everyone,
  summary: 'Send a test message to an own live channel. One that arrives ends its failures.',
});

export const previewNoticeChannel = endpoint<typeof schemas.previewNoticeChannel>({
  method: 'GET',
  path: `${base}/{id}/preview`,
  roles: everyone,
  summary: 'A message to an own channel as it would be sent now, of the newest notifications.',
});

export const removeNoticeChannel = endpoint<typeof schemas.removeNoticeChannel>({
  method: 'POST',
  path: `${base}/{id}/remove`,
  roles: everyone,
  summary: 'Remove an own channel with its address and what waits for it.',
});
