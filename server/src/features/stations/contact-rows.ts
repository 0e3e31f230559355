import { boundedContactsOf } from '@waystation/contract/base/bounded-lists.ts';
import type { Contact } from '@waystation/contract/people/contact.ts';
import { calls } from '@waystation/contract/people/contact.schema.ts';
import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import { maskPhone, shownDigits } from '@waystation/contract/parcels/phone.ts';
import type { App } from '#app.ts';
import { countPhoneSearch, pastedPhones, wholePhone } from '#domain/phone-search/phone-search.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { equal, filterConditions, fromDay, named, untilDay } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { amongFirst, stationSplit } from '#platform/db/newest.ts';
import type { Split } from '#platform/db/newest.ts';
import { orderOf, pageWindow, uncounted } from '#platform/db/paging.ts';
import type { Counted, Counting, Listed, Paging } from '#platform/db/paging.ts';
import { callerOf, sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import {
  afterCursor,
  columnsOf,
  countRows,
  idsOfRows,
  listRows,
  namedRows,
  rowsOfIds,
} from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';
import { assertDays } from '#platform/http/bounded-days.ts';
import type { Origin } from '#platform/http/context.ts';
import type { WalkedIds } from '#platform/http/list-walk.ts';

export type Row = Omit<Contact, 'station_name' | 'phones_shown'>;
export type Named = Row & { station_name: string };

const columns =
  'id station_id kind name phone province city county address status version created_at updated_at';
export const entries = namedRows(
  `${columns} station_name`,
  sql`(select ${columnsOf('c', `${columns} pinyin`)}, s.name as station_name from contacts c
    join stations s on s.id = c.station_id)`,
);
export const owned = (work: Scoped): Condition => scopeCondition(work, 'r.station_id');

/**
 * A contact as the actor may see it. The phone is whole for the contact's own station, and masked
 * for everybody else, super and admin included.
 */
export const seen = (actor: Actor, row: Named): Contact => {
  const shown = actor.station_id === row.station_id;
  return { ...row, phone: shown ? row.phone : maskPhone(row.phone), phones_shown: shown ? 1 : 0 };
};

const end = (
  phone: ReturnType<typeof sql>,
  digits: string,
) => sql<boolean>`right(regexp_replace(${phone},
  '\\D', '', 'g'), ${digits.length}) = ${digits}`;
/** The SQL for a contact's phone without its extension. */
const number = sql`regexp_replace(r.phone,
  '^(1\\d{10}|[48]00\\d{7}|0\\d{2,3}-\\d{7,8})-\\d+$', '\\1')`;
const plainNumber = sql`regexp_replace(${number}, '\\D', '', 'g')`;

/**
 * Matches the end of a phone, before or with its extension, or a part of a name. Several complete
 * phones can be searched at once. The middle of a number never matches, because that would reveal
 * masked digits. For the same reason another station's phone matches only by its four visible
 * digits or as a single complete phone (`everywhere`, phone-search.ts).
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
 * Conditions that limit a page to the newest entries of each of several stations, read from the
 * indexes contacts_station_newest and contacts_updated. There are none for a search, because the
 * newest entries may not match it.
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

/** The functions with which exports and bulk actions read the address book. */
export const walk = {
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
