import type pg from 'pg';
import type { Answer, Api } from './api.ts';
import { backendTime, lookAt, replay, unitsOf } from './bare.ts';
import type { Bare, Looked } from './bare.ts';
import type { Case } from './cases.ts';

export interface Figure {
  role: string;
  name: string;
  status: number;
  runs: number;
  /** Milliseconds. */
  median: number;
  p99: number;
  node: number;
  database: number;
  bare: number | null;
  looked: Looked | null;
  answered: number;
  /** That were recorded and run again. */
  statements: number;
  isMiss: boolean;
}

const most = 20;
const budget = 1_000;
/** An answer that takes longer is not waited for a second time to warm up. */
const slow = 1_000;
/** Rows read for one that is answered. */
const tolerated = 50;

export const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))]!;

/** Rows of a list; of anything else, a board too, its numbers and texts. */
const answeredBy = (path: string, text: string): number => {
  const { data } = JSON.parse(text) as { data: unknown };
  const leaves = (value: unknown): number =>
    value !== null && typeof value === 'object' ? Object.values(value).reduce((sum: number, one) => sum + leaves(one), 0) : 1;
  const items = path.includes('/workplace/') ? undefined : (data as { items?: unknown[] } | null)?.items;
  return Math.max(1, items ? items.length : leaves(data));
};

const backendsOf = async (owner: pg.Client): Promise<number[]> => {
  const { rows } = await owner.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'waystation'`,
  );
  return rows.map(({ pid }) => pid);
};

const round = (value: number): number => Math.round(value * 10) / 10;

/** One thing that a role waits for, through the product and beside it, in turns. */
export const measure = async (api: Api, bare: Bare, owner: pg.Client, role: string, token: string, one: Case): Promise<Figure> => {
  let warm: Answer | null = null;
  const recorded = await api.record(async () => {
    warm = await api.ask(token, one.path(0), one.body);
  });
  warm = warm!.ms > slow ? warm! : await api.ask(token, one.path(0), one.body);
  const figure = { role, name: one.name, status: warm.status };
  if (warm.status !== 200) {
    const failed = { runs: 1, median: round(warm.ms), p99: round(warm.ms), node: 0, database: 0, bare: null, looked: null, answered: 0 };
    return { ...figure, ...failed, isMiss: warm.status >= 500 };
  }
  const units = unitsOf(recorded);
  const bareTimes: number[] = [];
  const times: number[] = [];
  const backends = await backendsOf(owner);
  const [node, database] = [api.nodeTime(), backendTime(backends)];
  for (const until = performance.now() + budget; times.length < 1 || (times.length < most && performance.now() < until);) {
    const { ms, status } = await api.ask(token, one.path(times.length), one.body);
    if (status !== 200) break;
    times.push(ms);
  }
  const used = { node: (api.nodeTime() - node) / times.length, database: (backendTime(backends) - database) / times.length };
  const looked = await lookAt(bare, units).catch(() => null);
  for (const until = performance.now() + budget; bareTimes.length < 1 || (bareTimes.length < times.length && performance.now() < until);) {
    const ms = await replay(bare, units).catch(() => null);
    if (ms === null) break;
    bareTimes.push(ms);
  }
  const answered = answeredBy(one.path(0), warm.text);
  return {
    ...figure,
    runs: times.length,
    median: round(percentile(times, 0.5)),
    p99: round(percentile(times, 0.99)),
    node: round(used.node),
    database: round(used.database),
    bare: bareTimes.length > 0 ? round(percentile(bareTimes, 0.5)) : null,
    looked,
    answered,
    isMiss: looked === null || units.length === 0 || looked.rows > tolerated * answered,
  };
};

export const lineOf = ({ role, name, status, median, p99, node, database, bare, looked, answered, isMiss }: Figure): string => {
  if (status !== 200) return `   ${role} ${name}: answered ${status} after ${median} ms${isMiss ? ' MISSED' : ''}`;
  const read = looked === null ? 'its SQL could not be repeated' : statements === 0 ? 'no statement was seen' : `read ${looked.rows} for ${answered}, ${looked.pages} pages`;
  return `   ${role} ${name}: median ${median} ms, p99 ${p99}, node ${node}, pg ${database}, bare ${bare ?? '–'} ms; ${read}${isMiss ? ' MISSED' : ''}`;
};
