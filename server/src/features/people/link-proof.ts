import type { App } from '#app.ts';
import { clearAttempt, countAttempt, throttledAddress } from '#platform/auth/login-throttle.ts';
import type { Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { Failure } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { countRefusal } from '#platform/refused-calls.ts';

const scope = systemScope('a link is opened');

interface Proof<L> {
  request: RequestContext;
  at: Date;
  /** The link with this token; null if there is none. */
  find: (work: Work) => Promise<L | null>;
  /** Throws if the link cannot be used. */
  check: (found: L | null) => L;
}

/**
 * Returns the account of a link that can be used. Every attempt counts like a login attempt, per
 * account and IP address, until the token is right. Refused attempts are summed for the audit log.
 */
export const proveLink = async <L extends { account_id: number; username: string }>(
  app: App,
  { request, at, find, check }: Proof<L>,
): Promise<L> => {
  const found = await app.db.tx(scope, find);
  // A wrong token counts only against its IP address, because usernames never contain a colon.
  const username = found?.username.toLowerCase() ?? `link:${throttledAddress(request.address)}`;
  const attempt = { username, address: request.address, at, known_as: null };
  try {
    await app.db.tx(scope, (work) => countAttempt(work, attempt));
    if (found) await app.db.tx(scope, (work) => clearAttempt(work, attempt));
    return check(await app.db.tx(scope, find));
  } catch (error) {
    if (error instanceof Failure)
      await countRefusal(app.db, request.log, {
        action: 'login_failed',
        address: request.address,
        account_id: found?.account_id ?? 0,
        key_id: 0,
        at,
        call: request.call,
      });
    throw error;
  }
};
