import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The parts of a request that are signed, in addition to the secret. `body` is exactly the bytes
 * that are sent.
 */
export type Signed = {
  accessToken: string;
  appKey: string;
  path: string;
  body: Buffer | string;
  timestamp: string;
  version: string;
};

const hmacs: Record<string, string> = {
  HMacMD5: 'md5',
  HMacSHA1: 'sha1',
  HMacSHA256: 'sha256',
  HMacSHA512: 'sha512',
};

/**
 * The signature algorithms that the gateway supports. `md5-salt` is used if a request gives no
 * algorithm.
 */
export const algorithms: readonly string[] = ['md5-salt', ...Object.keys(hmacs)];

const parts = (secret: string, signed: Signed): [string, Buffer | string, string] => [
  `${secret}access_token${signed.accessToken}app_key${signed.appKey}method${signed.path}param_json`,
  signed.body,
  `timestamp${signed.timestamp}v${signed.version}${secret}`,
];

/**
 * The signature of a request: lower-case hex for md5-salt, Base64 for the keyed algorithms; null
 * for an unknown algorithm.
 */
export const signatureOf = (algorithm: string, secret: string, signed: Signed): string | null => {
  const texts = parts(secret, signed);
  if (algorithm === 'md5-salt') {
    const hash = createHash('md5');
    for (const text of texts) hash.update(text);
    return hash.digest('hex');
  }
  const digest = hmacs[algorithm];
  if (digest === undefined) return null;
  const keyed = createHmac(digest, secret);
  for (const text of texts) keyed.update(text);
  return keyed.digest('base64');
};

/**
 * Compares a signature with the right one, in constant time. Only in Base64, upper and lower case
 * count as different.
 */
export const isSignatureRight = (
  algorithm: string,
  secret: string,
  signed: Signed,
  signature: string,
): boolean => {
  const right = signatureOf(algorithm, secret, signed);
  if (right === null) return false;
  const candidate = algorithm === 'md5-salt' ? signature.toLowerCase() : signature;
  const a = Buffer.from(right);
  const b = Buffer.from(candidate);
  return a.length === b.length && timingSafeEqual(a, b);
};

/** The signature of a token refresh: lower-case hex MD5. */
export const refreshSignature = (
  secret: string,
  appKey: string,
  refreshToken: string,
  timestamp: string,
): string =>
  createHash('md5')
    .update(`${secret}app_key${appKey}refresh_token${refreshToken}timestamp${timestamp}${secret}`)
    .digest('hex');
