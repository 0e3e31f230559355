import type { Found } from '@waystation/contract/shell/global-search.ts';
import { mostFound } from '@waystation/contract/shell/global-search.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { beginsWith } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';
import { textCondition } from './stations.ts';

/**
 * Finds stations by a part of their name or by its pinyin, and for administrators also by customer
 * code.
 */
const find = async (_app: App, work: ReaderWork, q: string): Promise<Found['stations'][]> => {
  const { rows } = await sql<Found['stations']>`select r.id, r.name, r.city, r.status
    from stations r where ${scopeCondition(work, 'r.id')} and ${textCondition(work.actor)(q)}
    order by ${beginsWith('r.name')(q)} desc, r.name, r.id
    limit ${sql.lit(mostFound + 1)}`.execute(work.tx);
  return rows;
};

export const foundStations: FeaturePart = { finds: { stations: find } };
