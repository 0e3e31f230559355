import { boundedContactsOf } from '@waystation/contract/base/bounded-lists.ts';
import type { Contact } from '@waystation/contract/people/contact.ts';
import { calls as bulkCalls } from '@waystation/contract/shell/bulk.schema.ts';
import { calls } from '@waystation/contract/people/contact.schema.ts';
import { contactKinds } from '@waystation/contract/people/contact.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { mostContacts } from '@waystation/contract/base/limits.ts';
import {
  maskPhone,
  phoneText,
  readPhone,
  shownDigits,
} from '@waystation/contract/parcels/phone.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { placeOf } from '#domain/address/address.ts';
import { stationFor } from '#domain/offers/offers.ts';
import {
  countPhoneSearch,
  countReveals,
  pastedPhones,
  wholePhone,
} from '#domain/phone-search/phone-search.ts';
import {
  columnsOf as exported,
  joined,
  namesIn,
  onOff,
  switches,
  words,
} from '#domain/user-jobs/user-jobs.ts';
import { recordAudit } from '#platform/audit.ts';
import { auditedChange, auditedInsert, auditedStatus } from '#platform/audited-change.ts';
import type { AuditedTable } from '#platform/audited-change.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { inOwnTx } from '#platform/auth/own-tx.ts';
import { equal, filterConditions, fromDay, named, untilDay } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { amongFirst, stationSplit } from '#platform/db/newest.ts';
import type { Split } from '#platform/db/newest.ts';
import { orderOf, pageWindow, uncounted } from '#platform/db/paging.ts';
import type { Counted, Counting, Listed, Paging } from '#platform/db/paging.ts';
import { callerOf, oneRow, sql } from '#platform/db/db.ts';
import type { ReaderWork, RowOf, UserWork, Work } from '#platform/db/db.ts';
import {
  afterCursor,
  columnsOf,
  countRows,
  getRow,
  idsOfRows,
  listRows,
  namedRows,
  rowsOfIds,
} from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { fail, failFields } from '#platform/fail.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { Origin, RequestContext } from '#platform/http/context.ts';
import { listSource } from '#platform/http/list-walk.ts';
import type { WalkedIds } from '#platform/http/list-walk.ts';
import { route } from '#platform/http/route.ts';

const audited: AuditedTable<'contacts'> = {
  table: 'contacts',
  audited: [
    'station_id',
    'kind',
    'name',
    'phone',
    'province',
    'city',
    'county',
    'address',
    'status',
  ],
  stationOf: ({ station_id }) => station_id,
};
type Row = Omit<Contact, 'station_name' | 'phones_shown'>;
export type Named = Row & { station_name: string };

const columns =
  'id station_id kind name phone province city county address status version created_at updated_at';
export const entries = namedRows(
  `${columns} station_name`,
  sql`(select ${columnsOf('c', `${columns} pinyin`)}, s.name as station_name from contacts c
    join stations s on s.id = c.station_id)`,
);
export const owned = (work: Scoped): Condition => scopeCondition(work, 'r.station_id');

/** Whole phones for the contact's own station, masked for all others, super and admin included. */
export const seen = (actor: Actor, row: Named): Contact => {
  const shown = actor.station_id === row.station_id;
  return { ...row, phone: shown ? row.phone : maskPhone(row.phone), phones_shown: shown ? 1 : 0 };
};

const end = (
  phone: ReturnType<typeof sql>,
  digits: string,
) => sql<boolean>`right(regexp_replace(${phone},
  '\\D', '', 'g'), ${digits.length}) = ${digits}`;
/** A contact's number before its extension. */
const number = sql`regexp_replace(r.phone,
  '^(1\\d{10}|[48]00\\d{7}|0\\d{2,3}-\\d{7,8})-\\d+$', '\\1')`;
const plainNumber = sql`regexp_replace(${number}, '\\D', '', 'g')`;

/**
 * Matches the end of a phone (before its extension, or with it), or a part of a name; of several
 * whole phones each. The middle of a number never matches, because that would reveal masked digits.
 * For the same reason another station's phone matches only by its four visible digits, or as a
 * single whole phone (`everywhere`, phone-search.ts).
 */
const matches = (actor: Actor, q: string, everywhere: boolean): Condition => {
  const several = pastedPhones(q);
  if (several.length > 0)
    return sql<boolean>`(r.station_id = ${actor.station_id}
    and ${plainNumber} = any(${several}::text[]))`;
  const digits = (wholePhone(q) ?? q).replaceAll(/[\s-]/g, '');
  if (!/^\d{3,}$/.test(digits)) return named('r.name', 'r.pinyin')(q);
  const elsewhere =
    digits.length <= shownDigits
      ? end(number, digits)
      : everywhere
        ? sql<boolean>`${plainNumber} = ${digits}`
        : sql<boolean>`false`;
  return sql<boolean>`case
    when r.station_id = ${actor.station_id} then ${end(sql`r.phone`, digits)}
    or ${end(number, digits)} else ${elsewhere} end`;
};

