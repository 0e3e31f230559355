import { createHash } from 'node:crypto';
import type { ChannelError, ChannelKind } from '@waystation/contract/people/notice-channel.ts';
import type { Wire, WireAnswer } from '#domain/carriers/carriers.ts';
import { webhookSignature } from '#domain/webhooks/webhooks.ts';
import type { ChannelAddress } from './address.ts';
import { sendMail } from './mail-state.ts';
import type { MailApp } from './mail-state.ts';
import type { Message } from './message.ts';
import { robotRefusal, robotRequest } from './robots.ts';

export interface Sender extends MailApp {
  wire: Wire;
}

/**
 * The result of sending a message. `permanent` means that the other side will never accept a
 * message.
 */
export type Outcome = { error: null } | { error: ChannelError; detail: string; permanent: boolean };

const errors: Readonly<Record<string, ChannelError>> = {
  carrier_url: 'denied',
  carrier_url_denied: 'denied',
  carrier_unreachable: 'unreachable',
  carrier_timeout: 'timeout',
  carrier_connection_lost: 'connection_lost',
  carrier_answer_too_large: 'too_large',
};

const failed = (error: ChannelError, detail = '', permanent = false): Outcome => ({
  error,
  detail: detail.replaceAll(/[^\w .:-]/g, '').slice(0, 100),
  permanent,
});

const outcomeOf = (answer: WireAnswer, isRobot: boolean): Outcome => {
  if (answer.got === 'nothing') {
    const { code, params } = answer.reason;
    return failed(errors[code] ?? 'connection_lost', String(params?.['detail'] ?? ''));
  }
  const { http_status: status, body } = answer;
  if (status < 200 || status >= 300) return failed('status', String(status), status === 410);
  const refusal = isRobot ? robotRefusal(body) : null;
  return refusal === null ? { error: null } : failed('refused', refusal);
};

const digestOf = (key: string): string =>
  createHash('sha256').update(key).digest('hex').slice(0, 32);

const byMail = async (
  sender: Sender,
  to: string,
  { message, key }: { message: Message; key: string },
): Promise<Outcome> => {
  const { subject, text, footer, html } = message;
  const result = await sendMail(sender, {
    to,
    subject,
    text: footer === '' ? text : `${text}\n\n${footer}`,
    html,
    id: digestOf(key),
  });
  if (result === null) return failed('server', 'none');
  if (result.sent) return { error: null };
  return result.fault === 'server'
    ? failed('server', result.detail)
    : failed('refused', result.detail, result.permanent);
};

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Waystation-Notices/1',
};

/**
 * Sends a message to an address. The same notifications always have the same `key`, so that a
 * mailbox or a webhook receiver can ignore repeats.
 */
export const sendMessage = async (
  sender: Sender,
  channel: { kind: ChannelKind; address: ChannelAddress },
  { message, key }: { message: Message; key: string },
): Promise<Outcome> => {
  const { kind, address } = channel;
  if (kind === 'mail') return byMail(sender, address.to, { message, key });
  const now = sender.clock.now();
  if (kind !== 'webhook') {
    const { url, body } = robotRequest(kind, address, { text: message.text, now });
    return outcomeOf(await sender.wire.post({ url, headers, body, kind: 'write' }), true);
  }
  const { subject, text, lines } = message;
  const body = JSON.stringify({
    type: 'notice',
    timestamp: now.toISOString(),
    data: { subject, text, notices: lines },
  });
  const signed = {
    id: `msg_${digestOf(key)}`,
    timestamp: Math.floor(now.getTime() / 1_000),
    body,
  };
  const answer = await sender.wire.post({
    url: new URL(address.to),
    headers: {
      ...headers,
      'webhook-id': signed.id,
      'webhook-timestamp': String(signed.timestamp),
      'webhook-signature': webhookSignature(signed, [address.secret]),
    },
    body,
    kind: 'write',
  });
  return outcomeOf(answer, false);
};
