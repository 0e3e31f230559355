import { shownDigits } from '@waystation/contract/parcels/phone.ts';
import { orderNumberLength } from '@waystation/contract/base/limits.ts';
import {
  isNumberList,
  looksLikeNumber,
  narrow,
  searchWords,
} from '@waystation/contract/shell/search.ts';
import { visibleText } from '@waystation/contract/base/visible-text.ts';
import { firstOf, present } from '@waystation/contract/base/present.ts';
import { all } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { joinedPhone, wholePhone } from '#domain/phone-search/phone-search.ts';
import { expressColumnList } from '#domain/express/express-reads.ts';
import {
  inAllStations,
  keyKinds,
  keyRange,
  newestOf,
  rarestOf,
  windowByIds,
  windowOf,
} from './search-keys.ts';
import type { FoundWindow, KeyRange, Reach } from './search-keys.ts';

/** The result of a search. */
export interface Search {
  /** The ids found, newest first, at most one search range; null if there is no search. */
  ids: number[] | null;
  /** Further conditions that the found parcels `e` must meet. */
  rest: Condition[];
  /** The searched numbers that match no parcel, if several numbers are searched. */
  missing: string[];
  /** The id of the oldest parcel that was searched; null if all parcels were searched. */
  searched_to: number | null;
}

/**
 * The place of a page in a search: in the search range of parcels older than `before`, after the
 * list's own `cursor`.
 */
export interface SearchPlace {
  before: number | null;
  cursor: string | undefined;
}

const searchCursor = /^b(\d{1,15})~(.*)$/;

/**
 * Reads a cursor that `nextPlace` made. Any other cursor is the list's own, within the search range
 * of the filters.
 */
export const placeOf = ({
  cursor,
  searched_before = null,
}: {
  cursor?: string | undefined;
  searched_before?: number | null | undefined;
}): SearchPlace => {
  const [, before, own] = searchCursor.exec(cursor ?? '') ?? [];
  return before === undefined
    ? { before: searched_before, cursor }
    : { before: Number(before), cursor: own || undefined };
};

/**
 * The cursor of the next page: after `own` in the same search range, or in the next range if this
 * one has no further page. Null if no parcels are left.
 */
export const nextPlace = (
  { before }: SearchPlace,
  own: string | null,
  { searched_to }: Pick<Search, 'searched_to'>,
): string | null => {
  if (own !== null) return before === null ? own : `b${before}~${own}`;
  return searched_to === null ? null : `b${searched_to}~`;
};

const mostWords = 8;
/**
 * The number of characters of a longer word that are looked up. The other characters are compared
 * with the found parcels.
 */
const lookedUp = 12;

const reversed = (word: string): string => [...word].toReversed().join('');

/**
 * The reach of a search by phone. Complete phones of other stations match only in a counted search
 * for one phone (phone-search.ts).
 */
export interface PhoneReach {
  /** The reader's own station; null for administrators. */
  station_id: number | null;
  /** True if the search is for one complete phone and was counted as such. */
  everywhere: boolean;
}

const phoneDigits = (word: string): string | null =>
  wholePhone(word) ?? (/^\d{4,12}$/.test(word) ? word : null);

/**
 * The key ranges for the end of a phone. Phones of other stations match only by their visible
 * digits or as a whole, because other ends would reveal the masked digits one by one.
 */
const phoneRanges = ({ station_id, everywhere }: PhoneReach, word: string): KeyRange[] => {
  const digits = phoneDigits(word);
  if (digits === null) return [];
  const range = keyRange(keyKinds.phone, reversed(digits));
  if (digits.length <= shownDigits) return [range];
  const own = station_id === null ? [] : [{ ...range, station_id }];
  return everywhere ? [...own, { ...range, exact: true }] : own;
};

/**
 * The key ranges for a complete waybill number, order number or phone, or for its beginning or end.
 */
const numberRanges = (reach: PhoneReach, word: string): KeyRange[] => {
  const key = word.toUpperCase();
  return [
    keyRange(keyKinds.number, key),
    keyRange(keyKinds.numberEnd, reversed(key)),
    ...phoneRanges(reach, word),
  ];
};

