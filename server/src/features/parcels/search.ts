import { shownDigits } from '@waystation/contract/phone.ts';
import { orderNumberLength } from '@waystation/contract/limits.ts';
import { isNumberList, looksLikeNumber, narrow, searchWords } from '@waystation/contract/search.ts';
import { visibleText } from '@waystation/contract/visible-text.ts';
import { all } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { joinedPhone, wholePhone } from '#domain/phone-search/phone-search.ts';
import { expressColumnList } from '#domain/express/express-reads.ts';
import { inAllStations, keyKinds, keyRange, newestOf, rarestOf, windowByIds, windowOf } from './search-keys.ts';
import type { FoundWindow, KeyRange, Reach } from './search-keys.ts';

/** What a search found. */
export interface Search {
  /** Newest parcels first, as many as a window holds; null: nothing was searched for. */
  ids: number[] | null;
  /** What else must hold of these parcels `e`. */
  rest: Condition[];
  /** Of several numbers, those that nothing answers to. */
  missing: string[];
  /** Every parcel from this id on was searched, and no older one; null: all were. */
  searched_to: number | null;
}

/** Where in a list of what a search found a page begins: in the window of parcels older than `before`, after the list's own `cursor`. */
export interface SearchPlace {
  before: number | null;
  cursor: string | undefined;
}

const searchCursor = /^b(\d{1,15})~(.*)$/;

/** Reads the cursor of `nextPlace`, or the list's own of the window that the filters name. */
export const placeOf = ({ cursor, searched_before = null }: { cursor?: string | undefined; searched_before?: number | null | undefined }): SearchPlace => {
  const [, before, own] = searchCursor.exec(cursor ?? '') ?? [];
  return before === undefined ? { before: searched_before, cursor } : { before: Number(before), cursor: own || undefined };
};

/** The cursor of the next page: after `own` in the same window; where that has no further page, the next window. Null: there is no further parcel. */
export const nextPlace = ({ before }: SearchPlace, own: string | null, { searched_to }: Pick<Search, 'searched_to'>): string | null => {
  if (own !== null) return before === null ? own : `b${before}~${own}`;
  return searched_to === null ? null : `b${searched_to}~`;
};

const mostWords = 8;
/** Of a longer word so many characters are looked up; the rest is compared on what they find. */
const lookedUp = 12;

const reversed = (word: string): string => [...word].toReversed().join('');

/** Whose phones are matched how: whole ones everywhere only where one phone alone is asked for, and that was counted (phone-search.ts). */
export interface PhoneReach {
  /** The reader's own station; null for the office. */
  station_id: number | null;
  /** The search is one whole phone, which was counted. */
  everywhere: boolean;
}

const phoneDigits = (word: string): string | null => wholePhone(word) ?? (/^\d{4,12}$/.test(word) ? word : null);

/** The end of a phone. In other stations only by its visible digits or whole, because any other end would reveal the masked digits one by one. */
const phoneRanges = ({ station_id, everywhere }: PhoneReach, word: string): KeyRange[] => {
  const digits = phoneDigits(word);
  if (digits === null) return [];
  const range = keyRange(keyKinds.phone, reversed(digits));
  if (digits.length <= shownDigits) return [range];
  const own = station_id === null ? [] : [{ ...range, station_id }];
  return everywhere ? [...own, { ...range, exact: true }] : own;
};

/** A waybill, an order number or a phone, whole or in part: its beginning or its end. */
const numberRanges = (reach: PhoneReach, word: string): KeyRange[] => {
  const key = word.toUpperCase();
  return [keyRange(keyKinds.number, key), keyRange(keyKinds.numberEnd, reversed(key)), ...phoneRanges(reach, word)];
};

/** The same asked of a parcel's own columns: for beginnings that are too frequent to be looked up. */
const numberCondition = (reach: PhoneReach, word: string): Condition => {
  const key = word.toUpperCase();
  const begins = ['delivery_id', 'return_delivery_id', 'order_id', 'thr_order_id'].map((column) => sql`starts_with(upper(${sql.ref(`e.${column}`)}), ${key})`);
  const ends = ['delivery_id', 'order_id'].map((column) => sql`right(upper(${sql.ref(`e.${column}`)}), ${key.length}) = ${key}`);
  const digits = phoneDigits(word) ?? '';
  const phones = phoneRanges(reach, word).flatMap(({ exact, station_id }) =>
    ['sender_phone', 'receive_phone'].map((column) => {
      const own = sql`phone_digits(${sql.ref(`e.${column}`)})`;
      const same = exact ? sql`${own} = ${digits}` : sql`right(${own}, ${digits.length}) = ${digits}`;
      return station_id === undefined ? same : sql`(e.station_id = ${station_id} and ${same})`;
    }),
  );
  return sql<boolean>`(${sql.join([...begins, ...ends, ...phones], sql` or `)})`;
};

interface NameWord {
  /** Keys that its parcels have, all of them. */
  keys: string[];
  /** What the keys leave open: their order, and the rest of a longer word. */
  rest: Condition[];
}

/** Part of a name; a single character is a whole name. */
const nameWord = (word: string): NameWord => {
  const characters = [...word];
  if (characters.length === 1) return { keys: [word], rest: [] };
  const start = characters.slice(0, lookedUp);
  const pairs = [...new Set(start.slice(1).map((character, index) => start[index]! + character))];
  return {
    keys: pairs,
    rest: characters.length === 2 ? [] : [sql<boolean>`(position(${word} in e.sender_name) > 0 or position(${word} in e.receive_name) > 0)`],
  };
};

