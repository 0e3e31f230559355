import { createHash, createHmac } from 'node:crypto';
import type { SigningAlgorithm } from '#domain/carriers/port.ts';

export const signingAlgorithms = [
  'md5-salt',
  'HMacMD5',
  'HMacSHA1',
  'HMacSHA256',
  'HMacSHA512',
] as const satisfies readonly SigningAlgorithm[];

const digests = {
  HMacMD5: 'md5',
  HMacSHA1: 'sha1',
  HMacSHA256: 'sha256',
  HMacSHA512: 'sha512',
} as const satisfies Record<Exclude<SigningAlgorithm, 'md5-salt'>, string>;

export interface Signed {
  app_key: string;
  app_secret: string;
  /** The access token; an empty one is signed as an empty text. */
  access_token: string;
  /** The path of the URL, without host and query. */
  path: string;
  /** The exact bytes that are sent. */
  body: string;
  /** The time as `yyyy-MM-dd HH:mm:ss`, not URL-encoded. */
  timestamp: string;
}

const saltedMd5 = (content: string): string =>
  createHash('md5').update(content, 'utf8').digest('hex');

/**
 * The `sign` of a call: lower-case hex for md5-salt, Base64 for the other algorithms. The values
 * are joined in a fixed order without encoding.
 */
export const sign = (signed: Signed, algorithm: SigningAlgorithm): string => {
  const { app_secret } = signed;
  const content = `${app_secret}access_token${signed.access_token}app_key${signed.app_key}method${signed.path}param_json${signed.body}timestamp${signed.timestamp}v2.0${app_secret}`;
  if (algorithm === 'md5-salt') return saltedMd5(content);
  return createHmac(digests[algorithm], app_secret).update(content, 'utf8').digest('base64');
};

/** Calculates the `sign` for refreshing a token at JDL's login host. */
export const signRefresh = (signed: {
  app_key: string;
  app_secret: string;
  refresh_token: string;
  timestamp: string;
}): string =>
  saltedMd5(
    `${signed.app_secret}app_key${signed.app_key}refresh_token${signed.refresh_token}timestamp${signed.timestamp}${signed.app_secret}`,
  );
