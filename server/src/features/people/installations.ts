import type { App } from '#app.ts';

/** The path of the endpoint at which an installation is asked (login-elsewhere.ts). */
export const loginPath = '/api/installations/login';

/** Milliseconds after which an installation that does not answer counts as away. */
const timeoutMs = 5_000;

interface Typed {
  username: string;
  password: string;
  /** The IP address of the person, for which the other installations count the attempt too. */
  address: string;
}

/** Whether name and password are right at an installation; `away` if it gives no usable answer. */
type Verdict = 'right' | 'wrong' | 'away';

const asks = async (url: string, key: string, typed: Typed): Promise<Verdict> => {
  try {
    const answer = await fetch(`${url}${loginPath}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...typed, key }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // The installation refuses further attempts at this account, or from this IP address.
    if (answer.status === 429) return 'wrong';
    if (!answer.ok) return 'away';
    return (await answer.text()) === '{"here":true}' ? 'right' : 'wrong';
  } catch {
    return 'away';
  }
};

/** The result of asking all other installations. `url`: where the login is right, otherwise null. */
interface Found {
  url: string | null;
  /** True if an installation could not be asked, so the account may be there. */
  away: boolean;
}

/**
 * Finds the installation at which this name and password are right (docs/scale.md, "Cells").
 * Nobody learns where an account is without its password: all installations are asked after every
 * failed login, and the slowest answer is awaited.
 */
export const installationOf = async ({ config, log }: App, typed: Typed): Promise<Found> => {
  if (config.installations === null) return { url: null, away: false };
  const { urls, key } = config.installations;
  const verdicts = await Promise.all(urls.map((url) => asks(url, key, typed)));
  const having = (wanted: Verdict): string[] => urls.filter((_, at) => verdicts[at] === wanted);
  const away = having('away');
  if (away.length > 0)
    log.warn({ installations: away }, 'a login could not be asked for at other installations');
  return { url: having('right')[0] ?? null, away: away.length > 0 };
};
