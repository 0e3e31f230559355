import './secure-document.ts';
import './base.css';
import { beginEarly, hasBegun } from '#base/preload.ts';
import { loginHref } from '#base/guard.ts';
import { hrefOfHash, pathOf } from '#base/href.ts';
import { loginPath, prefetch, screenAt } from '#base/screens.ts';
import { followTheme } from '#base/theme.ts';
import { showStartFailed } from './start-failed.ts';
import { readToken } from '#base/token.ts';

/** Two entries behind one address: without a token the light login, with one the console. */
const start = async (): Promise<void> => {
  if (import.meta.env.VITE_DEBUG_MOCKS === '1') (await import('#mocks/install.ts')).installMocks();
  followTheme();
  const href = hrefOfHash(window.location.hash);
  if (readToken() !== null) {
    // Page and data are fetched beside the console, not after it.
    if (!hasBegun()) beginEarly(href);
    const screen = screenAt(pathOf(href));
    if (screen) prefetch(screen);
    return (await import('./console.tsx')).startConsole();
  }
  if (pathOf(href) !== loginPath) window.history.replaceState(null, '', `#${loginHref(href)}`);
  return (await import('#login/start.ts')).startLogin();
};

void start().catch(showStartFailed);
