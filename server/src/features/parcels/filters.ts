import type { ParsedOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { equalIn, filterConditions } from '#platform/db/conditions.ts';
import type { Condition } from '#platform/db/conditions.ts';
import { sql } from '#platform/db/db.ts';
import { failFields } from '#platform/fail.ts';

type Filters = ParsedOf<typeof listExpresses>;

const equal = equalIn('e');

/** Which carrier account carried a parcel is known to super and admin alone; a filter would tell it to others. */
const ofMerchant = (actor: Actor, merchant_id: number): Condition =>
  actor.role === 'super' || actor.role === 'admin' ? sql<boolean>`e.merchant_id = ${merchant_id}` : failFields({ merchant_id: { code: 'field_not_yours' } });

/** Parcels `e` by their own fields: people, carrier account, scheme, template, goods, insurance, amount, weight difference. */
export const fieldConditions = (actor: Actor, filters: Filters): Condition[] =>
  filterConditions(filters, {
    user_id: equal,
    merchant_id: (id) => ofMerchant(actor, id),
    project_id: equal,
    voucher_id: equal,
    goods: equal,
    insured: (is) => sql<boolean>`(e.guarantee_amount > 0 or e.guarantee_value_amount > 0) = ${is === 1}`,
    post_amount_from: (amount) => sql<boolean>`(e.voucher_id is not null and e.post_amount >= ${amount})`,
    post_amount_to: (amount) => sql<boolean>`(e.voucher_id is not null and e.post_amount <= ${amount})`,
    // The weight its arrow compares: an unweighed parcel has no difference.
    weight_difference: (grams) => sql<boolean>`abs(coalesce(e.jd_weight, e.re_weight) - e.weight) >= ${grams}`,
  });
