import { create } from 'zustand';
import { logout, personal } from '@waystation/contract/session.ts';
import type { CurrentUser } from '@waystation/contract/session.ts';
import type { Role } from '@waystation/contract/roles.ts';
import { isOutage } from '#base/api-error.ts';
import { call } from '#base/call.ts';
import { isLoggingOut, saveLogoutReason } from '#base/logout-reason.ts';
import type { LogoutReason } from '#base/logout-reason.ts';
import { loginPath } from '@waystation/contract/screens.ts';
import { clearTabs } from '#shell/tabs/tab-store.ts';
import { setStorageKey } from '#base/sealed.ts';
import { dropToken, readToken } from '#base/token.ts';

interface Session {
  user: CurrentUser | null;
  /** Set while the server does not answer and the user info is asked for again. */
  waiting: boolean;
}

export const useSession = create<Session>(() => ({ user: null, waiting: false }));

/** The logged-in user; only below the layout, where there always is one. */
export const useUser = (): CurrentUser => {
  const user = useSession((state) => state.user);
  if (!user) throw new Error('no user is loaded');
  return user;
};

/** Requirements §5: the roles must be an array ('need roles'); a non-empty list shows to those named, an empty one to everybody. */
export const permitted = (roles: unknown, role: Role): boolean => {
  if (!Array.isArray(roles)) throw new Error('need roles');
  return roles.length === 0 || roles.includes(role);
};

export const usePermitted = (roles: readonly Role[]): boolean => permitted(roles, useUser().role);

type Cleaner = () => void;
const cleaners = new Set<Cleaner>();
/** What must be cleared at the end of a session beside token and user: route listener, server menu. */
export const onSessionEnd = (cleaner: Cleaner): void => void cleaners.add(cleaner);

/**
 * Requirements §4: clears token, user info, route listener and server menu, then reloads the page, which shows the login.
 * Runs once even if ten requests fail together. Drafts stay, for the same user.
 */
export const endSession = (why: LogoutReason): void => {
  if (isLoggingOut()) return;
  saveLogoutReason(why);
  dropToken();
  clearTabs();
  useSession.setState({ user: null, waiting: false });
  for (const clean of cleaners) clean();
  // Someone who logs out is done here: the next one starts at the landing page. A session that died is picked up where it stood.
  if (why === 'logout') window.history.replaceState(null, '', `#${loginPath}`);
  window.location.reload();
};

/** The user's own wish: the server ends the session first, but a dead network keeps nobody in. */
export const logOut = async (): Promise<void> => {
  await call(logout, {}, { timeout: 3000 }).catch(() => null);
  endSession('logout');
};

const patience = 30_000;
const pause = 1500;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Fetches the current user. An outage is waited out for 30 s with a banner; whatever else fails counts at once:
 * logout and the way to login (requirements §4).
 */
export const loadUser = async (now: () => number = Date.now): Promise<CurrentUser | null> => {
  const until = now() + patience;
  for (;;) {
    try {
      const user = await call(personal, {}, { timeout: patience });
      setStorageKey(user.id, user.storage_key);
      useSession.setState({ user, waiting: false });
      return user;
    } catch (error) {
      if (!isOutage(error) || now() >= until || readToken() === null) {
        endSession('failed');
        return null;
      }
      useSession.setState({ waiting: true });
      await wait(pause);
    }
  }
};
