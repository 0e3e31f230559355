import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { sql } from '#platform/db/db.ts';
import type { scopeCondition } from '#platform/db/scope.ts';
import { failFields } from '#platform/fail.ts';

type Filters = ParsedOf<typeof listExpresses>;
type Condition = ReturnType<typeof scopeCondition>;

/** Which carrier account carried a parcel is known to super and admin alone; a filter would tell it to others. */
const ofMerchant = (actor: Actor, merchant_id: number): Condition =>
  actor.role === 'super' || actor.role === 'admin' ? sql<boolean>`e.merchant_id = ${merchant_id}` : failFields({ merchant_id: { code: 'field_not_yours' } });

/** Parcels `e` by what stands in their own fields: people, carrier account, scheme, template, goods, insurance, amount, weight difference. */
export const fieldConditions = (actor: Actor, filters: Filters): Condition[] => [
  ...(filters.user_id !== undefined ? [sql<boolean>`e.user_id = ${filters.user_id}`] : []),
  ...(filters.merchant_id !== undefined ? [ofMerchant(actor, filters.merchant_id)] : []),
  ...(filters.project_id !== undefined ? [sql<boolean>`e.project_id = ${filters.project_id}`] : []),
  ...(filters.voucher_id !== undefined ? [sql<boolean>`e.voucher_id = ${filters.voucher_id}`] : []),
  ...(filters.goods ? [sql<boolean>`e.goods = ${filters.goods}`] : []),
  ...(filters.insured !== undefined ? [sql<boolean>`(e.guarantee_amount > 0 or e.guarantee_value_amount > 0) = ${filters.insured === 1}`] : []),
  ...(filters.post_amount_from !== undefined ? [sql<boolean>`(e.voucher_id is not null and e.post_amount >= ${filters.post_amount_from})`] : []),
  ...(filters.post_amount_to !== undefined ? [sql<boolean>`(e.voucher_id is not null and e.post_amount <= ${filters.post_amount_to})`] : []),
  // The weight its arrow compares: an unweighed parcel has no difference.
  ...(filters.weight_difference !== undefined ? [sql<boolean>`abs(coalesce(e.jd_weight, e.re_weight) - e.weight) >= ${filters.weight_difference}`] : []),
];
