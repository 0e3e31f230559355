import { needsStation, rolesBelow } from '@waystation/contract/people/account.ts';
import type {
  Account,
  AccountSession,
  IssuedInvitation,
} from '@waystation/contract/people/account.ts';
import type * as calls from '@waystation/contract/people/account.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { passwordProblem } from '@waystation/contract/people/password.ts';
import type { Role } from '@waystation/contract/base/roles.ts';
import type { App } from '#app.ts';
import { requireRoomToMake } from '#domain/made-under/made-under.ts';
import { recordAudit } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import { auditedChange, auditedInsert } from '#platform/audited-change.ts';
import { createToken } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { newStatusColumns, statusColumns } from '#platform/auth/disabled-by.ts';
import { issueInvitation, removeInvitation } from '#platform/auth/invitations.ts';
import type { IssuedInvitation as Issued } from '#platform/auth/invitations.ts';
import { equal, filterConditions } from '#platform/db/conditions.ts';
import type { Listed } from '#platform/db/paging.ts';
import { forgetBrowsers } from '#platform/auth/known-browsers.ts';
import { hashPassword, makePassword } from '#platform/auth/password.ts';
import { removeTwoFactor } from '#platform/auth/two-factor.ts';
import { endSessions, sessionsOf } from '#platform/auth/sessions.ts';
import { callerOf } from '#platform/db/db.ts';
import type { ReaderWork, UserWork } from '#platform/db/db.ts';
import { listRows, lockRow } from '#platform/db/rows.ts';
import type { Stored } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import type { RequestContext } from '#platform/http/context.ts';
import {
  audited,
  managed,
  recordActorSetup,
  setupsOf,
  shown,
  shownOne,
  textCondition,
} from './account-rows.ts';
import { answerInvitation, checkInvitation, invitationChanges } from './invitation-mail.ts';
import { endInvitationsOf, endKeysOf } from './key-ends.ts';

type Row = Stored<'accounts'>;
interface WithPassword {
  account: Account;
  password: string | null;
}

interface Created extends WithPassword {
  invitation: IssuedInvitation | null;
}

const lockOne = (work: ReaderWork, id: number): Promise<Row> =>
  lockRow(work, 'accounts', id, managed(work.actor));

/** Adds an audit entry for an action on an account that does not change its row. */
const audit = (
  work: UserWork,
  action: string,
  { id, station_id }: Row,
  changes: Changes = {},
): Promise<void> =>
  recordAudit(work, {
    action,
    subject: 'accounts',
    subject_id: id,
    station_id,
    changes,
  });

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listAccounts>,
): Promise<Listed<Account>> =>
  app.db.tx(callerOf(actor), (work) =>
    listRows(work, shown(app), {
      conditions: [
        ...managed(actor),
        ...filterConditions(filters, {
          q: textCondition,
          role: equal,
          station_id: equal,
          status: equal,
          second_factor: equal,
        }),
      ],
      paging: filters,
      sortable: [
        'username',
        'nickname',
        'role',
        'status',
        'sessions',
        'registered_at',
        'created_at',
        'updated_at',
      ],
    }),
  );

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getAccount>,
): Promise<Account> => app.db.tx(callerOf(actor), (work) => shownOne(app, work, id));

/**
 * Fails with `not_found` if the station is outside the scope. Fails at the field if the actor may
 * not assign the role, or if the role does not fit the station.
 */
const checkPlace = async (
  work: ReaderWork,
  role: Role,
  station_id: number | null,
): Promise<void> => {
  const wrong: Record<string, Reason> = {};
  if (!rolesBelow(work.actor.role).includes(role)) wrong['role'] = { code: 'role_not_yours' };
  if (needsStation(role) && station_id === null) wrong['station_id'] = { code: 'required' };
  if (!needsStation(role) && station_id !== null)
    wrong['station_id'] = { code: 'station_not_taken' };
  if (needsStation(role) && station_id !== null) {
    const rows = await work.tx
      .selectFrom('stations')
      .select('id')
      .where('id', '=', station_id)
      .where(scopeCondition(work, 'id'))
      .execute();
    if (rows.length === 0) fail('not_found');
  }
  if (Object.keys(wrong).length > 0) failFields(wrong);
};