type Filters = ParsedOf<typeof calls.countContacts>;

const updatedAt = sql.ref('r.updated_at');

const conditionsOf = async (app: App, work: ReaderWork, filters: Filters): Promise<Condition[]> => {
  const bounded = boundedContactsOf(work.actor.role);
  if (bounded) assertDays(bounded, filters, app.clock.now());
  const everywhere = await countPhoneSearch(app, work, {
    subject: 'contacts',
    q: filters.q,
  });
  const rules = {
    q: (q: string) => matches(work.actor, q, everywhere),
    kind: equal,
    station_id: equal,
    province: equal,
    status: equal,
    updated_from: fromDay(updatedAt),
    updated_to: untilDay(updatedAt),
  };
  return [owned(work), ...filterConditions(filters, rules)];
};

const sortable = [
  '-updated_at',
  'name',
  'kind',
  'station_name',
  'province',
  'status',
  'created_at',
] as const;

/**
 * The newest entries of each of several stations for the page, by the indexes
 * contacts_station_newest and contacts_updated. A search may find none.
 */
const newestOf = (
  work: Scoped,
  filters: Filters & Paging,
  conditions: readonly Condition[],
): Condition[] => {
  const order = orderOf(filters.sort, sortable);
  const stations = stationSplit(work, filters.station_id);
  if (
    order.column !== 'updated_at' ||
    filters.q !== undefined ||
    stations === null ||
    stations.values.length < 2
  )
    return [];
  const kinds: Split[] =
    filters.kind === undefined ? [] : [{ column: 'kind', type: 'text', values: [filters.kind] }];
  const { size, offset } = pageWindow(filters);
  const source = {
    table: 'contacts',
    alias: 'r',
    by: { column: 'updated_at', type: 'timestamptz' },
  } as const;
  const after = afterCursor(sql`r.updated_at`, order.descending, filters.cursor);
  return [
    amongFirst(
      source,
      { splits: [stations, ...kinds], conditions: [...conditions, ...after] },
      order,
      offset + size + 1,
    ),
  ];
};

export const list = (
  app: App,
  actor: Actor,
  filters: ParsedOf<typeof calls.listContacts>,
  origin: Origin | null = null,
): Promise<Listed<Contact>> =>
  app.db.tx(callerOf(actor, origin), async (work) => {
    const conditions = await conditionsOf(app, work, filters);
    const found = await listRows<Named>(work, entries, {
      conditions: [...conditions, ...newestOf(work, filters, conditions)],
      paging: uncounted(filters),
      sortable,
    });
    return { ...found, items: found.items.map((row) => seen(actor, row)) };
  });

export const counts = (
  app: App,
  actor: Actor,
  filters: Filters & Counting,
  origin: Origin | null = null,
): Promise<Counted> =>
  app.db.tx(callerOf(actor, origin), async (work) =>
    countRows(work, sql`contacts`, await conditionsOf(app, work, filters), filters),
  );

/** How exports and bulk actions read the address book. */
const walk = {
  ids: (
    app: App,
    actor: Actor,
    filters: Filters & Paging,
    origin: Origin | null = null,
  ): Promise<number[]> =>
    app.db.tx(callerOf(actor, origin), async (work) =>
      idsOfRows(work, entries, {
        conditions: await conditionsOf(app, work, filters),
        paging: filters,
        sortable,
      }),
    ),
  rows: (app: App, actor: Actor, { ids }: WalkedIds): Promise<Contact[]> =>
    app.db.tx(callerOf(actor), async (work) =>
      (await rowsOfIds<Named>(work, entries, ids, [owned(work)])).map((row) => seen(actor, row)),
    ),
};

const one = async (work: ReaderWork, id: number): Promise<Contact> =>
  seen(work.actor, await getRow<Named>(work, entries, id, [owned(work)]));

export const get = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.getContact>,
): Promise<Contact> => app.db.tx(callerOf(actor), (work) => one(work, id));

/**
 * A full address book takes no further entry, so that reading it completely has an end.
 * Simultaneous entries may exceed the limit by a few.
 */
const assertRoom = async (work: Work, station_id: number): Promise<void> => {
  const entries = sql`select 1 from contacts where station_id = ${station_id}
    and ${scopeCondition(work, 'station_id')} limit ${mostContacts}`;
  const { n } = await oneRow(
    work,
    sql<{ n: number }>`select count(*) as n
    from (${entries}) x`,
  );
  if (n >= mostContacts) fail('contact_too_many', { limit: mostContacts });
};

