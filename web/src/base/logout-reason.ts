import { session } from './storage.ts';

/** The reason why a session ended. The login page shows it once. */
export type LogoutReason = 'expired' | 'failed' | 'logout' | 'other-tab';

const key = 'waystation-ending';
const reasons = [
  'expired',
  'failed',
  'logout',
  'other-tab',
] as const satisfies readonly LogoutReason[];

let loggingOut = false;
/** True if the session of this window has ended and the page will soon be loaded again. */
export const isLoggingOut = (): boolean => loggingOut;

/** Stores the reason for the login page and marks this window as logging out. */
export const saveLogoutReason = (reason: LogoutReason): void => {
  loggingOut = true;
  session.write(key, reason);
};

/** Returns the stored reason and removes it. */
export const takeLogoutReason = (): LogoutReason | null => {
  const saved = session.read(key);
  session.drop(key);
  return reasons.find((reason) => reason === saved) ?? null;
};
