import { firstOf } from '@waystation/contract/base/present.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { oneRow, sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import type { Scoped } from '#platform/db/scope.ts';

type Query = ReturnType<typeof sql>;

/** The numbers of the kinds of keys in `express_keys`. */
export const keyKinds = { number: 1, numberEnd: 2, phone: 3, name: 4 } as const;

/** The limits of a search's reads; a test lowers them. */
export const searchBounds = {
  /**
   * The limit of keys that are read for a range or a pair of characters, and the limit of parcels
   * that are read by id.
   */
  walked: 20_000,
  /** The limit of parcels that one read of a search returns. */
  found: 1_000,
};
/**
 * The number of keys that are read for each pair to find the rarest, the minimum for each station,
 * and the limit of compared pairs.
 */
const probed = { keys: 100, fewest: 5, pairs: 16 };
/** The minimum number of newest keys that are read for each station, if there are several. */
const fewest = 20;

/** The limits of a search: which parcels it reads, and how many it returns. */
export interface Reach {
  /** Only parcels with a smaller id are read; null if all parcels are read. */
  before: number | null;
  /** The limit of parcels that are returned, at most `searchBounds.found`. */
  most: number;
}

/**
 * The found parcels, newest first. Every parcel with an id from `searched_to` on was searched; null
 * if all were.
 */
export interface FoundWindow {
  ids: number[];
  searched_to: number | null;
}

/** The keys that begin with `key`, or that equal it; only keys of one station if it is set. */
export interface KeyRange {
  kind: number;
  key: string;
  exact?: boolean;
  station_id?: number;
}

export const keyRange = (kind: number, key: string): KeyRange => ({ kind, key });

/** A text that is greater, in byte order, than every text that begins with `prefix`. */
const above = (prefix: string): string => `${prefix}\u{10ffff}`;

const within = ({ kind, key, exact }: KeyRange): Condition =>
  exact
    ? sql<boolean>`k.kind = ${kind}
    and k.key = ${key}`
    : sql<boolean>`k.kind = ${kind}
    and k.key >= ${key} and k.key < ${above(key)}`;

/**
 * The condition of the index over all stations (`express_keys_all`). Queries by station leave it
 * out, so that they cannot use that index.
 */
export const inAllStations = sql<boolean>`k.express_id > 0`;