/** Refuses to grant a right that the actor does not have. */
const checkRights = (actor: Actor, may_export: 0 | 1 | undefined): void => {
  if (may_export === 1 && actor.may_export === 0)
    failFields({ may_export: { code: 'export_not_yours' } });
};

const stationName = async (work: ReaderWork, station_id: number | null): Promise<string | null> => {
  const row = await work.tx
    .selectFrom('stations')
    .select('name')
    .where('id', '=', station_id)
    .where(scopeCondition(work, 'id'))
    .executeTakeFirst();
  return row?.name ?? null;
};

/**
 * Returns the given password if it follows the rules. If none is given, a password is generated.
 */
const chosen = (entered: string | undefined, username: string, station: string | null): string => {
  if (entered === undefined) return makePassword();
  const problem = passwordProblem(entered, username, station ?? '');
  return problem ? failFields({ password: problem }) : entered;
};

export const create = async (
  app: App,
  actor: Actor,
  { password: wanted, invite = 0, mail, ...input }: ParsedOf<typeof calls.createAccount>,
  request: RequestContext,
): Promise<Created> => {
  const isInvited = invite === 1;
  checkInvitation(app, { isInvited, mail, wanted, status: input.status });
  // The account belongs to the actor's station if no station is given.
  const station_id =
    input.station_id === undefined && needsStation(input.role)
      ? actor.station_id
      : (input.station_id ?? null);
  checkRights(actor, input.may_export);
  const may_export = input.may_export ?? (input.role === 'user' ? 0 : actor.may_export);
  const station = await app.db.tx(callerOf(actor, request), async (work) => {
    await checkPlace(work, input.role, station_id);
    // The limit is checked before the password is hashed, which takes a tenth of a second of a
    // core.
    await requireRoomToMake(work, 'accounts', app.clock.now());
    return stationName(work, station_id);
  });
  // The password of an invited account is unknown to everybody until the person sets one.
  const password = isInvited ? createToken() : chosen(wanted, input.username, station);
  const now = app.clock.now();
  const values = {
    ...input,
    station_id,
    may_export,
    password_hash: await hashPassword(password),
    password_changed_at: now,
    must_change: 1 as const,
    registered_at: now,
    ...newStatusColumns(actor, input.status),
  };
  const { account, issued } = await app.db.tx(callerOf(actor, request), async (work) => {
    await checkPlace(work, input.role, station_id);
    const made_under = await requireRoomToMake(work, 'accounts', now);
    let link: Issued | null = null;
    const { id } = await auditedInsert(work, audited, {
      values: { ...values, made_under },
      also: async (row) => {
        if (isInvited)
          link = await issueInvitation(work, {
            account_id: row.id,
            by: actor.account_id,
            now,
            isMailed: mail !== undefined,
          });
        return { password: [null, null], ...invitationChanges(link) };
      },
    });
    await recordActorSetup(app, work, id, ['password', 'role', 'station', 'status']);
    return { account: await shownOne(app, work, id), issued: link as Issued | null };
  });
  return {
    account,
    password: wanted === undefined && !isInvited ? password : null,
    invitation: issued && (await answerInvitation(app, issued, mail)),
  };
};

