import { passwordProblem } from '@waystation/contract/people/password.ts';
import type { ErrorCode } from '@waystation/contract/base/errors.ts';
import type { App } from '#app.ts';
import { auditedChange } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import { readActor } from '#platform/auth/actor-of-account.ts';
import { removeInvitation } from '#platform/auth/invitations.ts';
import { forgetBrowsers } from '#platform/auth/known-browsers.ts';
import { hashPassword } from '#platform/auth/password.ts';
import { endSessions } from '#platform/auth/sessions.ts';
import type { Work } from '#platform/db/db.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { endKeysOf } from './key-ends.ts';
import { proveLink } from './link-proof.ts';

/** A link that identifies by its token the account whose password is set. */
interface Link {
  account_id: number;
  username: string;
  station_name: string | null;
  is_open: boolean;
}

interface LinkKind<L extends Link> {
  scope: Scope;
  find: (work: Work, token: string, at: Date) => Promise<L | null>;
  /** The error codes: `invalid` if no link has the token, `ended` if the link has ended. */
  invalid: ErrorCode;
  ended: ErrorCode;
  /** The action in the audit log. */
  action: string;
  /** The id of the mailbox that is not disabled. */
  keptChannel?: (link: L) => number;
  /** Further work in the transaction of the change. */
  also?: (work: Work, link: L, at: Date) => Promise<void>;
}

const audited: AuditedTable<'accounts'> = {
  table: 'accounts',
  audited: () => ({}),
  stationOf: ({ station_id }) => station_id,
};

/**
 * The two endpoints of one kind of link: `open` returns the link's account, and `accept` sets the
 * password.
 */
export const linkedPassword = <L extends Link>(kind: LinkKind<L>) => {
  const openOrThrow = (found: L | null): L => {
    const link = found ?? fail(kind.invalid);
    return link.is_open ? link : fail(kind.ended);
  };
  const proveToken = (app: App, token: string, request: RequestContext, at: Date): Promise<L> =>
    proveLink(app, {
      request,
      at,
      find: (work) => kind.find(work, token, at),
      check: openOrThrow,
    });
  return {
    /** Returns only the username of the link's account. */
    open: async (
      app: App,
      _actor: null,
      { token }: { token: string },
      request: RequestContext,
    ): Promise<{ username: string }> => {
      const { username } = await proveToken(app, token, request, app.clock.now());
      return { username };
    },
    /**
     * Sets the password once: the link is removed under the account's lock, so that only one of two
     * simultaneous calls succeeds. Ends everything that was opened with the old password. Opens no
     * session, and keeps two-factor authentication on.
     */
    accept: async (
      app: App,
      _actor: null,
      { token, password }: { token: string; password: string },
      request: RequestContext,
    ): Promise<{ username: string }> => {
      const link = await proveToken(app, token, request, app.clock.now());
      const { account_id: id, username, station_name } = link;
      const problem = passwordProblem(password, username, station_name ?? '');
      if (problem) failFields({ password: problem });
      const password_hash = await hashPassword(password);
      return app.db.tx(kind.scope, async (work) => {
        const now = app.clock.now();
        const actor = (await readActor(work, id)) ?? fail(kind.ended);
        const person = work.by(actor, request);
        await auditedChange(person, audited, {
          id,
          action: kind.action,
          check: async () => void openOrThrow(await kind.find(work, token, now)),
          columns: () => ({ password_hash, password_changed_at: now, must_change: 0 as const }),
          also: async (_after, { must_change }) => {
            const keptChannel = kind.keptChannel?.(link) ?? null;
            await endSessions(work, id);
            await endKeysOf(person, id, { now, made: true, keptChannel });
            await forgetBrowsers(work, id);
            await removeInvitation(work, id);
            await kind.also?.(work, link, now);
            return {
              password: [null, null],
              ...(must_change === 1 && { must_change: [1, 0] as const }),
            };
          },
        });
        return { username };
      });
    },
  };
};
