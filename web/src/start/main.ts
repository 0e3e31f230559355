import './secure-document.ts';
import './base.css';
import { hasPreloadStarted } from '#base/preload.ts';
import { loginHref } from '#base/guard.ts';
import { formatOf } from '#base/formats.ts';
import { hrefOfHash, pathOf, searchOf } from '#base/href.ts';
import { invitationPath } from '@waystation/contract/people/invitation.ts';
import { resetPath } from '@waystation/contract/people/password-reset.ts';
import { loginPath, screenAt } from '@waystation/contract/shell/screens.ts';
import { prefetchPage } from './page-loaders.ts';
import { currentLocale } from '#base/language.ts';
import { followTheme } from '#base/theme.ts';
import { showStartFailed } from './start-failed.ts';
import { readToken } from '#base/token.ts';

const fetchConsole = () => import('./console.tsx');

const linkPaths = { [invitationPath]: 'invitation', [resetPath]: 'reset' } as const;

/**
 * The kind of link that the page was opened with. Undefined if it is not a link for setting a
 * password.
 */
const linkKind = (): 'invitation' | 'reset' | undefined =>
  (linkPaths as Partial<Record<string, 'invitation' | 'reset'>>)[
    pathOf(hrefOfHash(window.location.hash))
  ];

/**
 * Opens the page for a link with which a user sets a password. It opens even if this browser is
 * logged in.
 */
const startFromLink = async (kind: 'invitation' | 'reset', href: string): Promise<void> => {
  const { startInvitation } = await import('#login/start-invitation.ts');
  startInvitation(kind, searchOf(href)['token'] ?? '', async (username) => {
    window.history.replaceState(null, '', `#${loginPath}`);
    // A logged-in user continues to the console.
    if (readToken() !== null) return window.location.reload();
    (await import('#login/start.ts')).startLogin(fetchConsole, username);
  });
};

// A link that carries a token, opened in a window that already shows the console or the login,
// reloads the window.
window.addEventListener('hashchange', (event) => {
  if (linkKind() === undefined) return;
  event.stopImmediatePropagation();
  window.location.reload();
});

/**
 * The same URL starts one of two programs: the small login if there is no token, or else the
 * console.
 */
const start = async (): Promise<void> => {
  if (import.meta.env.VITE_DEBUG_MOCKS === '1') (await import('#mocks/install.ts')).installMocks();
  followTheme();
  const href = hrefOfHash(window.location.hash);
  const kind = linkKind();
  if (kind) return startFromLink(kind, href);
  if (readToken() !== null) {
    // A built index.html has already sent the first requests. With the development server, or in a
    // build with mocks, they are sent here.
    if (!hasPreloadStarted()) await import('./preload-entry.ts');
    const consoleFile = fetchConsole();
    const screen = screenAt(pathOf(href));
    if (screen) prefetchPage(screen);
    // A browser needs 20 ms to create the first number format, and 3 ms to create the first date
    // format. They are created here, while the files are still loading, so that they delay nothing.
    const format = formatOf(currentLocale());
    format.number(0);
    format.time(new Date().toISOString());
    return (await consoleFile).startConsole();
  }
  if (pathOf(href) !== loginPath) window.history.replaceState(null, '', `#${loginHref(href)}`);
  return (await import('#login/start.ts')).startLogin(fetchConsole);
};

void start().catch(showStartFailed);
