import { shownDigits } from '@waystation/contract/phone.ts';
import { looksLikeNumber, searchWords } from '@waystation/contract/search.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { RowOf, Tx } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';
import { joinedPhone, wholePhone } from '#domain/phone-search/phone-search.ts';

type Query = ReturnType<typeof sql>;

/** What a search found, as a condition on parcels `e`; `missing`: of several numbers, those that nothing answers to. */
export interface Search {
  condition: Condition | null;
  missing: string[];
}

const mostWords = 8;
/** Of a longer word so many characters are looked up; the rest is compared on what they find. */
const lookedUp = 12;
/** Up to so many parcels are found once and named by their ids; of more, each query of the list contains the lookup. */
const mostIds = 5_000;

/** Smallest text above every text that begins with `prefix`, in byte order. */
const above = (prefix: string): string => `${prefix}\u{10ffff}`;

const reversed = (word: string): string => [...word].toReversed().join('');

const union = (queries: readonly Query[]): Query => sql`(${sql.join(queries as Query[], sql` union `)})`;

/** Parcels by keys of the key table, asked by equality and range, which keeps its index under row-level security (docs/decisions/0004). */
const keyed = (scope: Scope, kind: string, condition: Condition): Query =>
  sql`select k.express_id from express_keys k where ${scopeCondition(scope, 'k.station_id', 'k.user_id')} and k.kind = ${kind} and ${condition}`;

const exact = (scope: Scope, kind: string, key: string): Query => keyed(scope, kind, sql<boolean>`k.key = ${key}`);
const begins = (scope: Scope, kind: string, key: string): Query => keyed(scope, kind, sql<boolean>`k.key >= ${key} and k.key < ${above(key)}`);

/** Whose phones are matched how: whole ones everywhere only where one phone alone is asked for, and that was counted (phone-search.ts). */
export interface PhoneReach {
  /** The reader's own station; null for the office. */
  station_id: number | null;
  /** The search is one whole phone, which was counted. */
  everywhere: boolean;
}

const phoneDigits = (word: string): string | null => wholePhone(word) ?? (/^\d{4,12}$/.test(word) ? word : null);

/** The end of a phone. In other stations only by its visible digits or whole, because any other end would reveal the masked digits one by one. */
const phoneQueries = (scope: Scope, { station_id, everywhere }: PhoneReach, word: string): Query[] => {
  const digits = phoneDigits(word);
  if (digits === null) return [];
  const key = reversed(digits);
  if (digits.length <= shownDigits) return [begins(scope, 'p', key)];
  const own = keyed(scope, 'p', sql<boolean>`k.key >= ${key} and k.key < ${above(key)} and k.station_id = ${station_id}`);
  return everywhere ? [own, exact(scope, 'p', key)] : [own];
};

interface WordSearch {
  /** Ids of the parcels that have the word's keys. */
  query: Query;
  /** What else must hold of them. */
  rest: Condition[];
}

/** One word: the beginning or the end of a number, the end of a phone, or part of a name. */
const wordSearch = (scope: Scope, reach: PhoneReach, word: string): WordSearch => {
  if (looksLikeNumber(word)) {
    const key = word.toUpperCase();
    const numbers = [
      begins(scope, 'd', key),
      begins(scope, 'o', key),
      begins(scope, 't', key),
      begins(scope, 'rd', reversed(key)),
      begins(scope, 'ro', reversed(key)),
    ];
    return { query: union([...numbers, ...phoneQueries(scope, reach, word)]), rest: [] };
  }
  const characters = [...word];
  if (characters.length === 1) return { query: begins(scope, 'n', word), rest: [] };
  const start = characters.slice(0, lookedUp);
  const pairs = [...new Set(start.slice(1).map((character, index) => start[index]! + character))];
  const query = sql`${keyed(scope, 'n', sql<boolean>`k.key = any(${pairs}::text[])`)} group by k.express_id having count(*) = ${pairs.length}`;
  // Every pair is there; the name itself then settles their order and the rest of the word.
  return { query, rest: characters.length === 2 ? [] : [sql<boolean>`(position(${word} in e.sender_name) > 0 or position(${word} in e.receive_name) > 0)`] };
};

/** Several numbers at once: each whole, of any kind; what is missing is named. A phone answers in the reader's own station alone, so that `missing` tells of no other. */
const manyNumbers = async (tx: Tx, scope: Scope, { station_id }: PhoneReach, words: string[]): Promise<Search> => {
  const wanted = words.map((word) => word.toUpperCase());
  const phones = new Map(wanted.flatMap((word) => (phoneDigits(word) === null ? [] : [[reversed(phoneDigits(word)!), word] as const])));
  const { rows } = await sql<RowOf<'express_keys', 'express_id' | 'key' | 'kind'>>`
    select express_id, key, kind from express_keys k where ${scopeCondition(scope, 'k.station_id', 'k.user_id')}
      and ((k.kind in ('d', 'o', 't') and k.key = any(${wanted})) or (k.kind = 'p' and k.key = any(${[...phones.keys()]}) and k.station_id = ${station_id}))`.execute(
    tx,
  );
  const found = new Set(rows.map((row) => (row.kind === 'p' ? phones.get(row.key)! : row.key)));
  const ids = [...new Set(rows.map((row) => row.express_id))];
  return { condition: sql<boolean>`e.id = any(${ids}::bigint[])`, missing: words.filter((word) => !found.has(word.toUpperCase())) };
};

/** The quick search of the parcel list: one lookup in the key table for all its words. */
export const searchCondition = async (tx: Tx, scope: Scope, reach: PhoneReach, q: string | undefined): Promise<Search> => {
  const words = searchWords(joinedPhone(q ?? ''));
  if (words.length === 0) return { condition: null, missing: [] };
  if (words.length > 1 && words.every(looksLikeNumber)) return manyNumbers(tx, scope, reach, words);
  if (words.length > mostWords) fail('too_many_words', { limit: mostWords });
  const searches = words.map((word) => wordSearch(scope, reach, word));
  const lookup = sql.join(
    searches.map(({ query }) => sql`(${query})`),
    sql` intersect `,
  );
  const { rows } = await sql<{ express_id: number }>`select express_id from (${lookup}) found limit ${mostIds + 1}`.execute(tx);
  const among = rows.length > mostIds ? sql<boolean>`e.id in (${lookup})` : sql<boolean>`e.id = any(${rows.map((row) => row.express_id)}::bigint[])`;
  const rest = searches.flatMap((search) => search.rest);
  return { condition: sql<boolean>`(${sql.join([among, ...rest], sql` and `)})`, missing: [] };
};
