import type { Role } from '@waystation/contract/base/roles.ts';
import { hrefOf, pathOf, searchOf } from './href.ts';
import {
  landing,
  loginPath,
  mayOpen,
  redirectPath,
  screenAt,
  screenOf,
  screens,
  screenOrThrow,
} from '@waystation/contract/shell/screens.ts';
import type { Screen } from '@waystation/contract/shell/screens.ts';

/** The decision of the guard (requirements §4) about an in-app URL. */
export type Verdict =
  | { kind: 'login'; href: string }
  | { kind: 'load-user' }
  /** Opens another URL of the console. If `fresh` is true, its page is opened with empty state. */
  | { kind: 'go'; href: string; fresh: boolean }
  | { kind: 'screen'; screen: Screen }
  | { kind: 'not-found' };

/**
 * The URL of the login page. It contains the name and the query of the wanted screen, if the wanted
 * path is known.
 */
export const loginHref = (wanted: string): string => {
  const screen = screenAt(pathOf(redirected(wanted) ?? wanted));
  if (!screen) return loginPath;
  return hrefOf(loginPath, { ...searchOf(redirected(wanted) ?? wanted), redirect: screen.name });
};

/**
 * The URL to open after login: the screen and the query from the login URL, or the landing page. An
 * unknown screen name is ignored, so that a login never leads to another site.
 */
export const afterLogin = (href: string): string => {
  const { redirect, ...search } = searchOf(href);
  const screen = redirect === undefined ? null : screenOf(redirect);
  return screen ? hrefOf(screen.path, search) : screenOrThrow(landing).path;
};

/**
 * The target of the URL `/redirect/:path`; null for any other URL. The target may be
 * percent-encoded.
 */
export const redirected = (href: string): string | null => {
  if (!href.startsWith(redirectPath)) return null;
  const [path, query] = split(href.slice(redirectPath.length));
  const target = `/${decoded(path).replace(/^[/\\]+/, '')}`;
  return query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
};

const split = (text: string): [string, string] => {
  const at = text.indexOf('?');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The first screen in menu order that the role may open. */
export const firstAllowed = (role: Role): Screen | null =>
  screens.find((screen) => mayOpen(screen, role)) ?? null;

/**
 * Decides, as specified in requirements §4, which screen a URL shows. Without a token it is the
 * login page. With a token but without a role, the user is loaded first. A user who may not open
 * the screen gets the first screen that the role may open.
 */
export const judge = (
  href: string,
  session: { token: string | null; role: Role | null },
): Verdict => {
  const path = pathOf(href);
  if (session.token === null)
    return { kind: 'login', href: path === loginPath ? href : loginHref(href) };
  if (session.role === null) return { kind: 'load-user' };
  if (path === '/' || path === loginPath)
    return { kind: 'go', href: afterLogin(href), fresh: false };
  const target = redirected(href);
  // Only one redirect is followed. A redirect to another redirect opens no screen.
  if (target !== null)
    return target.startsWith(redirectPath)
      ? { kind: 'not-found' }
      : { kind: 'go', href: target, fresh: true };
  const screen = screenAt(path);
  if (!screen) return { kind: 'not-found' };
  if (mayOpen(screen, session.role)) return { kind: 'screen', screen };
  const allowed = firstAllowed(session.role);
  return allowed ? { kind: 'go', href: allowed.path, fresh: false } : { kind: 'not-found' };
};
