import { rolesBelow } from '@waystation/contract/people/account.ts';
import type { Account } from '@waystation/contract/people/account.ts';
import type { App } from '#app.ts';
import { recordSetup } from '#domain/second-person/second-person.ts';
import type { Setup } from '#domain/second-person/second-person.ts';
import { changesBetween } from '#platform/audit.ts';
import type { Changes } from '#platform/audit.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { invitationState } from '#platform/auth/invitations.ts';
import { isLive } from '#platform/auth/sessions.ts';
import { contains, named } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { getRow } from '#platform/db/rows.ts';
import type { Stored } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';

type Row = Stored<'accounts'>;

const fields = [
  'username',
  'nickname',
  'phone',
  'identity',
  'program_id',
  'station_id',
  'avatar',
  'location',
  'role',
  'status',
  'must_change',
  'may_export',
] as const;

/**
 * Selects accounts as they are shown. The password and two-factor authentication are not shown,
 * only whether and since when they are set.
 */
export const shown = ({ clock, config }: App) => sql`(select a.id, a.username, a.nickname, a.phone,
  a.identity, a.program_id, a.station_id, s.name as station_name,
  a.registered_at, a.avatar, a.location, a.role, a.status, a.must_change, a.may_export,
    (f.confirmed_at is not null)::int as second_factor, a.last_seen_at,
  (select count(*) from sessions where account_id = a.id
    and ${isLive(clock.now(), config.session)})::int as sessions,
  a.pinyin, a.password_changed_at, ${invitationState(clock.now())} as invitation,
  i.expires_at as invitation_until, a.version, a.created_at, a.updated_at
  from accounts a left join stations s on s.id = a.station_id left
    join two_factor_secrets f on f.account_id = a.id
  left join account_invitations i on i.account_id = a.id)`;

/**
 * The condition for accounts that an actor manages: those of its stations with a lower role. All
 * other accounts seem not to exist.
 */
export const managed = (actor: Actor): Condition[] => [
  scopeCondition(callerOf(actor), 'r.station_id'),
  sql<boolean>`r.role = any(${rolesBelow(actor.role) as string[]}::text[])`,
];

/**
 * The condition for a text in an account's username, nickname or phone. The managers of an account
 * see its phone unmasked.
 */
export const textCondition = (q: string): Condition =>
  sql<boolean>`(${contains('r.username')(q)} or ${named('r.nickname', 'r.pinyin')(q)}
    or strpos(r.phone, ${q}) > 0)`;

export const shownOne = (app: App, work: ReaderWork, id: number): Promise<Account> =>
  getRow(work, shown(app), id, managed(work.actor));

/** Replaces a picture by its length, because the audit log does not store pictures. */
const pictured = (row: Row): Row => ({
  ...row,
  avatar: row.avatar && `picture of ${row.avatar.length}`,
});

/** The fields that are set in a new account, as changes from null. Empty fields are left out. */
const filledIn = (row: Row): Changes =>
  Object.fromEntries(
    fields
      .filter((field) => row[field] !== null && row[field] !== '')
      .map((field) => [field, [null, field === 'avatar' ? pictured(row).avatar : row[field]]]),
  );

export const audited: AuditedTable<'accounts'> = {
  table: 'accounts',
  audited: (before, after) =>
    before ? changesBetween(pictured(before), pictured(after), fields) : filledIn(after),
  // A name may belong to an account outside the scope. It is refused with the same text in both
  // cases (requirements §10.12.7).
  unique: { accounts_username: 'username' },
  uniqueCode: 'name_unavailable',
  stationOf: ({ station_id }) => station_id,
};

const setupFields: Readonly<Record<string, Setup>> = {
  role: 'role',
  station_id: 'station',
  status: 'status',
};
export const setupsOf = (changes: Changes): Setup[] =>
  Object.keys(changes).flatMap((field) => setupFields[field] ?? []);

/**
 * Records that the actor has set up the account, because that person then cannot be the second
 * person for its requests.
 */
export const recordActorSetup = (
  app: App,
  work: ReaderWork,
  account_id: number,
  what: readonly Setup[],
): Promise<void> =>
  recordSetup(work, { account_id, by: work.actor.account_id, what, at: app.clock.now() });
