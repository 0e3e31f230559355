import { session } from './storage.ts';

/** Why a session ended: the login page says it once. */
export type Ending = 'expired' | 'failed' | 'logout' | 'other-tab';

const key = 'waystation-ending';
const endings = ['expired', 'failed', 'logout', 'other-tab'] as const satisfies readonly Ending[];

export const noteEnding = (why: Ending): void => session.write(key, why);

export const takeEnding = (): Ending | null => {
  const noted = session.read(key);
  session.drop(key);
  return endings.find((ending) => ending === noted) ?? null;
};
