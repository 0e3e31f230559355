import { boundedAudit } from '@waystation/contract/base/bounded-lists.ts';
import { rolesBelow } from '@waystation/contract/people/account.ts';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import type * as calls from '@waystation/contract/shell/audit.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { maskPhone } from '@waystation/contract/parcels/phone.ts';
import type { App } from '#app.ts';
import { expressIn } from '#domain/express/express-reads.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { contains, equal, filterConditions, fromDay, untilDay } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { uncounted } from '#platform/db/paging.ts';
import type { Counted, Counting, Listed, Paging } from '#platform/db/paging.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { countRows, idsOfRows, listRows, namedRows, rowsOfIds } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { ListWalk } from '#platform/http/list-walk.ts';

/** An audit entry with the id of its account, which no response contains. */
type Entry = AuditRow & { account_id: number | null };

const isOffice = ({ role }: Pick<Actor, 'role'>): boolean => role === 'super' || role === 'admin';

/** The fields that only administrators see, in every table. */
const officeFields = new Set([
  'jd_amount',
  'cost',
  'margin',
  'merchant_id',
  'customer_code',
  'terms',
  'shares',
  'identity',
]);
const phone = /(^|_)phone$/;
const stationFields = new Set(['parent_id', 'station_id']);
/** The roles whose IP addresses only administrators see. */
const officeRoles: readonly string[] = ['super', 'admin', 'system'];

/**
 * An audit entry as this reader may see it: phones are masked as on the record itself. The fields
 * and IP addresses of administrators are shown only to administrators.
 */
const viewOf = (actor: Actor, row: AuditRow): AuditRow => {
  const office = isOffice(actor);
  const masked =
    ['expresses', 'contacts'].includes(row.subject) && actor.station_id !== row.station_id;
  const seen = (field: string, value: unknown): unknown => {
    if (masked && phone.test(field)) return hide(value);
    // A station outside the reader's scope is shown as null, as on the record itself.
    return !office && stationFields.has(field) && !actor.stations.includes(value as number)
      ? null
      : value;
  };
  const shown = Object.entries(row.changes)
    .filter(([field]) => office || !officeFields.has(field))
    .map(([field, [before, after]]): [string, [unknown, unknown]] => [
      field,
      [seen(field, before), seen(field, after)],
    ]);
  const fromOffice = officeRoles.includes(row.role);
  return {
    ...row,
    changes: Object.fromEntries(shown),
    address: office || !fromOffice ? row.address : '',
  };
};

/**
 * Returns entries as the reader may see them. The name of a key is shown only if its account is in
 * the reader's scope.
 */
const viewsOf = async (work: ReaderWork, rows: readonly Entry[]): Promise<AuditRow[]> => {
  const ids = rows.flatMap(({ key_name, account_id }) =>
    key_name === '' || account_id === null ? [] : [account_id],
  );
  const { rows: seen } =
    ids.length === 0
      ? { rows: [] }
      : await sql<{ id: number }>`select a.id from accounts a where a.id = any(${ids}::bigint[])
          and ${scopeCondition(work, 'a.station_id')}`.execute(work.tx);
  const named = new Set(seen.map(({ id }) => id));
  return rows.map(({ account_id, ...row }) => {
    const view = viewOf(work.actor, row);
    return named.has(account_id ?? 0) ? view : { ...view, key_name: '' };
  });
};

const hide = (value: unknown): unknown => (typeof value === 'string' ? maskPhone(value) : value);

/**
 * The log of accounts is visible for the actor's own account and for lower roles; accounts of
 * the same or a higher role return 404.
 */
const ofManaged = (actor: Actor): Condition[] =>
  actor.role === 'super'
    ? []
    : [
        sql<boolean>`(r.subject <> 'accounts' or r.subject_id = ${actor.account_id}
          or not exists (select 1 from accounts a where a.id = r.subject_id
            and not a.role = any(${rolesBelow(actor.role) as string[]}::text[])))`,
      ];

const log = namedRows(
  'id at account_id account_name key_id key_name role address request_id action subject subject_id station_id changes reason',
  sql`audit_log`,
);
const sortable = ['-at'] as const;
/** The conditions for the audit entries `r` that this actor may see. */
export const visibleTo = (actor: Actor): Condition[] => [
  scopeCondition(callerOf(actor), 'r.station_id'),
  ...ofManaged(actor),
];

const pageFor = async (
  work: ReaderWork,
  conditions: readonly Condition[],
  paging: Paging,
): Promise<Listed<AuditRow>> => {
  const page = await listRows<Entry>(work, log, {
    conditions: [...visibleTo(work.actor), ...conditions],
    paging: uncounted(paging),
    sortable,
  });
  return { ...page, items: await viewsOf(work, page.items) };
};

const ofSubject = (subject: string, subject_id: number): Condition[] => [
  sql<boolean>`r.subject = ${subject}`,
  sql<boolean>`r.subject_id = ${subject_id}`,
];

/**
 * The condition of a search for an IP address. It does not match addresses that the reader may not
 * see.
 */
const addressContains = (actor: Actor, part: string): Condition => {
  const found = contains('r.address')(part);
  return isOffice(actor)
    ? found
    : sql<boolean>`(${found}
    and not r.role = any(${officeRoles}::text[]))`;
};

type Filters = ParsedOf<typeof calls.countAudit>;

/**
 * Administrators may query the whole audit log. Other users must choose one record, and see only
 * its entries within their stations.
 */
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
    q: (q) => sql<boolean>`(${contains('r.account_name', 'r.reason')(q)}
      or ${addressContains(actor, q)} or r.request_id = ${q})`,
  });
};

export const list = async (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listAudit>,
): Promise<Listed<AuditRow>> => {
  const conditions = conditionsOf(app, actor, filters);
  return app.db.tx(callerOf(actor), (work) => pageFor(work, conditions, filters));
};

export const counts = async (
  app: App,
  actor: Actor,
  filters: Filters & Counting,
): Promise<Counted> => {
  const conditions = conditionsOf(app, actor, filters);
  return app.db.tx(callerOf(actor), (work) =>
    countRows(work, log, [...visibleTo(actor), ...conditions], filters),
  );
};

/** The functions with which an export reads the audit log. */
export const walk: ListWalk<App, Filters & Paging> = {
  ids: async (app, actor, filters) => {
    const conditions = conditionsOf(app, actor, filters);
    return app.db.tx(callerOf(actor), (work) =>
      idsOfRows(work, log, {
        conditions: [...visibleTo(actor), ...conditions],
        paging: filters,
        sortable,
      }),
    );
  },
  rows: (app, actor, { ids }) =>
    app.db.tx(callerOf(actor), async (work) =>
      viewsOf(work, await rowsOfIds<Entry>(work, log, ids, visibleTo(actor))),
    ),
};

/** Returns the audit entries of a parcel to every user who may see the parcel, clerks included. */
export const ofExpress = (
  app: App,
  actor: Actor,
  { id, ...paging }: ParsedOf<typeof calls.expressAudit>,
): Promise<Listed<AuditRow>> => {
  const caller = callerOf(actor);
  return app.db.tx(caller, async (work) => {
    await expressIn(work, id);
    return pageFor(work, ofSubject('expresses', id), paging);
  });
};