/** Several numbers at once: each whole, of any kind; what is missing is named. A phone answers in the reader's own station alone, so that `missing` tells of no other. */
const manyNumbers = async (tx: Tx, scope: Scope, { station_id }: PhoneReach, words: string[]): Promise<Search> => {
  const wanted = words.map((word) => word.toUpperCase());
  const phones = new Map(wanted.flatMap((word) => (phoneDigits(word) === null ? [] : [[reversed(phoneDigits(word)!), word] as const])));
  const own =
    station_id === null
      ? sql``
      : sql`union all select express_id, key, kind from express_keys k where ${scopeCondition(scope, 'k.station_id', 'k.user_id')}
      and k.kind = ${keyKinds.phone} and k.key = any(${[...phones.keys()]}) and k.station_id = ${station_id}`;
  const { rows } = await sql<RowOf<'express_keys', 'express_id' | 'key' | 'kind'>>`
    select express_id, key, kind from express_keys k where ${scopeCondition(scope, 'k.station_id', 'k.user_id')}
      and ${scope.kind === 'stations' && scope.stations.length === 1 ? sql`true` : inAllStations} and k.kind = ${keyKinds.number} and k.key = any(${wanted}) ${own}`.execute(
    tx,
  );
  const found = new Set(rows.map((row) => (row.kind === keyKinds.phone ? phones.get(row.key)! : row.key)));
  const ids = [...new Set(rows.map((row) => row.express_id))];
  return { ids, rest: [], searched_to: null, missing: words.filter((word) => !found.has(word.toUpperCase())) };
};

/** By name: a statement with a star is planned at each call, which took half of a search. */
const allColumns = expressColumnList();

/** The parcels `e` that a list reads: those that were found by their ids alone, so that no plan walks all parcels in the order of the list. */
export const foundParcels = ({ ids }: Pick<Search, 'ids'>) =>
  ids === null ? sql`expresses e` : sql`(select ${allColumns} from expresses where id = any(${ids}::bigint[]) offset 0) e`;

/** By its words: numbers lead, because their ranges hold few parcels; then the rarest pair of characters; the other words are compared with what it finds. */
const byWords = async (tx: Tx, scope: Scope, reach: PhoneReach, words: string[], where: Reach): Promise<Search> => {
  if (words.length > mostWords) fail('too_many_words', { limit: mostWords });
  const numbers = words.filter(looksLikeNumber);
  const names = words.filter((word) => !looksLikeNumber(word)).map(nameWord);
  const keys = [...new Set(names.flatMap((name) => name.keys))];
  const rest = names.flatMap((name) => name.rest);
  const restBut = (lead?: string): Condition[] => [...rest, ...numbers.filter((word) => word !== lead).map((word) => numberCondition(reach, word))];
  for (const number of numbers) {
    const window = await windowOf(tx, scope, numberRanges(reach, number), keys, where);
    if (window !== null) return { ...window, rest: restBut(number), missing: [] };
  }
  if (keys.length === 0) return { ...(await windowByIds(tx, scope, all(restBut()), where)), rest: [], missing: [] };
  const rarestFirst = keys.length === 1 ? keys : await rarestOf(tx, scope, keys, where.before);
  return { ...(await newestOf(tx, scope, rarestFirst, where)), rest: restBut(), missing: [] };
};

/** The whole text as a shop's order number, which may hold any characters; empty where the search by its words looks this number up. */
const wholeNumber = (text: string, words: readonly string[]): KeyRange[] => {
  const whole = text.trim();
  if ([...whole].length > orderNumberLength || (words.length === 1 && looksLikeNumber(words[0]!) && words[0] === whole)) return [];
  return [...new Set([whole, narrow(whole)])].map((number) => ({ ...keyRange(keyKinds.number, number.toUpperCase()), exact: true }));
};

/** Parcels with one number, and those that a search by words found. */
const together = (numbered: FoundWindow, found: Search): Search => {
  if (numbered.ids.length === 0) return found;
  // Parcels above the point down to which both were searched.
  const low = Math.max(numbered.searched_to ?? 0, found.searched_to ?? 0);
  const ids = [...new Set([...numbered.ids, ...(found.ids ?? [])])].filter((id) => id >= low).toSorted((a, b) => b - a);
  const rest = found.rest.length === 0 ? [] : [sql<boolean>`(e.id = any(${numbered.ids}::bigint[]) or ${all(found.rest)})`];
  return { ids, rest, missing: [], searched_to: low === 0 ? null : low };
};

/** The quick search of the parcel list: the newest parcels of `where` that have all its words, or its text as their number, found in the key table (docs/decisions/0036). */
export const searchParcels = async (tx: Tx, scope: Scope, reach: PhoneReach, q: string | undefined, where: Reach): Promise<Search> => {
  const text = visibleText(q ?? '');
  const words = searchWords(joinedPhone(text));
  if (words.length === 0) return { ids: null, rest: [], missing: [], searched_to: null };
  const whole = wholeNumber(text, words);
  const numbered = (whole.length === 0 ? null : await windowOf(tx, scope, whole, [], where)) ?? { ids: [], searched_to: null };
  if (isNumberList(words)) {
    const found = await manyNumbers(tx, scope, reach, words);
    // A name may hold figures too.
    if (found.ids!.length > 0 || words.every(looksLikeNumber)) return together(numbered, found);
  }
  return together(numbered, await byWords(tx, scope, reach, words, where));
};
