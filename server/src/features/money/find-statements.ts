import type { Found } from '@waystation/contract/shell/global-search.ts';
import { mostFound } from '@waystation/contract/shell/global-search.ts';
import { narrow } from '@waystation/contract/shell/search.ts';
import type { App } from '#app.ts';
import type { FeaturePart } from '#feature.ts';
import { listStatements } from '#domain/ledger/ledger.ts';
import type { ReaderWork } from '#platform/db/db.ts';

/**
 * Finds transactions by the numbers that their list searches: a waybill, an order or a top-up
 * number.
 */
const find = async (_app: App, work: ReaderWork, q: string): Promise<Found['statements'][]> => {
  if (!/\d/.test(narrow(q))) return [];
  const { items } = await listStatements(work, { q, page_size: mostFound + 1 });
  return items.map(({ id, type, delivery_id, amount, posted_at, created_at, station_name }) => ({
    id,
    type,
    delivery_id,
    amount,
    at: posted_at ?? created_at,
    station_name,
  }));
};

export const foundStatements: FeaturePart = { finds: { statements: find } };
