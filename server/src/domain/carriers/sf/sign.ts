import { createHash } from 'node:crypto';

/** The kinds of signatures; SF's portal sets one kind for each application. */
export const signatureKinds = ['standard_md5', 'simple_md5', 'sm3'] as const;
export type SignatureKind = (typeof signatureKinds)[number];

/**
 * Encodes a text as Java's URLEncoder does, because SF calculates the standard signature from the
 * text in this encoding. JavaScript's encoding differs for `! ' ( ) ~` and the space.
 */
export const javaUrlEncoded = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const base64Md5 = (content: string): string =>
  createHash('md5').update(content, 'utf8').digest('base64');

export interface Signed {
  /** The exact JSON text that is sent. */
  msgData: string;
  /** The time of the call, in milliseconds since 1970. */
  timestamp: string;
  check_word: string;
}

/** Calculates the `msgDigest` of a call. */
export const sign = (
  { msgData, timestamp, check_word }: Signed,
  kind: SignatureKind = 'standard_md5',
): string => {
  const content = msgData + timestamp + check_word;
  if (kind === 'sm3') return createHash('sm3').update(content, 'utf8').digest('hex');
  return base64Md5(kind === 'simple_md5' ? content : javaUrlEncoded(content));
};