type Written = Pick<Row, 'phone' | 'province' | 'city' | 'county' | 'address'>;

/**
 * The phone in its canonical form, the place by its official names; fails with every bad
 * field at once.
 */
const checked = (fields: Written): Written => {
  const problems: Record<string, Reason> = {};
  const read = readPhone(fields.phone);
  if (!read.ok) problems['phone'] = { code: read.code };
  const place = placeOf(fields.province, fields.city, fields.county);
  if ('problem' in place) problems[place.field] = place.problem;
  if (!read.ok || 'problem' in place) return failFields(problems);
  const { province, city, county, town } = place;
  // A town used as the county of a city without counties belongs to the address.
  const address = town && !fields.address.startsWith(town) ? town + fields.address : fields.address;
  return { phone: phoneText(read.phone), province, city, county, address };
};

export const create = (
  app: App,
  actor: Actor,
  input: ParsedOf<typeof calls.createContact>,
  request: RequestContext,
): Promise<Contact> => {
  const caller = callerOf(actor, request);
  return app.db.tx(caller, async (work) => {
    const station = await stationFor(work, actor, input.station_id);
    const { phone, province, city, county, address } = checked(input);
    const { rows: same } = await sql<
      RowOf<'contacts', 'id'>
    >`select id from contacts where station_id = ${station.id}
      and ${scopeCondition(work, 'station_id')} and status = 1
      and (kind, name, phone, province, city, county, address) = (${input.kind},
        ${input.name}, ${phone}, ${province}, ${city}, ${county}, ${address})
      order by id limit 1`.execute(work.tx);
    if (same[0]) return one(work, same[0].id);
    await assertRoom(work, station.id);
    const values = {
      station_id: station.id,
      kind: input.kind,
      name: input.name,
      phone,
      province,
      city,
      county,
      address,
    };
    const { id } = await auditedInsert(work, audited, { values });
    return one(work, id);
  });
};

export const edit = (
  app: App,
  actor: Actor,
  { id, version, ...values }: ParsedOf<typeof calls.editContact>,
  request: RequestContext,
): Promise<Contact> => {
  const caller = callerOf(actor, request);
  return app.db.tx(caller, async (work) => {
    const named = Object.fromEntries(
      Object.entries(values).filter(([, value]) => value !== undefined),
    );
    await auditedChange(work, audited, {
      id,
      version,
      action: 'edit',
      within: [owned(work)],
      // The conflicting version as this reader may see it.
      current: () => one(work, id),
      columns: (before) => ({ ...named, ...checked({ ...before, ...named }) }),
    });
    return one(work, id);
  });
};

/** The switch of one row and of each row of many, in the caller's transaction. */
export const setStatusInTx = async (
  _app: App,
  work: UserWork,
  { id, status }: ParsedOf<typeof calls.setContactStatus>,
): Promise<Contact> => {
  await auditedStatus(work, audited, {
    id,
    status,
    within: [owned(work)],
  });
  return one(work, id);
};

export const switchStatus = inOwnTx(setStatusInTx);

export const reveal = (
  app: App,
  actor: Actor,
  { id }: ParsedOf<typeof calls.revealContact>,
  request: RequestContext,
): Promise<{ phone: string }> => {
  const caller = callerOf(actor, request);
  return app.db.tx(caller, async (work) => {
    const { phone, station_id } = await getRow<Named>(work, entries, id, [owned(work)]);
    if (actor.station_id !== station_id) await countReveals(app, work, [phone]);
    await recordAudit(work, {
      action: 'reveal',
      subject: 'contacts',
      subject_id: id,
      station_id,
    });
    return { phone };
  });
};

export const contacts: FeaturePart = {
  routes: [
    route(calls.listContacts, list),
    route(calls.countContacts, counts),
    route(calls.getContact, get),
    route(calls.createContact, create),
    route(calls.editContact, edit),
    route(calls.setContactStatus, switchStatus),
    route(calls.revealContact, reveal),
  ],
  exports: {
    contacts: {
      source: listSource(calls.listContacts, list, counts, walk),
      columns: {
        ...exported('text', 'name phone province city county address station_name'),
        ...exported('number', 'id station_id'),
        ...exported('time', 'created_at updated_at'),
        kind: words('kind', contactKinds),
        place: joined(['province', 'city', 'county']),
        status: onOff,
      },
    },
  },
  bulk: {
    contacts: {
      endpoint: bulkCalls.bulkContacts,
      source: listSource(calls.listContacts, list, counts, walk),
      nameOf: namesIn('contacts', 'name', 'station_id'),
      actions: switches(setStatusInTx, 'contacts', 'station_id'),
    },
  },
};
