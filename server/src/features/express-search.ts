import { shownDigits } from '@waystation/contract/phone.ts';
import { sql } from '#platform/db/db.ts';
import type { Tx } from '#platform/db/db.ts';
import { within } from '#platform/db/scope.ts';
import type { Scope } from '#platform/db/scope.ts';
import { fail } from '#platform/fail.ts';

type Condition = ReturnType<typeof within>;

/** What a search found, as a condition on parcels `e`; `missing`: of several numbers, those that nothing answers to. */
export interface Search {
  condition: Condition | null;
  missing: string[];
}

const mostNumbers = 2_000;
const fullWidth = /[！-～]/g;

/** Words of a search: separated by anything that is not part of a number or name, full-width figures made narrow. */
export const searchWords = (text: string): string[] => [
  ...new Set(
    text
      .replace(fullWidth, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
      .split(/[\s,;|、，；]+/)
      .map((word) => word.trim())
      .filter(Boolean),
  ),
];

const looksLikeNumber = (word: string): boolean => /^[A-Za-z0-9-]{4,50}$/.test(word) && /\d/.test(word);

/** Smallest text above every text that begins with `prefix`, in byte order. */
const above = (prefix: string): string => `${prefix}\u{10ffff}`;

const reversed = (word: string): string => [...word].toReversed().join('');

const keyed = (scope: Scope, kind: string, condition: Condition): Condition =>
  sql<boolean>`e.id in (select k.express_id from express_keys k where ${within(scope, 'k.station_id', 'k.user_id')} and k.kind = ${kind} and ${condition})`;

const exact = (scope: Scope, kind: string, key: string): Condition => keyed(scope, kind, sql<boolean>`k.key = ${key}`);
const begins = (scope: Scope, kind: string, key: string): Condition => keyed(scope, kind, sql<boolean>`k.key >= ${key} and k.key < ${above(key)}`);

const either = (conditions: Condition[]): Condition => sql<boolean>`(${sql.join(conditions, sql` or `)})`;

/** The end of a phone. Elsewhere than in one's own station only by the digits that are shown of it, or whole: any other end would tell what is masked, digit by digit. */
const phoneCondition = (scope: Scope, station_id: number | null, digits: string): Condition[] => {
  const key = reversed(digits);
  if (digits.length <= shownDigits) return [begins(scope, 'p', key)];
  return [exact(scope, 'p', key), keyed(scope, 'p', sql<boolean>`k.key >= ${key} and k.key < ${above(key)} and k.station_id = ${station_id}`)];
};

/** One word: the beginning or the end of a number, the end of a phone, or part of a name. */
const wordCondition = (scope: Scope, station_id: number | null, word: string): Condition => {
  const key = word.toUpperCase();
  if (looksLikeNumber(word)) {
    const digits = key.replaceAll(/\D/g, '');
    return either([
      begins(scope, 'd', key),
      begins(scope, 'o', key),
      begins(scope, 't', key),
      begins(scope, 'rd', reversed(key)),
      begins(scope, 'ro', reversed(key)),
      ...(digits === key && digits.length <= 12 ? phoneCondition(scope, station_id, digits) : []),
    ]);
  }
  const characters = [...word];
  if (characters.length === 1) return begins(scope, 'n', word);
  // Every bigram must be there; the name itself then settles the order of the characters.
  const bigrams = characters.slice(0, -1).map((character, index) => exact(scope, 'n', character + characters[index + 1]!));
  return sql<boolean>`(${sql.join(bigrams, sql` and `)} and (position(${word} in e.sender_name) > 0 or position(${word} in e.receive_name) > 0))`;
};

/** Several numbers at once: each whole, of any kind; what is missing is named. */
const manyNumbers = async (tx: Tx, scope: Scope, words: string[]): Promise<Search> => {
  const wanted = words.map((word) => word.toUpperCase());
  const phones = wanted.map((word) => (/^\d{4,12}$/.test(word) ? reversed(word) : null)).filter((word) => word !== null);
  const { rows } = await sql<{ express_id: number; key: string; kind: string }>`
    select express_id, key, kind from express_keys k where ${within(scope, 'k.station_id', 'k.user_id')}
      and ((k.kind in ('d', 'o', 't') and k.key = any(${wanted})) or (k.kind = 'p' and k.key = any(${phones})))`.execute(tx);
  const found = new Set(rows.map((row) => (row.kind === 'p' ? reversed(row.key) : row.key)));
  const ids = [...new Set(rows.map((row) => row.express_id))];
  return { condition: sql<boolean>`e.id = any(${ids}::bigint[])`, missing: words.filter((word) => !found.has(word.toUpperCase())) };
};

/** The quick search of the parcel list for somebody of `station_id`. Asks the key table by equality and range, which keeps its index under row-level security. */
export const searchCondition = async (tx: Tx, scope: Scope, station_id: number | null, q: string | undefined): Promise<Search> => {
  const words = searchWords(q ?? '');
  if (words.length === 0) return { condition: null, missing: [] };
  if (words.length > mostNumbers) fail('too_many_numbers', { count: words.length, limit: mostNumbers });
  if (words.length > 1 && words.every(looksLikeNumber)) return manyNumbers(tx, scope, words);
  if (words.length > 8) fail('too_many_words', { limit: 8 });
  return {
    condition: sql<boolean>`(${sql.join(
      words.map((word) => wordCondition(scope, station_id, word)),
      sql` and `,
    )})`,
    missing: [],
  };
};
