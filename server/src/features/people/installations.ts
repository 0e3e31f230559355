import type { App } from '#app.ts';

/** The path of the endpoint at which an installation is asked (login-elsewhere.ts). */
export const loginPath = '/api/installations/login';

/** Milliseconds after which an installation that does not answer counts as "not there". */
const timeoutMs = 5_000;

interface Typed {
  username: string;
  password: string;
  /** The IP address of the person, for which the other installations count the attempt too. */
  address: string;
}

const asks = async (url: string, key: string, typed: Typed): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}${loginPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...typed, key }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return answer.ok && (await answer.text()) === '{"here":true}';
  } catch {
    return false;
  }
};

/**
 * Returns the URL of the installation at which this name and password are right; null if there is
 * none (docs/scale.md, "Cells"). Nobody learns where an account is without its password: all
 * installations are asked after every failed login, and the slowest answer is awaited.
 */
export const installationOf = async (
  { config, log }: App,
  typed: Typed,
): Promise<string | null> => {
  if (config.installations === null) return null;
  const { urls, key } = config.installations;
  const here = await Promise.all(urls.map((url) => asks(url, key, typed)));
  const at = urls.filter((_, index) => here[index]);
  if (at.length > 1) log.warn({ installations: at }, 'a login is right at several installations');
  return at[0] ?? null;
};
