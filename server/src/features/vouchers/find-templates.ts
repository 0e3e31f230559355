import type { Found } from '@waystation/contract/shell/global-search.ts';
import { mostFound } from '@waystation/contract/shell/global-search.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { beginsWith, named } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';

/** Finds freight templates by a part of the name or of its pinyin. */
const find = async (_app: App, work: ReaderWork, q: string): Promise<Found['templates'][]> => {
  const { rows } = await sql<Found['templates']>`select r.id, r.name, r.provider, r.status
    from vouchers r where ${named('r.name', 'r.pinyin')(q)}
    order by ${beginsWith('r.name')(q)} desc, r.name, r.id
    limit ${sql.lit(mostFound + 1)}`.execute(work.tx);
  return rows;
};

export const foundTemplates: FeaturePart = { finds: { templates: find } };
