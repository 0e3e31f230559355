import type { OfferCarriers, OfferRule } from '@waystation/contract/network/offer-rule.ts';
import { sql } from '#platform/db/db.ts';
import type { Work } from '#platform/db/db.ts';
import { scopeCondition } from '#platform/db/scope.ts';

/** A stored station. */
export interface StationRow {
  id: number;
  name: string;
  province: string;
  city: string;
  county: string;
  address: string;
  discount: number | null;
  northeast_discount: number | null;
  money: number;
  freeze: number;
  available: number;
  fixed_freeze: number;
  low_balance: number | null;
  credit_limit: number | null;
  customer_code: string;
  status: 0 | 1;
  disabled_by_office: 0 | 1;
  allow_print: 0 | 1;
  has_amount: 0 | 1;
  allow_select: 0 | 1;
  offer_rule: OfferRule;
  offer_carriers: OfferCarriers;
  offer_fallback: 0 | 1;
  profit: number;
  fixed_profit: number;
  enable_profit: 0 | 1;
  profit_limit: number;
  fixed_profit_limit: number;
  /**
   * The manager by or for whom the station was created. Null if an admin created the station, or if
   * the station is older than this column.
   */
  made_under: number | null;
  parent_id: number | null;
  project_id: number | null;
  sender_name: string;
  sender_phone: string;
  pinyin: string | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/**
 * Locks the network of stations; call it before locking the row of any station. Only one
 * transaction at a time may change the tree, its discounts and its rates, because two valid changes
 * at the same time could form a cycle.
 */
export const lockNetwork = async (work: Work): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('network', 0))`.execute(work.tx);
};

/** The ids of the station and of all stations below it, in ascending order. */
export const subtreeOf = async (work: Work, id: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    with recursive below as (
      select id from stations where id = ${id} and ${scopeCondition(work, 'id')}
      union select c.id from stations c join below b on c.parent_id = b.id
        where ${scopeCondition(work, 'c.id')})
    select id from below order by id`.execute(work.tx);
  return rows.map((row) => row.id);
};
