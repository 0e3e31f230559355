import { createHmac } from 'node:crypto';
import type { ChannelKind } from '@waystation/contract/people/notice-channel.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { forbidden, outboundPolicy } from '#domain/carriers/carriers.ts';
import { isMailAddress } from '#platform/mail/mail.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';

/** The address of a channel and the key that signs its messages, which are encrypted together. */
export interface ChannelAddress {
  to: string;
  secret: string;
}

export const channelAddressPurpose = 'notice_channels.address';

export const sealAddress = (secrets: Secrets, address: ChannelAddress): Buffer =>
  secrets.seal(JSON.stringify(address), channelAddressPurpose);
export const openAddress = (secrets: Secrets, sealed: Buffer): ChannelAddress =>
  JSON.parse(secrets.open(sealed, channelAddressPurpose)) as ChannelAddress;

/** The digest of an address, so that limits can count an address without storing its text. */
export const addressHash = (secrets: Secrets, to: string): Buffer =>
  createHmac('sha256', secrets.derive('addresses of notices')).update(to.toLowerCase()).digest();

/** The digest of a channel's verification code. */
export const codeHash = (secrets: Secrets, channel: number, code: string): Buffer =>
  createHmac('sha256', secrets.derive('codes of notices')).update(`${channel}:${code}`).digest();

/**
 * The hosts, the path and the key parameter of each platform's robot URLs, from the platform's
 * documentation.
 */
const robots: Readonly<
  Record<'wecom' | 'dingtalk' | 'feishu', { hosts: readonly string[]; path: RegExp; key?: string }>
> = {
  wecom: { hosts: ['qyapi.weixin.qq.com'], path: /^\/cgi-bin\/webhook\/send$/, key: 'key' },
  dingtalk: { hosts: ['oapi.dingtalk.com'], path: /^\/robot\/send$/, key: 'access_token' },
  feishu: {
    hosts: ['open.feishu.cn', 'open.larksuite.com'],
    path: /^\/open-apis\/bot\/v2\/hook\/[\w-]+$/,
  },
};

/**
 * The reason why a channel of this kind cannot have this address; null if it can. `allowed` is the
 * operator's list of allowed hosts.
 */
export const addressProblem = (
  kind: ChannelKind,
  to: string,
  allowed: readonly string[],
): Reason | null => {
  if (kind === 'mail') return isMailAddress(to) ? null : { code: 'invalid' };
  const url = URL.canParse(to) ? new URL(to) : null;
  if (!url || url.username + url.password + url.hash !== '') return { code: 'invalid' };
  const policy = outboundPolicy(allowed);
  const denied = forbidden(url, policy);
  if (denied)
    return denied.code === 'carrier_url_denied'
      ? { code: 'webhook_url_denied', params: denied.params ?? {} }
      : { code: 'invalid' };
  if (kind === 'webhook') return null;
  const { hosts, path, key } = robots[kind];
  // A host that the operator has allowed may replace the platform's host, as a relay.
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const known = hosts.includes(url.host) || policy.allowsPlain(url.hostname, port);
  return known && path.test(url.pathname) && (key === undefined || url.searchParams.get(key))
    ? null
    : { code: 'channel_host_wrong' };
};

/** The part of an address that is shown to the owner, without a whole name or key. */
export const addressHint = (kind: ChannelKind, to: string): string => {
  if (kind === 'mail') {
    const [name = '', domain = ''] = to.split('@');
    return `${name.slice(0, 1)}***@${domain}`;
  }
  const url = new URL(to);
  return kind === 'webhook' ? url.host : `***${to.slice(-4)}`;
};
