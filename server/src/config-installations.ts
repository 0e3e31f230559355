import type { Env } from './config-keys.ts';

/** The installations of the same company, at which an unknown login name may have its account. */
export interface OtherInstallations {
  /** The addresses of their consoles, without a slash at the end. */
  urls: string[];
  /** The key that all installations share, in lower case. Each call between them contains it. */
  key: string;
}

/** The maximum number of other installations, because a failed login asks each of them. */
export const mostInstallations = 16;

/** Passwords are sent to these addresses, so only an address of this machine may be without TLS. */
const isSafe = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.search + url.hash + url.username + url.password !== '') return false;
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal);
};

/**
 * Reads WAYSTATION_INSTALLATIONS and WAYSTATION_INSTALLATIONS_KEY; null if neither is set. Adds a
 * problem for each invalid address, and if only one of the two variables is set.
 */
export const readInstallations = (env: Env, problems: string[]): OtherInstallations | null => {
  const key = env['WAYSTATION_INSTALLATIONS_KEY'] ?? '';
  const urls = (env['WAYSTATION_INSTALLATIONS'] ?? '')
    .split(',')
    .map((text) => text.trim().replace(/\/+$/, ''))
    .filter(Boolean);
  if (urls.length === 0 && key === '') return null;
  if (urls.length === 0 || key === '')
    problems.push(
      'WAYSTATION_INSTALLATIONS and WAYSTATION_INSTALLATIONS_KEY must be set together.',
    );
  if (urls.length > mostInstallations)
    problems.push(
      `WAYSTATION_INSTALLATIONS must hold at most ${mostInstallations} addresses, not ${urls.length}.`,
    );
  for (const url of urls)
    if (!isSafe(url))
      problems.push(
        `WAYSTATION_INSTALLATIONS holds "${url}", which is not an https address such as https://north.example.com.`,
      );
  return { urls, key: key.toLowerCase() };
};