/**
 * The same condition as `numberRanges`, but on the columns of a parcel. It is used for beginnings
 * that are too frequent for a look-up.
 */
const numberCondition = (reach: PhoneReach, word: string): Condition => {
  const key = word.toUpperCase();
  const begins = ['delivery_id', 'return_delivery_id', 'order_id', 'thr_order_id'].map(
    (column) => sql`starts_with(upper(${sql.ref(`e.${column}`)}),
    ${key})`,
  );
  const ends = ['delivery_id', 'order_id'].map(
    (column) => sql`right(upper(${sql.ref(`e.${column}`)}),
    ${key.length}) = ${key}`,
  );
  const digits = phoneDigits(word) ?? '';
  const phones = phoneRanges(reach, word).flatMap(({ exact, station_id }) =>
    ['sender_phone', 'receive_phone'].map((column) => {
      const own = sql`phone_digits(${sql.ref(`e.${column}`)})`;
      const same = exact
        ? sql`${own} = ${digits}`
        : sql`right(${own},
        ${digits.length}) = ${digits}`;
      return station_id === undefined
        ? same
        : sql`(e.station_id = ${station_id}
        and ${same})`;
    }),
  );
  return sql<boolean>`(${sql.join([...begins, ...ends, ...phones], sql` or `)})`;
};

interface NameWord {
  /** The keys, all of which a matching parcel has. */
  keys: string[];
  /**
   * The conditions that the keys do not cover: the order of the pairs, and the rest of a longer
   * word.
   */
  rest: Condition[];
}

/** The search keys of a part of a name. A single character must be the whole name. */
const nameWord = (word: string): NameWord => {
  const characters = [...word];
  if (characters.length === 1) return { keys: [word], rest: [] };
  const start = characters.slice(0, lookedUp);
  const pairs = [...new Set(start.slice(1).map((character, index) => start[index]! + character))];
  return {
    keys: pairs,
    rest:
      characters.length === 2
        ? []
        : [
            sql<boolean>`(position(${word} in e.sender_name) > 0
      or position(${word} in e.receive_name) > 0)`,
          ],
  };
};

/**
 * Searches for several complete numbers of any kind; numbers not found are returned as missing. A
 * phone matches only in the reader's own station, so that `missing` reveals nothing about other
 * stations.
 */
const manyNumbers = async (
  work: Work,
  { station_id }: PhoneReach,
  words: string[],
): Promise<Search> => {
  const wanted = words.map((word) => word.toUpperCase());
  const phones = new Map(
    wanted.flatMap((word) =>
      phoneDigits(word) === null ? [] : [[reversed(present(phoneDigits(word))), word] as const],
    ),
  );
  const own =
    station_id === null
      ? sql``
      : sql`union all select express_id, key, kind from express_keys k
        where ${scopeCondition(work, 'k.station_id', 'k.user_id')}
      and k.kind = ${keyKinds.phone} and k.key = any(${[...phones.keys()]})
        and k.station_id = ${station_id}`;
  const { rows } = await sql<RowOf<'express_keys', 'express_id' | 'key' | 'kind'>>`
    select express_id, key, kind from express_keys k
      where ${scopeCondition(work, 'k.station_id', 'k.user_id')}
      and ${work.scope.kind === 'stations' && work.scope.stations.length === 1 ? sql`true` : inAllStations}
        and k.kind = ${keyKinds.number} and k.key = any(${wanted}) ${own}`.execute(work.tx);
  const found = new Set(
    rows.map((row) => (row.kind === keyKinds.phone ? present(phones.get(row.key)) : row.key)),
  );
  const ids = [...new Set(rows.map((row) => row.express_id))];
  return {
    ids,
    rest: [],
    searched_to: null,
    missing: words.filter((word) => !found.has(word.toUpperCase())),
  };
};

/**
 * The columns, listed by name: a statement with a star would be planned at each call, which took
 * half of a search's time.
 */
