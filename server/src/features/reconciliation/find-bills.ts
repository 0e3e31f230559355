import type { Found } from '@waystation/contract/shell/global-search.ts';
import { mostFound } from '@waystation/contract/shell/global-search.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { billText } from '#domain/reconciliation/reconciliation.ts';
import { sql } from '#platform/db/db.ts';
import type { ReaderWork } from '#platform/db/db.ts';

/** Finds carrier bills by a part of their file name, or by the beginning of their month. */
const find = async (_app: App, work: ReaderWork, q: string): Promise<Found['bills'][]> => {
  const { rows } = await sql<Found['bills']>`select r.id, r.file_name, r.period, r.provider,
    r.status from reconciliations r where ${billText(q)} order by r.created_at desc, r.id desc
    limit ${sql.lit(mostFound + 1)}`.execute(work.tx);
  return rows;
};

export const foundBills: FeaturePart = { finds: { bills: find } };
