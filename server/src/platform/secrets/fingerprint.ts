import { secretsFrom } from './secrets.ts';

/** Names the secret key in a backup without revealing it. */
export const fingerprintOf = (secretKey: Buffer): string =>
  secretsFrom(secretKey).derive('fingerprint of the key').slice(0, 16);