const pair = (key: string): KeyRange => ({ kind: keyKinds.name, key, exact: true });
const older = (column: string, before: number | null): Condition =>
  before === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} < ${before}`;

/**
 * The stations that are read one by one, each from its own range of the index; null if all are read
 * at once.
 */
const stationsOf = (work: Scoped, { station_id }: KeyRange): readonly number[] | null =>
  station_id !== undefined ? [station_id] : work.scope.kind === 'all' ? null : work.scope.stations;

/**
 * Finds the parcels that have a key in this range, as rows (stream, station_id, express_id). `tail`
 * orders and limits the rows of one stream. The conditions only compare numbers, or text in byte
 * order, because PostgreSQL evaluates these in the index before it checks the policy. A search
 * therefore never reads keys that the policy hides.
 */
const keysOf = (work: Scoped, range: KeyRange, before: number | null, tail: Query): Query => {
  const stations = stationsOf(work, range);
  const read = (station: Condition): Query =>
    sql`select k.station_id, k.express_id from express_keys k where ${station}
      and ${within(range)} and ${older('k.express_id', before)} ${tail}`;
  if (stations === null)
    return sql`select 0 as stream, k.station_id, k.express_id
    from (${read(inAllStations)}) k`;
  const allowed = scopeCondition(work, 'k.station_id', 'k.user_id');
  if (stations.length === 1)
    return sql`select 0 as stream, k.station_id, k.express_id
      from (${read(sql<boolean>`k.station_id = ${firstOf(stations)}
      and ${allowed}`)}) k`;
  return sql`select s.id as stream, k.station_id, k.express_id
    from unnest(${stations}::bigint[]) s (id) cross
    join lateral (${read(sql<boolean>`k.station_id = s.id
    and ${allowed}`)}) k`;
};

/**
 * The number of newest keys that are read of each stream, so that all streams together read `most`.
 */
const perStream = (work: Scoped, most: number, least = fewest): number => {
  const streams = work.scope.kind === 'all' ? 1 : Math.max(work.scope.stations.length, 1);
  return streams === 1 ? most : Math.max(least, Math.floor(most / streams));
};

const newest = (limit: number): Query => sql`order by k.express_id desc
  limit ${sql.lit(limit)}`;

/**
 * The condition that parcels of `w` also have these pairs of characters, with one look-up in the
 * primary key for each. It compares a value, because PostgreSQL may turn an `exists` into a join
 * that reads all keys of the other pair.
 */
const having = (keys: readonly string[]): Condition =>
  sql<boolean>`${sql.join(
    [
      sql`true`,
      ...keys.map(
        (key) =>
          sql`(select o.express_id from express_keys o where o.station_id = w.station_id
            and o.kind = ${keyKinds.name} and o.key = ${key} and o.express_id = w.express_id
            limit 1) is not null`,
      ),
    ],
    sql` and `,
  )}`;

/** One parcel above the limit of a search range shows that the range has older parcels. */
const windowFrom = (ids: number[], low: number, most: number): FoundWindow =>
  ids.length > most
    ? { ids: ids.slice(0, most), searched_to: ids[most - 1]! }
    : { ids, searched_to: low > 0 ? low : null };

/**
 * Returns the newest parcels older than `before` that have a key in one of the ranges and all of
 * these pairs of characters; null if a range has more keys than the limit.
 */
export const windowOf = async (
  work: Work,
  ranges: readonly KeyRange[],
  pairs: readonly string[],
  { before, most }: Reach,
): Promise<FoundWindow | null> => {
  const reads = ranges.map(
    (range, at) =>
      sql`(select ${sql.lit(at)} as range, k.stream, k.station_id, k.express_id
        from (${keysOf(work, range, null, sql``)}) k
        limit ${sql.lit(searchBounds.walked + 1)})`,
  );
  const { frequent, ids } = await oneRow(
    work,
    sql<{ frequent: boolean; ids: number[] }>`with walked as materialized (${sql.join(
      reads,
      sql`
      union all `,
    )}),
      found as (select distinct w.express_id from walked w
        where ${older('w.express_id', before)} and ${having(pairs)} order by 1 desc
        limit ${sql.lit(most + 1)})
    select exists (select 1 from walked group by range
      having count(*) > ${sql.lit(searchBounds.walked)}) as frequent,
      array(select express_id from found order by 1 desc) as ids`,
  );
  return frequent ? null : windowFrom(ids, 0, most);
};

/**
 * Sorts several pairs of characters, the rarest first: the pair with the fewest keys, or the pair
 * whose newest keys are the furthest back.
 */
export const rarestOf = async (
  work: Work,
  keys: readonly string[],
  before: number | null,
): Promise<string[]> => {
  const compared = keys.slice(0, probed.pairs);
  const probes = compared.map(
    (key, at) =>
      sql`select ${sql.lit(at)} as at, count(*) as n, avg(k.express_id) as newest
        from (${keysOf(work, pair(key), before, newest(perStream(work, probed.keys, probed.fewest)))}) k`,
  );
  const { rows } = await sql<{ at: number }>`select at
    from (${sql.join(
      probes,
      sql`
    union all `,
    )}) p order by n, newest limit 1`.execute(work.tx);
  const rarest = compared[firstOf(rows).at]!;
  return [rarest, ...keys.filter((key) => key !== rarest)];
};

/**
 * Returns parcels older than `before` that contain the pair `key` and all other pairs. It reads the
 * newest `limit` keys of each stream: of each station, or of everything if the scope is all
 * stations or one account. Every such parcel from id `low` on is found.
 */
const walkPair = (
  work: Work,
  [key, ...others]: readonly string[],
  { before, most }: Reach,
  limit: number,
): Promise<{ low: number; ids: number[] }> =>
  oneRow(
    work,
    sql<{
      low: number;
      ids: number[];
    }>`with walked as materialized (${keysOf(work, pair(key!), before, newest(limit))}),
      -- Below the oldest key of a station with more of them, other stations' parcels would leave it out.
      reached as (select coalesce(max(low), 0) as low from (select min(express_id) as low from walked group by stream having count(*) >= ${sql.lit(limit)}) s),
      found as (select w.express_id from walked w where w.express_id >= (select low from reached) and ${having(others)} order by 1 desc limit ${sql.lit(most + 1)})
    select (select low from reached) as low, array(select express_id from found order by 1 desc) as ids`,
  );

/**
 * The number of keys that each step of a search for `most` parcels reads. The first step reads
 * twice `most`. The second reads a tenth of the limit, which is enough if most parcels have every
 * pair. The third reads the rest.
 */
const stagesFor = (most: number): number[] => {
  const { walked } = searchBounds;
  const tenth = Math.floor(walked / 10);
  const first = most * 2 < tenth ? [most * 2] : [];
  return [...first, tenth, walked - tenth - (first[0] ?? 0)];
};

/**
 * Returns the newest parcels older than `before` that have all these pairs, of which the first is
 * the rarest. Reads at most `searchBounds.walked` keys of the rarest pair.
 */
export const newestOf = async (
  work: Work,
  keys: readonly string[],
  { before, most }: Reach,
): Promise<FoundWindow> => {
  const ids: number[] = [];
  let low = before;
  for (const stage of stagesFor(most)) {
    const limit = perStream(work, stage);
    const found = await walkPair(
      work,
      keys,
      { before: low, most },
      keys.length === 1 ? Math.min(limit, most + 1) : limit,
    );
    ids.push(...found.ids);
    low = found.low;
    if (ids.length > most || low === 0) break;
  }
  return windowFrom(ids, low ?? 0, most);
};

/**
 * A range of ids without parcels: greater than `below` and at most `above`
 * (server/sql/numbers.sql).
 */
interface IdGap {
  below: number;
  above: number;
}

/**
 * The lowest of the `count` ids below `top`, without the ids in `gaps`. The gaps are sorted, the
 * newest first.
 */
export const lowestOf = (top: number, count: number, gaps: readonly IdGap[]): number => {
  let [low, left] = [top, count];
  for (const { below, above } of gaps) {
    if (low <= below) continue;
    const between = Math.max(0, low - 1 - above);
    if (left <= between) break;
    left -= between;
    low = below + 1;
  }
  return Math.max(low - left, 0);
};

/**
 * The newest parcels `e` older than `before` that meet the condition, among the last
 * `searchBounds.walked` ids. This is used for frequent texts, because a look-up would read all
 * their parcels.
 */
export const windowByIds = async (
  work: Work,
  condition: Condition,
  { before, most }: Reach,
): Promise<FoundWindow> => {
  const { newest, gaps } = await oneRow(
    work,
    sql<{ newest: number; gaps: IdGap[] }>`select
      coalesce(pg_sequence_last_value('expresses_id_seq'::regclass), 0) as newest,
      (select coalesce(jsonb_agg(jsonb_build_object('below', parcels_below,
        'above', parcels_above) order by no desc), '[]')
        from number_generations where parcels_above is not null) as gaps`,
  );
  const top = before ?? newest + 1;
  const low = lowestOf(top, searchBounds.walked, gaps);
  const { rows } = await sql<{ id: number }>`select e.id from expresses e
    where ${scopeCondition(work, 'e.station_id', 'e.user_id')}
      and e.id >= ${low} and e.id < ${top} and ${condition} order by e.id desc
        limit ${sql.lit(most + 1)}`.execute(work.tx);
  return windowFrom(
    rows.map(({ id }) => id),
    low,
    most,
  );
};