const allColumns = expressColumnList();

/**
 * The parcels `e` that a list reads. Found parcels are read only by their ids, so that no plan
 * reads all parcels in the order of the list.
 */
export const foundParcels = ({ ids }: Pick<Search, 'ids'>) =>
  ids === null
    ? sql`expresses e`
    : sql`(select ${allColumns} from expresses
    where id = any(${ids}::bigint[]) offset 0) e`;

/**
 * Searches by words. Numbers are searched first, because few parcels are in their ranges, then the
 * rarest pair of characters. The other words are compared with the found parcels.
 */
const byWords = async (
  work: Work,
  reach: PhoneReach,
  words: string[],
  where: Reach,
): Promise<Search> => {
  if (words.length > mostWords) fail('too_many_words', { limit: mostWords });
  const numbers = words.filter(looksLikeNumber);
  const names = words.filter((word) => !looksLikeNumber(word)).map(nameWord);
  const keys = [...new Set(names.flatMap((name) => name.keys))];
  const rest = names.flatMap((name) => name.rest);
  const restBut = (lead?: string): Condition[] => [
    ...rest,
    ...numbers.filter((word) => word !== lead).map((word) => numberCondition(reach, word)),
  ];
  for (const number of numbers) {
    const window = await windowOf(work, numberRanges(reach, number), keys, where);
    if (window !== null) return { ...window, rest: restBut(number), missing: [] };
  }
  if (keys.length === 0)
    return { ...(await windowByIds(work, all(restBut()), where)), rest: [], missing: [] };
  const rarestFirst = keys.length === 1 ? keys : await rarestOf(work, keys, where.before);
  return { ...(await newestOf(work, rarestFirst, where)), rest: restBut(), missing: [] };
};

/**
 * The key range of the whole text as a shop's order number, which may contain any characters; empty
 * if the search by words finds it anyway.
 */
const wholeNumber = (text: string, words: readonly string[]): KeyRange[] => {
  const whole = text.trim();
  if (
    [...whole].length > orderNumberLength ||
    (words.length === 1 && looksLikeNumber(firstOf(words)) && words[0] === whole)
  )
    return [];
  return [...new Set([whole, narrow(whole)])].map((number) => ({
    ...keyRange(keyKinds.number, number.toUpperCase()),
    exact: true,
  }));
};

/** Merges the parcels found by number and the parcels found by words. */
const together = (numbered: FoundWindow, found: Search): Search => {
  if (numbered.ids.length === 0) return found;
  // The lowest id down to which both searches have read completely.
  const low = Math.max(numbered.searched_to ?? 0, found.searched_to ?? 0);
  const ids = [...new Set([...numbered.ids, ...(found.ids ?? [])])]
    .filter((id) => id >= low)
    .toSorted((a, b) => b - a);
  const rest =
    found.rest.length === 0
      ? []
      : [
          sql<boolean>`(e.id = any(${numbered.ids}::bigint[])
    or ${all(found.rest)})`,
        ];
  return { ids, rest, missing: [], searched_to: low === 0 ? null : low };
};

/**
 * The quick search of the parcel list. It finds in the key table the newest parcels of `where` that
 * contain all words, or whose number is the text (docs/decisions/0036).
 */
export const searchParcels = async (
  work: Work,
  reach: PhoneReach,
  q: string | undefined,
  where: Reach,
): Promise<Search> => {
  const text = visibleText(q ?? '');
  const words = searchWords(joinedPhone(text));
  if (words.length === 0) return { ids: null, rest: [], missing: [], searched_to: null };
  const whole = wholeNumber(text, words);
  const numbered = (whole.length === 0 ? null : await windowOf(work, whole, [], where)) ?? {
    ids: [],
    searched_to: null,
  };
  if (isNumberList(words)) {
    const found = await manyNumbers(work, reach, words);
    // Names may contain digits too.
    if (present(found.ids).length > 0 || words.every(looksLikeNumber))
      return together(numbered, found);
  }
  return together(numbered, await byWords(work, reach, words, where));
};
