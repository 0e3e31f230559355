import type pg from 'pg';
import type { Answer, Api } from './api.ts';
import { backendTime, deallocate, lookAt, replay, unitsOf } from './bare.ts';
import type { Bare, Looked } from './bare.ts';
import type { Case } from './cases.ts';
import type { Side } from './sides.ts';

export interface Figure {
  /** The number of parcels in the network. */
  parcels: number;
  role: string;
  name: string;
  /** The status of the first response that was not 200; 200 if every response was 200. */
  status: number;
  runs: number;
  /**
   * The median and the 99th percentile of the durations in milliseconds. If there are fewer than a
   * hundred requests, `p99` is the duration of the slowest request.
   */
  median: number;
  p99: number;
  node: number;
  database: number;
  bare: number | null;
  looked: Looked | null;
  answered: number;
  /** The number of SQL statements that were recorded and executed again. */
  statements: number;
  /**
   * True if the statement must read all rows of the days to which its filter or sort order limits
   * it. The number of these rows does not grow with the age of the network.
   */
  isBounded: boolean;
  isMiss: boolean;
}

const most = { usual: 20, often: 100 };
/** The time limit for all requests of one case, in milliseconds. */
const budget = { usual: 1_000, often: 4_000 };
/** A case whose first response takes longer than this, in milliseconds, is not warmed up. */
const slow = 1_000;
/** The maximum number of rows that a request may read for each row in its response. */
const tolerated = 50;

export const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(times.length * part) - 1)]!;

/**
 * Returns the number of rows in the response to a list. For another response, such as the numbers
 * of the Workplace, returns the number of its values.
 */
const answeredBy = (path: string, text: string): number => {
  const { data } = JSON.parse(text) as { data: unknown };
  const leaves = (value: unknown): number =>
    value !== null && typeof value === 'object'
      ? Object.values(value).reduce((sum: number, one) => sum + leaves(one), 0)
      : 1;
  const items = path.includes('/workplace/')
    ? undefined
    : (data as { items?: unknown[] } | null)?.items;
  return Math.max(1, items ? items.length : leaves(data));
};

