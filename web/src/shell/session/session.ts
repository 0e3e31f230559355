import { create } from 'zustand';
import { logout, personal } from '@waystation/contract/people/session.ts';
import type { CurrentUser } from '@waystation/contract/people/session.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import { isOutage } from '#base/api-error.ts';
import { call, stopCalls } from '#base/call.ts';
import { isLoggingOut, saveLogoutReason } from '#base/logout-reason.ts';
import type { LogoutReason } from '#base/logout-reason.ts';
import { loginPath } from '@waystation/contract/shell/screens.ts';
import { clearTabs } from '#shell/tabs/tab-store.ts';
import { setStorageKey } from '#base/sealed.ts';
import { dropToken, readToken } from '#base/token.ts';

interface Session {
  user: CurrentUser | null;
  /** True while the server does not answer and the user info is requested again. */
  waiting: boolean;
}

export const useSession = create<Session>(() => ({ user: null, waiting: false }));

/**
 * The logged-in user. Only components below the layout may call it, because a user is always logged
 * in there.
 */
export const useUser = (): CurrentUser => {
  const user = useSession((state) => state.user);
  if (!user) throw new Error('no user is loaded');
  return user;
};

/**
 * True if the role may see a screen with these roles (requirements §5). An empty list permits every
 * role. A value that is not an array throws 'need roles'.
 */
export const permitted = (roles: unknown, role: Role): boolean => {
  if (!Array.isArray(roles)) throw new Error('need roles');
  return roles.length === 0 || roles.includes(role);
};

export const usePermitted = (roles: readonly Role[]): boolean => permitted(roles, useUser().role);

type Cleaner = () => void;
const cleaners = new Set<Cleaner>();
/**
 * Registers a function that is called at the end of a session, after the token and the user were
 * cleared. The route listener and the server menu use this.
 */
export const onSessionEnd = (cleaner: Cleaner): void => void cleaners.add(cleaner);

/**
 * Ends the session (requirements §4). It clears the token, user info, route listener and server
 * menu, and reloads the page, which then shows the login. It runs only once, even if ten requests
 * fail together. Drafts of the user are kept.
 */
export const endSession = (why: LogoutReason): void => {
  if (isLoggingOut()) return;
  saveLogoutReason(why);
  dropToken();
  clearTabs();
  useSession.setState({ user: null, waiting: false });
  for (const clean of cleaners) clean();
  // After a logout the next user starts at the landing page. After an expired session the URL is
  // kept, so that the user can continue there.
  if (why === 'logout') window.history.replaceState(null, '', `#${loginPath}`);
  window.location.reload();
};

/**
 * Logs the user out. The server ends the session first. If the network fails, the user is still
 * logged out in the browser.
 */
export const logOut = async (): Promise<void> => {
  stopCalls();
  await call(logout, {}, { timeout: 3000, afterStop: true }).catch(() => null);
  endSession('logout');
};

const timeoutMs = 30_000;
const pause = 1500;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Loads the current user. During an outage it shows a banner and repeats the request for 30 s. Any
 * other failure logs the user out and opens the login page (requirements §4).
 */
export const loadUser = async (now: () => number = Date.now): Promise<CurrentUser | null> => {
  const until = now() + timeoutMs;
  for (;;) {
    try {
      const user = await call(personal, {}, { timeout: timeoutMs });
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
