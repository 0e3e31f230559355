import { create } from 'zustand';
import { personal } from '@waystation/contract/people/session.ts';
import { call, listenToCalls } from '#base/call.ts';
import { isLoggingOut } from '#base/logout-reason.ts';
import { endSession, useSession } from './session.ts';
import { aboutStore, loadAbout } from '#base/server-facts.ts';
import { lastActive, watchPresence } from '#base/presence.ts';
import { local } from '#base/storage.ts';
import { readToken, tokenKey } from '#base/token.ts';

/**
 * The time at which the session ends if the user does nothing, in milliseconds since 1970. Null if
 * the session does not end soon.
 */
export const useExpiry = create<{ endsAt: number | null }>(() => ({ endsAt: null }));

const answeredKey = 'waystation-answered';
/** The warning appears this number of milliseconds before the end of the session. */
const notice = 120_000;
const checkEvery = 10_000;

interface Times {
  now: number;
  /** The time of the last response to a request of the user, in any window. */
  answered: number;
  /** The time of the last key press, click or mouse move in this window. */
  active: number;
  idleMs: number;
}

/**
 * Decides the next step before a session expires. If the user is typing, a request extends the
 * session; if the user is absent, a warning is shown.
 */
export const expiryStep = ({
  now,
  answered,
  active,
  idleMs,
}: Times): { kind: 'wait' } | { kind: 'keep' } | { kind: 'warn'; endsAt: number } => {
  const left = answered + idleMs - now;
  // Typing also counts as use of the session, even if it causes no request, for example in a long
  // form.
  if (active > answered && left < idleMs / 2 && now - active < idleMs / 4) return { kind: 'keep' };
  return left <= Math.min(notice, idleMs / 2)
    ? { kind: 'warn', endsAt: answered + idleMs }
    : { kind: 'wait' };
};

/** Sends a request to the server, which extends the session. */
export const stayLoggedIn = async (): Promise<void> => {
  await call(personal, {}, { background: false }).then(
    () => useExpiry.setState({ endsAt: null }),
    () => null,
  );
};

/**
 * Checks in this browser window when the session ends. Other windows report when the user was
 * active there.
 */
export const watchSession = (): void => {
  let noted = 0;
  const token = readToken();
  listenToCalls({
    onUnauthorised: () => endSession('expired'),
    onDuty: (flag) => useSession.setState(({ user }) => ({ user: user && { ...user, [flag]: 1 } })),
    onAnswered: () => {
      if (Date.now() - noted < 1000) return;
      noted = Date.now();
      local.write(answeredKey, String(noted));
    },
  });
  watchPresence();
  window.addEventListener('storage', (event) => {
    // If another browser window has logged out or logged in as another user, this window ends its
    // session too.
    if (event.key === tokenKey && readToken() !== token && !isLoggingOut()) endElsewhere();
  });
  setInterval(() => {
    const idleMs = (aboutStore.getState().about?.session.idle_minutes ?? 0) * 60_000;
    if (idleMs === 0 || !useSession.getState().user) return;
    const step = expiryStep({
      now: Date.now(),
      answered: Number(local.read(answeredKey) ?? noted),
      active: lastActive(),
      idleMs,
    });
    if (step.kind === 'keep') void stayLoggedIn();
    useExpiry.setState({ endsAt: step.kind === 'warn' ? step.endsAt : null });
    // When the time is over, one request checks the session without extending it. The session is
    // still valid if another window was used; otherwise the server answers 401.
    if (step.kind === 'warn' && step.endsAt <= Date.now())
      void call(personal, {}, { background: true }).catch(() => null);
  }, checkEvery);
  void loadAbout();
};

const endElsewhere = (): void => {
  if (readToken() === null) endSession('other-tab');
  else window.location.reload();
};
