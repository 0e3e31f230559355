import { createHmac } from 'node:crypto';
import type { ChannelKind } from '@waystation/contract/people/notice-channel.ts';
import type { ChannelAddress } from './address.ts';

/** A call to the robot of a chat group. */
export interface RobotRequest {
  url: URL;
  body: string;
}

export type RobotKind = Exclude<ChannelKind, 'mail' | 'webhook'>;

/** The largest number of bytes of a text. WeCom accepts 2,048; the other platforms accept more. */
const longestBytes = 2_000;

/** A text cut to the number of bytes that every platform accepts, but not within a character. */
export const robotText = (text: string): string => {
  if (Buffer.byteLength(text) <= longestBytes) return text;
  const tail = text.slice(text.lastIndexOf('\n'));
  // The last line is kept completely, because it is the URL of the console.
  const end = tail.length < 400 ? `…${tail}` : '…';
  let bytes = longestBytes - Buffer.byteLength(end);
  let cut = '';
  for (const character of text) {
    bytes -= Buffer.byteLength(character);
    if (bytes < 0) break;
    cut += character;
  }
  return cut + end;
};

const hmac = (key: string, message: string): string =>
  createHmac('sha256', key).update(message).digest('base64');

/**
 * The request to a platform's robot, as plain text without markup and mentions. DingTalk needs a
 * signature of `timestamp\nsecret` in the query, with milliseconds and with the secret as the key.
 * Feishu needs a signature of an empty text in the body, with `timestamp\nsecret` in seconds as the
 * key. WeCom has only the key in the URL.
 */
export const robotRequest = (
  kind: RobotKind,
  { to, secret }: ChannelAddress,
  { text, now }: { text: string; now: Date },
): RobotRequest => {
  const url = new URL(to);
  const content = robotText(text);
  if (kind === 'feishu') {
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    return {
      url,
      body: JSON.stringify({
        ...(secret !== '' && { timestamp, sign: hmac(`${timestamp}\n${secret}`, '') }),
        msg_type: 'text',
        content: { text: content },
      }),
    };
  }
  if (kind === 'dingtalk' && secret !== '') {
    const timestamp = String(now.getTime());
    url.searchParams.set('timestamp', timestamp);
    url.searchParams.set('sign', hmac(secret, `${timestamp}\n${secret}`));
  }
  return {
    url,
    body: JSON.stringify({
      msgtype: 'text',
      text: { content },
      ...(kind === 'dingtalk' && { at: { isAtAll: false } }),
    }),
  };
};

/** The platform's error code if it refused the message; null if it accepted the message. */
export const robotRefusal = (body: string): string | null => {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return 'no JSON';
  }
  const { errcode, code, StatusCode } = (answer ?? {}) as Record<string, unknown>;
  const result = errcode ?? code ?? StatusCode;
  return result === 0 ? null : String(result ?? 'no code').slice(0, 40);
};
