import type { Found } from '@waystation/contract/shell/global-search.ts';
import { mostFound } from '@waystation/contract/shell/global-search.ts';
import { narrow } from '@waystation/contract/shell/search.ts';
import { shownDigits } from '@waystation/contract/parcels/phone.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { countPhoneSearch, wholePhone } from '#domain/phone-search/phone-search.ts';
import { contains } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { rowsOfIds } from '#platform/db/rows.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { typedPinyin } from '#platform/pinyin.ts';
import { entries, owned, seen } from './contact-rows.ts';
import type { Named } from './contact-rows.ts';

/**
 * The values of `contact_keys.kind`, and the length of a name's key in characters
 * (server/sql/contact-keys.sql).
 */
const kinds = { name: 1, phone: 2 } as const;
const keyCharacters = 20;

/** The keys that begin with `key`, or that equal it; only keys of one station if it is set. */
interface KeyRange {
  kind: number;
  key: string;
  exact?: true;
  station_id?: number;
}

/**
 * The limit of keys that are read, and the minimum of keys per station if there are several
 * stations. One contact may have several keys in a range.
 */
const read = { most: 240, fewest: 12 } as const;

const reversed = (digits: string): string => [...digits].toReversed().join('');

/**
 * The key ranges for the end of a phone, as in the list: four digits match in every station, more
 * digits only in the user's own. With `everywhere` a complete phone matches in every station.
 */
const phoneRanges = (work: ReaderWork, digits: string, everywhere: boolean): KeyRange[] => {
  const range: KeyRange = { kind: kinds.phone, key: reversed(digits) };
  if (digits.length <= shownDigits) return [range];
  const { station_id } = work.actor;
  const own = station_id === null ? [] : [{ ...range, station_id }];
  return everywhere ? [...own, { ...range, exact: true }] : own;
};

/**
 * The key ranges for a part of a name. Names are stored as written, with full-width brackets, so
 * both this form and the narrow form are searched.
 */
const nameRanges = (text: string): KeyRange[] => {
  const keys = new Set(
    [text, narrow(text)].map((form) => [...form.toLowerCase()].slice(0, keyCharacters).join('')),
  );
  const pinyin = typedPinyin(text);
  if (pinyin !== null) keys.add(pinyin);
  return [...keys].map((key) => ({ kind: kinds.name, key }));
};

const within = ({ kind, key, exact }: KeyRange): Condition =>
  exact === true
    ? sql<boolean>`k.kind = ${kind}
    and k.key = ${key}`
    : sql<boolean>`k.kind = ${kind}
    and k.key >= ${key} and k.key < ${`${key}\u{10ffff}`}`;

/**
 * The contacts with keys in a range, the shortest keys first. A limited number of keys of each
 * station is read, in the order of the index.
 */
const idsOf = async (work: ReaderWork, range: KeyRange): Promise<number[]> => {
  const { scope } = work;
  const stations =
    range.station_id === undefined
      ? scope.kind === 'all'
        ? null
        : scope.stations
      : [range.station_id];
  const limit =
    stations === null
      ? read.most
      : Math.max(read.fewest, Math.floor(read.most / Math.max(stations.length, 1)));
  const keysOf = (station: Condition) => sql`select k.key, k.contact_id from contact_keys k
    where ${station} and ${scopeCondition(work, 'k.station_id')} and ${within(range)}
    order by k.kind, k.key, k.contact_id limit ${sql.lit(limit)}`;
  const keys =
    stations === null
      ? keysOf(sql<boolean>`true`)
      : sql`select k.key, k.contact_id from unnest(${stations}::bigint[]) s (id)
        cross join lateral (${keysOf(sql<boolean>`k.station_id = s.id`)}) k`;
  const { rows } = await sql<{ id: number }>`select k.contact_id as id from (${keys}) k
    group by 1 order by min(k.key), 1 desc limit ${sql.lit(mostFound + 1)}`.execute(work.tx);
  return rows.map(({ id }) => id);
};

/** Finds contacts by a part of their name, by its pinyin, or by the end of their phone. */
const find = async (app: App, work: ReaderWork, q: string): Promise<Found['contacts'][]> => {
  const text = q.trim();
  const digits = (wholePhone(text) ?? narrow(text)).replaceAll(/[\s-]/g, '');
  const everywhere = await countPhoneSearch(app, work, { subject: 'contacts', q: text });
  const ranges = /^\d{3,}$/.test(digits) ? phoneRanges(work, digits, everywhere) : nameRanges(text);
  const ids = new Set<number>();
  for (const range of ranges) for (const id of await idsOf(work, range)) ids.add(id);
  const isLong = [...text].length > keyCharacters;
  const whole = isLong ? [contains('r.name')(text)] : [];
  const rows = await rowsOfIds<Named>(work, entries, [...ids], [owned(work), ...whole]);
  return rows.map((row) => {
    const { id, kind, name, phone, station_name, status } = seen(work.actor, row);
    return { id, kind, name, phone, station_name, status };
  });
};

export const foundContacts: FeaturePart = { finds: { contacts: find } };