const backendsOf = async (owner: pg.Client): Promise<number[]> => {
  const { rows } = await owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'waystation'`,
  );
  return rows.map(({ pid }) => pid);
};

const round = (value: number): number => Math.round(value * 10) / 10;

/**
 * Returns a function that gives the URL path of each run. Returns null if the case needs a next
 * page and none exists.
 */
const pathsOf = async (
  api: Api,
  token: string,
  one: Case,
): Promise<((run: number) => string) | null> => {
  if (!one.next) return one.path;
  const { status, text } = await api.ask(token, one.path(0));
  if (status !== 200) return one.path;
  const { data } = JSON.parse(text) as { data: { next_cursor: string | null } };
  return data.next_cursor === null ? null : (run) => `${one.path(run)}&cursor=${data.next_cursor}`;
};

/**
 * Sends the same request repeatedly. Stops when the number of runs or the time limit is reached, or
 * if a response has another status than 200.
 */
const askOften = async (
  ask: (run: number) => Promise<Answer>,
  one: Case,
): Promise<{ times: number[]; status: number }> => {
  const kind = one.often ? 'often' : 'usual';
  const times: number[] = [];
  for (
    const until = performance.now() + budget[kind];
    times.length < 1 || (times.length < most[kind] && performance.now() < until);
  ) {
    const { ms, status } = await ask(times.length);
    times.push(ms);
    if (status !== 200) return { times, status };
  }
  return { times, status: 200 };
};

const replayOften = async (
  bare: Bare,
  units: Parameters<typeof replay>[1],
  count: number,
): Promise<number | null> => {
  const times: number[] = [];
  for (
    const until = performance.now() + budget.usual;
    times.length < 1 || (times.length < count && performance.now() < until);
  ) {
    const ms = await replay(bare, units).catch(() => null);
    if (ms === null) break;
    times.push(ms);
  }
  return times.length > 0 ? round(percentile(times, 0.5)) : null;
};

/**
 * Runs the reads several times and returns the fastest run. The first run is slower, because its
 * data is not in memory yet.
 */
const lookOften = async (
  bare: Bare,
  units: Parameters<typeof replay>[1],
  count: number,
): Promise<Looked | null> => {
  let best: Looked | null = null;
  for (let n = 0; n < count; n++) {
    const looked = await lookAt(bare, units).catch(() => null);
    if (looked === null) return null;
    if (best === null || looked.ms < best.ms) best = looked;
  }
  return best;
};

/**
 * Measures one case of a role. The runs alternate between the product and bare `pg`. Returns null
 * if the network has no such case.
 */
export const measure = async (
  { api, bare, owner, parcels }: Side,
  role: string,
  token: string,
  one: Case,
): Promise<Figure | null> => {
  const paths = await pathsOf(api, token, one);
  if (paths === null) return null;
  const ask = (run: number): Promise<Answer> => api.ask(token, paths(run), one.body);
  let warm: Answer | null = null;
  const recorded = await api.record(async () => {
    warm = await ask(0);
  });
  warm = warm!.ms > slow ? warm! : await ask(0);
  const isBounded = /_from=/.test(paths(0));
  const failed = {
    parcels,
    role,
    name: one.name,
    runs: 1,
    p99: 0,
    node: 0,
    database: 0,
    bare: null,
    looked: null,
    answered: 0,
    statements: 0,
    isBounded,
    isMiss: true,
  };
  if (warm.status !== 200) return { ...failed, status: warm.status, median: round(warm.ms) };
  const units = unitsOf(recorded);
  const backends = await backendsOf(owner);
  const [node, database] = [api.nodeTime(), backendTime(backends)];
  const { times, status } = await askOften(ask, one);
  if (status !== 200) return { ...failed, status, median: round(times.at(-1)!) };
  const used = {
    node: (api.nodeTime() - node) / times.length,
    database: (backendTime(backends) - database) / times.length,
  };
  const looked = await lookOften(bare, units, one.often ? 3 : 1);
  const plain = await replayOften(bare, units, times.length);
  await deallocate(bare, units);
  const answered = answeredBy(paths(0), warm.text);
  return {
    parcels,
    role,
    name: one.name,
    status,
    runs: times.length,
    median: round(percentile(times, 0.5)),
    p99: round(percentile(times, 0.99)),
    node: round(used.node),
    database: round(used.database),
    bare: plain,
    looked,
    answered,
    statements: units.reduce((sum, { statements }) => sum + statements.length, 0),
    isBounded,
    isMiss: looked === null || units.length === 0 || looked.rows > tolerated * answered,
  };
};

const readOf = ({ looked, statements, answered }: Figure): string => {
  if (looked === null) return 'its SQL could not be repeated';
  return statements === 0
    ? 'no statement was seen'
    : `read ${looked.rows} for ${answered}, ${looked.pages} pages`;
};

/**
 * Returns the text for the 99th percentile. With fewer than a hundred requests that percentile has
 * no meaning, so the text shows the slowest request.
 */
export const tailOf = ({ p99, runs }: Figure): string =>
  runs < most.often ? `slowest of ${runs} ${p99}` : `p99 of ${runs} ${p99}`;

export const lineOf = (figure: Figure): string => {
  const { role, name, status, median, node, database, bare, isBounded, isMiss } = figure;
  const missed = isMiss ? (isBounded ? ' MISSED within its days' : ' MISSED') : '';
  if (status !== 200) return `   ${role} ${name}: answered ${status} after ${median} ms${missed}`;
  return `   ${role} ${name}: median ${median} ms, ${tailOf(figure)}, node ${node}, pg ${database}, bare ${bare ?? '–'} ms; ${readOf(figure)}${missed}`;
};
