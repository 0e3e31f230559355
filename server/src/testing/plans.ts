import type pg from 'pg';
import type { App } from '#app.ts';

/** The fields of a node of `explain (analyze, format json)` that are read here. */
interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export interface ReadPlan {
  text: string;
  /**
   * The number of rows that the scans of the plan read from tables and indexes. It includes rows
   * that a condition then removed.
   */
  rows: number;
  /**
   * The number of rows that all steps of the plan read or discarded, including the rows of
   * intermediate results.
   */
  steps: number;
}

/**
 * True if a step counts as a scan. The index scan inside a bitmap scan does not count, because the
 * bitmap scan reads the same rows.
 */
const isScan = (type: string): boolean =>
  type.endsWith(' Scan') &&
  !/^(Bitmap Index|CTE|Subquery|Function|Values|WorkTable|Named Tuplestore) Scan$/.test(type);

const rowsOf = (node: PlanNode, counts: (type: string) => boolean): number => {
  const own = counts(node['Node Type'])
    ? (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Join Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops']
    : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child, counts), own);
};

type Query = (...args: unknown[]) => Promise<{ rows: unknown[] }>;
type Sent = string | { text: string; values?: unknown[] };

const isReading = (text: string): boolean =>
  /^\s*(?:select|with)\b/i.test(text) &&
  !/\b(?:set_config|pg_advisory|insert into|delete from|update )\b/i.test(text);

/**
 * Runs `explain` for every reading SQL statement that the application sends while `read` runs. Each
 * is explained with its own values and in its own transaction. Call this function before the
 * application opens connections, because it watches each connection from its beginning.
 */
export const watchPlans = (
  app: Pick<App, 'db'>,
): { readBy: (read: () => Promise<unknown>) => Promise<ReadPlan[]> } => {
  let plans: Promise<ReadPlan>[] | null = null;
  app.db.pool.on('connect', (client: pg.PoolClient) => {
    const send = client.query.bind(client) as unknown as Query;
    const planOf = async (text: string, values: unknown[]): Promise<ReadPlan> => {
      const { rows } = await send(`explain (analyze, timing off, format json) ${text}`, values);
      const [answer] = rows as { 'QUERY PLAN': [{ Plan: PlanNode }] }[];
      const { Plan } = answer!['QUERY PLAN'][0];
      return { text, rows: rowsOf(Plan, isScan), steps: rowsOf(Plan, () => true) };
    };
    // A commit may follow a statement without waiting for its answer. The statement and its
    // `explain` are therefore sent in the same tick.
    const watched = (sent: Sent, ...args: unknown[]): Promise<unknown> => {
      const text = typeof sent === 'string' ? sent : sent.text;
      const values = typeof sent === 'string' ? (args[0] as unknown[] | undefined) : sent.values;
      if (plans && isReading(text)) plans.push(planOf(text, values ?? []));
      return send(sent, ...args);
    };
    Object.assign(client, { query: watched });
  });
  return {
    readBy: async (read) => {
      const found: Promise<ReadPlan>[] = (plans = []);
      try {
        await read();
      } finally {
        plans = null;
      }
      return Promise.all(found);
    },
  };
};
