import type { Secrets } from '#platform/secrets/secrets.ts';
import type { Position } from './store.ts';

const purpose = 'live events cursor';

/**
 * Encrypts a position for clients, which store it. It is encrypted because transaction numbers
 * would show how busy other users are.
 */
export const cursorOf = (secrets: Secrets, { epoch, snapshot }: Position): string =>
  secrets.seal(`${epoch} ${snapshot}`, purpose).toString('base64url');

/** Decrypts a cursor; null if this network did not encrypt it. */
export const positionOf = (secrets: Secrets, cursor: string): Position | null => {
  try {
    const [epoch = '', snapshot = ''] = secrets
      .open(Buffer.from(cursor, 'base64url'), purpose)
      .split(' ');
    return { epoch, snapshot };
  } catch {
    return null;
  }
};
