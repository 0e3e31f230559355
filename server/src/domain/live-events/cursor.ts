import type { Secrets } from '#platform/secrets/secrets.ts';
import type { Position } from './store.ts';

const purpose = 'live events cursor';

/** A position as clients keep it: sealed, because transaction numbers say how busy others are. */
export const cursorOf = (secrets: Secrets, { epoch, snapshot }: Position): string => secrets.seal(`${epoch} ${snapshot}`, purpose).toString('base64url');

/** Null for what this network did not seal. */
export const positionOf = (secrets: Secrets, cursor: string): Position | null => {
  try {
    const [epoch = '', snapshot = ''] = secrets.open(Buffer.from(cursor, 'base64url'), purpose).split(' ');
    return { epoch, snapshot };
  } catch {
    return null;
  }
};
