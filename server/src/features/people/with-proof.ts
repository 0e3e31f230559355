import type { App } from '#app.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { clearAttempt } from '#platform/auth/login-throttle.ts';
import { callerOf } from '#platform/db/db.ts';
import type { UserWork } from '#platform/db/db.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { attemptOf, proveCodeIfOn, provePassword, requireStillProved } from './proof.ts';

interface Proved {
  password: string;
  otp: string;
}

/**
 * Runs a change that requires the actor's password, and a code if two-factor authentication is on.
 * A stolen session therefore does not suffice. `allow` fails if there is any other problem. It runs
 * before the password is checked, so that another mistake is not counted as a wrong password. It
 * runs again in the transaction of `run`.
 */
export const withProof = async <A, T>(
  { app, actor, request }: { app: App; actor: Actor; request: RequestContext },
  { password, otp }: Proved,
  allow: (work: UserWork) => Promise<A>,
  run: (work: UserWork, allowed: A) => Promise<T>,
): Promise<T> => {
  const caller = callerOf(actor, request);
  const now = app.clock.now();
  await app.db.tx(caller, allow);
  const attempt = attemptOf(actor, request, now);
  const stored = await provePassword(app, actor, attempt, { field: 'password', password });
  return app.db.tx(caller, async (work) => {
    await work.asSystem('the account that gave its password', (system) =>
      requireStillProved(system, actor, stored),
    );
    const allowed = await allow(work);
    await work.asSystem('the code of the account', async (system) => {
      await proveCodeIfOn(system, app, { account_id: actor.account_id, otp, now });
      await clearAttempt(system, attempt);
    });
    return run(work, allowed);
  });
};
