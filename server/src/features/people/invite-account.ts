import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Account, IssuedInvitation } from '@waystation/contract/people/account.ts';
import type * as calls from '@waystation/contract/people/account.ts';
import type { App } from '#app.ts';
import { auditedChange } from '#platform/audited-change.ts';
import { createToken } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { issueInvitation } from '#platform/auth/invitations.ts';
import type { IssuedInvitation as Issued } from '#platform/auth/invitations.ts';
import { forgetBrowsers } from '#platform/auth/known-browsers.ts';
import { hashPassword } from '#platform/auth/password.ts';
import { endSessions } from '#platform/auth/sessions.ts';
import { callerOf } from '#platform/db/db.ts';
import { fail } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { audited, managed, recordActorSetup, shownOne } from './account-rows.ts';
import { answerInvitation, invitationChanges, requireMail } from './invitation-mail.ts';
import { endKeysOf } from './key-ends.ts';

/**
 * Issues a link with which a person sets the account's password. It ends the old password, as a
 * reset does, and any older link.
 */
export const invite = async (
  app: App,
  actor: Actor,
  { id, mail }: ParsedOf<typeof calls.inviteAccount>,
  request: RequestContext,
): Promise<{ account: Account; invitation: IssuedInvitation }> => {
  requireMail(app, mail);
  await app.db.tx(callerOf(actor, request), (work) => shownOne(app, work, id));
  // This is the hash of a random text: nobody knows a password until the person sets one. Checking
  // a wrong password takes as long as for any account.
  const password_hash = await hashPassword(createToken());
  const now = app.clock.now();
  const { account, issued } = await app.db.tx(callerOf(actor, request), async (work) => {
    let made: Issued | undefined;
    await auditedChange(work, audited, {
      id,
      action: 'invite',
      within: managed(actor),
      check: ({ status }) => {
        if (status === 0) fail('invitation_of_disabled');
      },
      columns: () => ({ password_hash, password_changed_at: now, must_change: 1 as const }),
      also: async () => {
        await endSessions(work, id);
        await endKeysOf(work, id, { now, made: true });
        await forgetBrowsers(work, id);
        made = await issueInvitation(work, {
          account_id: id,
          by: actor.account_id,
          now,
          isMailed: mail !== undefined,
        });
        return { password: [null, null], ...invitationChanges(made) };
      },
    });
    await recordActorSetup(app, work, id, ['password']);
    return { account: await shownOne(app, work, id), issued: made ?? fail('not_found') };
  });
  return { account, invitation: await answerInvitation(app, issued, mail) };
};