export const edit = (
  app: App,
  actor: Actor,
  { id, version, ...values }: ParsedOf<typeof calls.editAccount>,
  request: RequestContext,
): Promise<Account> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { changes } = await auditedChange(work, audited, {
      id,
      version,
      action: 'edit',
      within: managed(actor),
      current: () => shownOne(app, work, id),
      columns: async (before) => {
        if (before.may_export === 0) checkRights(actor, values.may_export);
        if (values.role !== undefined || values.station_id !== undefined)
          await checkPlace(
            work,
            values.role ?? before.role,
            values.station_id === undefined ? before.station_id : values.station_id,
          );
        return values;
      },
      // Keys and invitations end, because they were made for the account's former role or station.
      also: async (after, before) => {
        if (after.role === before.role && after.station_id === before.station_id) return;
        await endKeysOf(work, id, { now: app.clock.now(), made: false });
        await endInvitationsOf(work, id, app.clock.now());
      },
    });
    await recordActorSetup(app, work, id, setupsOf(changes));
    return shownOne(app, work, id);
  });

export const switchStatus = (
  app: App,
  actor: Actor,
  { id, status }: ParsedOf<typeof calls.setAccountStatus>,
  request: RequestContext,
): Promise<Account> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const { changes } = await auditedChange(work, audited, {
      id,
      action: status === 1 ? 'enable' : 'disable',
      within: managed(actor),
      columns: (before) => statusColumns(actor, before, before.username, status),
      also: async () => {
        if (status === 1) return;
        await endSessions(work, id);
        await endInvitationsOf(work, id, app.clock.now());
      },
    });
    await recordActorSetup(app, work, id, setupsOf(changes));
    return shownOne(app, work, id);
  });

export const resetPassword = async (
  app: App,
  actor: Actor,
  { id, password: entered }: ParsedOf<typeof calls.resetPassword>,
  request: RequestContext,
): Promise<WithPassword> => {
  const { username, station_name } = await app.db.tx(callerOf(actor, request), (work) =>
    shownOne(app, work, id),
  );
  const password = chosen(entered, username, station_name);
  const password_hash = await hashPassword(password);
  return app.db.tx(callerOf(actor, request), async (work) => {
    await auditedChange(work, audited, {
      id,
      action: 'reset_password',
      within: managed(actor),
      columns: () => ({
        password_hash,
        password_changed_at: app.clock.now(),
        must_change: 1 as const,
      }),
      also: async () => {
        await endSessions(work, id);
        await endKeysOf(work, id, { now: app.clock.now(), made: true });
        await forgetBrowsers(work, id);
        await removeInvitation(work, id);
        return { password: [null, null] };
      },
    });
    await recordActorSetup(app, work, id, ['password']);
    return {
      account: await shownOne(app, work, id),
      password: entered === undefined ? password : null,
    };
  });
};

export const sessions = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.accountSessions>,
): Promise<{ items: AccountSession[] }> =>
  app.db.tx(callerOf(actor), async (work) => {
    await shownOne(app, work, id);
    return {
      items: await sessionsOf(work, id, actor.session_id, {
        now: app.clock.now(),
        limits: app.config.session,
      }),
    };
  });

export const revokeSessions = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.revokeAccountSessions>,
  request: RequestContext,
): Promise<Account> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const row = await lockOne(work, id);
    const ended = await endSessions(work, id);
    await endKeysOf(work, id, { now: app.clock.now(), made: true });
    await audit(work, 'revoke_sessions', row, ended > 0 ? { sessions: [ended, 0] } : {});
    return shownOne(app, work, id);
  });

export const resetSecondFactor = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.resetSecondFactor>,
  request: RequestContext,
): Promise<Account> =>
  app.db.tx(callerOf(actor, request), async (work) => {
    const row = await lockOne(work, id);
    const { second_factor } = await shownOne(app, work, id);
    await removeTwoFactor(work, id);
    await endSessions(work, id);
    await endKeysOf(work, id, { now: app.clock.now(), made: true });
    await audit(
      work,
      'reset_second_factor',
      row,
      second_factor === 1 ? { second_factor: [1, 0] } : {},
    );
    await recordActorSetup(app, work, id, ['two_factor']);
    return shownOne(app, work, id);
  });
