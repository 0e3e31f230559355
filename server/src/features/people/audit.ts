import { rolesBelow } from '@waystation/contract/account.ts';
import type { AuditRow } from '@waystation/contract/audit.ts';
import type * as calls from '@waystation/contract/audit.ts';
import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import { maskPhone } from '@waystation/contract/phone.ts';
import type { App } from '#app.ts';
import { expressIn } from '#domain/express/express-reads.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { listRows } from '#platform/db/rows.ts';
import type { Condition, Listed, Paging } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';

const isOffice = ({ role }: Pick<Actor, 'role'>): boolean => role === 'super' || role === 'admin';

/** What only the office knows of a row, by whatever table it is named. */
const officeFields = new Set(['jd_amount', 'cost', 'margin', 'merchant_id', 'customer_code', 'terms', 'shares', 'identity']);
const phone = /(^|_)phone$/;
const stationFields = new Set(['parent_id', 'station_id']);
/** Whose addresses are for the office alone. */
const officeRoles: readonly string[] = ['super', 'admin', 'system'];

/** A change as this reader may see it: phones masked as on the record itself, the office's own fields and addresses for the office alone. */
const viewOf = (actor: Actor, row: AuditRow): AuditRow => {
  const office = isOffice(actor);
  const masked = ['expresses', 'contacts'].includes(row.subject) && actor.station_id !== row.station_id;
  const seen = (field: string, value: unknown): unknown => {
    if (masked && phone.test(field)) return hide(value);
    // A station that is not the reader's is none, as on the record itself.
    return !office && stationFields.has(field) && !actor.stations.includes(value as number) ? null : value;
  };
  const shown = Object.entries(row.changes)
    .filter(([field]) => office || !officeFields.has(field))
    .map(([field, [before, after]]): [string, [unknown, unknown]] => [field, [seen(field, before), seen(field, after)]]);
  const fromOffice = officeRoles.includes(row.role);
  return { ...row, changes: Object.fromEntries(shown), address: office || !fromOffice ? row.address : '' };
};

const hide = (value: unknown): unknown => (typeof value === 'string' ? maskPhone(value) : value);

/** Of accounts everybody is told what those below did and saw done to them, and of the own one: who stands beside or above is as good as not there. */
const ofManaged = (actor: Actor): Condition[] =>
  actor.role === 'super'
    ? []
    : [
        sql<boolean>`(r.subject <> 'accounts' or r.subject_id = ${actor.account_id}
          or not exists (select 1 from accounts a where a.id = r.subject_id and not a.role = any(${rolesBelow(actor.role) as string[]}::text[])))`,
      ];

const pageFor = async (tx: Tx, actor: Actor, conditions: readonly Condition[], paging: Paging): Promise<Listed<AuditRow>> => {
  const scope = scopeOf(actor);
  const page = await listRows<AuditRow>(tx, sql`audit_log`, [scopeCondition(scope, 'r.station_id'), ...ofManaged(actor), ...conditions], paging, ['-at']);
  return { ...page, items: page.items.map((row) => viewOf(actor, row)) };
};

const ofSubject = (subject: string, subject_id: number): Condition[] => [sql<boolean>`r.subject = ${subject}`, sql<boolean>`r.subject_id = ${subject_id}`];

const holds = (column: string, part: string): Condition => sql<boolean>`strpos(lower(${sql.ref(`r.${column}`)}), lower(${part})) > 0`;
/** What is not shown of a row does not answer to a search either. */
const addressHolds = (actor: Actor, part: string): Condition =>
  isOffice(actor) ? holds('address', part) : sql<boolean>`(${holds('address', part)} and not r.role = any(${officeRoles}::text[]))`;
const dayStart = (day: string, later = 0) => sql`(${day}::date + ${later}::int)::timestamp at time zone 'Asia/Shanghai'`;

/** The office asks about everything; the others about one record, and hear of it what happened within their stations. */
export const list = (app: App, actor: Actor, filters: ParsedOf<typeof calls.listAudit>): Promise<Listed<AuditRow>> => {
  if (!isOffice(actor) && (filters.subject === undefined || filters.subject_id === undefined))
    failFields({
      ...(filters.subject === undefined && { subject: { code: 'required' } }),
      ...(filters.subject_id === undefined && { subject_id: { code: 'required' } }),
    });
  const { q } = filters;
  return app.db.tx(scopeOf(actor), (tx) =>
    pageFor(
      tx,
      actor,
      [
        ...(filters.subject !== undefined ? [sql<boolean>`r.subject = ${filters.subject}`] : []),
        ...(filters.subject_id !== undefined ? [sql<boolean>`r.subject_id = ${filters.subject_id}`] : []),
        ...(filters.account_name ? [holds('account_name', filters.account_name)] : []),
        ...(filters.action !== undefined ? [sql<boolean>`r.action = ${filters.action}`] : []),
        ...(filters.station_id !== undefined ? [sql<boolean>`r.station_id = ${filters.station_id}`] : []),
        ...(filters.at_from !== undefined ? [sql<boolean>`r.at >= ${dayStart(filters.at_from)}`] : []),
        ...(filters.at_to !== undefined ? [sql<boolean>`r.at < ${dayStart(filters.at_to, 1)}`] : []),
        ...(filters.request_id ? [sql<boolean>`r.request_id = ${filters.request_id}`] : []),
        ...(q ? [sql<boolean>`(${holds('account_name', q)} or ${holds('reason', q)} or ${addressHolds(actor, q)} or r.request_id = ${q})`] : []),
      ],
      filters,
    ),
  );
};

/** What was done to a parcel: for everyone who may see the parcel, clerks too. */
export const ofExpress = (app: App, actor: Actor, { id, ...paging }: ParsedOf<typeof calls.expressAudit>): Promise<Listed<AuditRow>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    await expressIn(tx, scope, id);
    return pageFor(tx, actor, ofSubject('expresses', id), paging);
  });
};
