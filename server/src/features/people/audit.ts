import { boundedAudit } from '@waystation/contract/bounded-lists.ts';
import { rolesBelow } from '@waystation/contract/account.ts';
import type { AuditRow } from '@waystation/contract/audit.ts';
import type * as calls from '@waystation/contract/audit.ts';
import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import { maskPhone } from '@waystation/contract/phone.ts';
import type { App } from '#app.ts';
import { expressIn } from '#domain/express/express-reads.ts';
import { scopeOf } from '#platform/auth/actor.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { contains, equal, filterConditions, fromDay, untilDay } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { uncounted } from '#platform/db/paging.ts';
import type { Counted, Counting, Listed, Paging } from '#platform/db/paging.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { countRows, idsOfRows, listRows, namedRows, rowsOfIds } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { ListWalk } from '#platform/http/list-walk.ts';

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

/** The log of accounts is visible for the actor's own account and for lower roles; accounts of the same or a higher role return 404. */
const ofManaged = (actor: Actor): Condition[] =>
  actor.role === 'super'
    ? []
    : [
        sql<boolean>`(r.subject <> 'accounts' or r.subject_id = ${actor.account_id}
          or not exists (select 1 from accounts a where a.id = r.subject_id and not a.role = any(${rolesBelow(actor.role) as string[]}::text[])))`,
      ];

const log = namedRows('id at account_id account_name role address request_id action subject subject_id station_id changes reason', sql`audit_log`);
const sortable = ['-at'] as const;
/** The entries that this actor may see, as `r`. */
export const visibleTo = (actor: Actor): Condition[] => [scopeCondition(scopeOf(actor), 'r.station_id'), ...ofManaged(actor)];

const pageFor = async (tx: Tx, actor: Actor, conditions: readonly Condition[], paging: Paging): Promise<Listed<AuditRow>> => {
  const page = await listRows<AuditRow>(tx, log, [...visibleTo(actor), ...conditions], uncounted(paging), sortable);
  return { ...page, items: page.items.map((row) => viewOf(actor, row)) };
};

const ofSubject = (subject: string, subject_id: number): Condition[] => [sql<boolean>`r.subject = ${subject}`, sql<boolean>`r.subject_id = ${subject_id}`];

/** What is not shown of a row does not answer to a search either. */
const addressContains = (actor: Actor, part: string): Condition => {
  const found = contains('r.address')(part);
  return isOffice(actor) ? found : sql<boolean>`(${found} and not r.role = any(${officeRoles}::text[]))`;
};

type Filters = ParsedOf<typeof calls.countAudit>;

/** The office asks about everything; the others about one record, and hear of it what happened within their stations. */
const conditionsOf = (app: App, actor: Actor, filters: Filters): Condition[] => {
  assertDays(boundedAudit, filters, app.clock.now());
  if (!isOffice(actor) && (filters.subject === undefined || filters.subject_id === undefined))
    failFields({
      ...(filters.subject === undefined && { subject: { code: 'required' } }),
      ...(filters.subject_id === undefined && { subject_id: { code: 'required' } }),
    });
  return filterConditions(filters, {
    subject: equal,
    subject_id: equal,
    account_name: contains('r.account_name'),
    action: equal,
    station_id: equal,
    at_from: fromDay(sql.ref('r.at')),
    at_to: untilDay(sql.ref('r.at')),
    request_id: equal,
    q: (q) => sql<boolean>`(${contains('r.account_name', 'r.reason')(q)} or ${addressContains(actor, q)} or r.request_id = ${q})`,
  });
};

export const list = async (app: App, actor: Actor, filters: ParsedOf<typeof calls.listAudit>): Promise<Listed<AuditRow>> => {
  const conditions = conditionsOf(app, actor, filters);
  return app.db.tx(scopeOf(actor), (tx) => pageFor(tx, actor, conditions, filters));
};

export const counts = async (app: App, actor: Actor, filters: Filters & Counting): Promise<Counted> => {
  const conditions = conditionsOf(app, actor, filters);
  return app.db.tx(scopeOf(actor), (tx) => countRows(tx, log, [...visibleTo(actor), ...conditions], filters));
};

/** How an export reads the log. */
export const walk: ListWalk<App, Filters & Paging> = {
  ids: async (app, actor, filters) => {
    const conditions = conditionsOf(app, actor, filters);
    return app.db.tx(scopeOf(actor), (tx) => idsOfRows(tx, log, [...visibleTo(actor), ...conditions], filters, sortable));
  },
  rows: (app, actor, { ids }) =>
    app.db.tx(scopeOf(actor), async (tx) => (await rowsOfIds<AuditRow>(tx, log, ids, visibleTo(actor))).map((row) => viewOf(actor, row))),
};

/** What was done to a parcel: for everyone who may see the parcel, clerks too. */
export const ofExpress = (app: App, actor: Actor, { id, ...paging }: ParsedOf<typeof calls.expressAudit>): Promise<Listed<AuditRow>> => {
  const scope = scopeOf(actor);
  return app.db.tx(scope, async (tx) => {
    await expressIn(tx, scope, id);
    return pageFor(tx, actor, ofSubject('expresses', id), paging);
  });
};
