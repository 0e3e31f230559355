import type { Found } from '@waystation/contract/shell/global-search.ts';
import { mostFound } from '@waystation/contract/shell/global-search.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { all, beginsWith } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';
import { managed, textCondition } from './account-rows.ts';

/** Finds accounts that the reader manages, by the fields that the list of accounts searches. */
const find = async (_app: App, work: ReaderWork, q: string): Promise<Found['accounts'][]> => {
  const { rows } = await sql<Found['accounts']>`select r.id, r.username, r.nickname, r.role,
    r.status, s.name as station_name
    from accounts r left join stations s on s.id = r.station_id
    where ${all([...managed(work.actor), textCondition(q)])}
    order by ${beginsWith('r.username')(q)} desc, r.username
    limit ${sql.lit(mostFound + 1)}`.execute(work.tx);
  return rows;
};

export const foundAccounts: FeaturePart = { finds: { accounts: find } };
