import type { AccountSession } from '@waystation/contract/people/account.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { passwordProblem } from '@waystation/contract/people/password.ts';
import type * as calls from '@waystation/contract/people/profile.ts';
import type { CurrentUser } from '@waystation/contract/people/session.ts';
import type { App } from '#app.ts';
import { changesBetween, recordAudit } from '#platform/audit.ts';
import { auditedChange } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { forgetBrowsers } from '#platform/auth/known-browsers.ts';
import { clearAttempt } from '#platform/auth/login-throttle.ts';
import { hashPassword, verifyPassword } from '#platform/auth/password.ts';
import { endSessions, sessionsOf } from '#platform/auth/sessions.ts';
import { lacksSecondFactor } from '#platform/auth/two-factor-duty.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { systemScope } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import { attemptOf, provePassword } from './proof.ts';

/**
 * The scope for a user's own account. Every query contains the account's id, regardless of the
 * stations of the role.
 */
const own = systemScope('own account');

type PersonalRow = Omit<CurrentUser, 'registered_at' | 'storage_key'> & { registered_at: Date };

const currentUser = async (
  { secrets }: App,
  work: Work,
  account_id: number,
): Promise<CurrentUser> => {
  const { rows } = await sql<PersonalRow>`
    select a.id, a.username, a.nickname, a.phone, a.identity, a.program_id, a.station_id,
      a.registered_at, a.avatar, a.location, a.role, a.must_change, a.may_export,
      (${lacksSecondFactor})::int as needs_second_factor, s.name as station_name
    from accounts a left join stations s on s.id = a.station_id
      where a.id = ${account_id}`.execute(work.tx);
  const row = rows[0] ?? fail('not_logged_in');
  return {
    ...row,
    registered_at: row.registered_at.toISOString(),
    storage_key: secrets.derive(`browser storage of account ${account_id}`),
  };
};

export const details = (app: App, actor: Actor): Promise<CurrentUser> =>
  app.db.tx(own, (work) => currentUser(app, work, actor.account_id));

/** The audit log records whether there is a picture, but not the picture. */
const pictured = <Row extends { avatar: string }>(row: Row): Row => ({
  ...row,
  avatar: row.avatar && `picture of ${row.avatar.length}`,
});

/**
 * The columns that users may change on their own account. The audit entry belongs to their station.
 */
const audited: AuditedTable<'accounts'> = {
  table: 'accounts',
  audited: (before, after) =>
    changesBetween(before && pictured(before), pictured(after), [
      'nickname',
      'phone',
      'location',
      'avatar',
    ]),
  stationOf: (_account, { station_id }) => station_id,
};

export const edit = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.editPersonal>,
  request: RequestContext,
): Promise<CurrentUser> =>
  app.db.tx(own, async (work) => {
    await auditedChange(work.by(actor, request), audited, {
      id: actor.account_id,
      action: 'edit',
      columns: () => input,
    });
    return currentUser(app, work, actor.account_id);
  });

export const changePassword = async (
  app: App,
  actor: Actor,
  { current, password }: ParsedOf<typeof calls.changePassword>,
  request: RequestContext,
): Promise<CurrentUser> => {
  const { station_name } = await app.db.tx(own, (work) => currentUser(app, work, actor.account_id));
  const problem = passwordProblem(password, actor.username, station_name ?? '');
  if (problem) failFields({ password: problem });
  const now = app.clock.now();
  const attempt = attemptOf(actor, request, now);
  const stored = await provePassword(app, actor, attempt, { field: 'current', password: current });
  await app.db.tx(own, (work) => clearAttempt(work, attempt));
  if (await verifyPassword(password, stored))
    failFields({ password: { code: 'password_current' } });
  const password_hash = await hashPassword(password);
  return app.db.tx(own, async (work) => {
    await auditedChange(work.by(actor, request), audited, {
      id: actor.account_id,
      action: 'change_password',
      check: (before) => {
        if (before.password_hash !== stored) failFields({ current: { code: 'password_wrong' } });
      },
      columns: () => ({ password_hash, password_changed_at: now, must_change: 0 as const }),
      also: async () => {
        await endSessions(work, actor.account_id, actor.session_id);
        await forgetBrowsers(work, actor.account_id, request.browser);
        return {
          password: [null, null],
          ...(actor.must_change === 1 && { must_change: [1, 0] as const }),
        };
      },
    });
    return currentUser(app, work, actor.account_id);
  });
};

export const sessions = (app: App, actor: Actor): Promise<{ items: AccountSession[] }> =>
  app.db.tx(own, async (work) => ({
    items: await sessionsOf(work, actor.account_id, actor.session_id, {
      now: app.clock.now(),
      limits: app.config.session,
    }),
  }));

export const revoke = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.revokeSession>,
  request: RequestContext,
): Promise<Record<string, never>> =>
  app.db.tx(own, async (work) => {
    const { rows } = await sql<
      RowOf<'sessions', 'address'>
    >`delete from sessions where id = ${id} and account_id = ${actor.account_id}
      returning address`.execute(work.tx);
    const ended = rows[0] ?? fail('not_found');
    await recordAudit(work.by(actor, request), {
      action: 'revoke_session',
      subject: 'accounts',
      subject_id: actor.account_id,
      station_id: actor.station_id,
      changes: { session: [ended.address, null] },
    });
    return {};
  });
