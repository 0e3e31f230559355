import { secretsFrom } from './secrets.ts';

/** Returns a short hash that identifies the secret key in a backup without revealing the key. */
export const fingerprintOf = (secretKey: Buffer): string =>
  secretsFrom(secretKey).derive('fingerprint of the key').slice(0, 16);
