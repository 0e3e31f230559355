import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { fen, flag, id, integer, listInput, listOf, reason, searchText, time, version } from './fields.ts';
import { office } from './roles.ts';
import { usageOf } from './usage.ts';

const base = '/api/arco/guarantees';

/** An insurance tier (requirements §3): a parcel worth `from_money` to `money` is insured for `price`. Fen. */
export const guarantee = z.object({
  id: z.int(),
  /** One fen above the enabled tier beneath; null while the tier is disabled. */
  from_money: z.nullable(z.int()),
  money: z.int(),
  price: z.int(),
  status: flag,
  version: z.int(),
  created_at: time,
  updated_at: time,
});
export type Guarantee = z.infer<typeof guarantee>;

const fields = { money: integer(1, 10_000_000_000), price: fen };

export const listGuarantees = endpoint({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Insurance tiers, ascending; q is how the value in yuan begins.',
  input: z.object({ ...listInput, q: z.optional(searchText), status: z.optional(flag), money_from: z.optional(fen), money_to: z.optional(fen) }),
  output: listOf(guarantee),
});

export const getGuarantee = endpoint({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One insurance tier.',
  input: z.object({ id }),
  output: guarantee,
});

export const createGuarantee = endpoint({
  method: 'POST',
  path: base,
  roles: office,
  summary: 'A new insurance tier; among the enabled ones the fee never falls. What is ordered from now on is insured by it.',
  input: z.object({ ...fields, status: z.optional(flag) }),
  output: guarantee,
});

/** Only what changed. */
export const editGuarantee = endpoint({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change a tier for what is ordered from now on; ordered parcels keep what they froze.',
  input: z.object({ id, version, money: z.optional(fields.money), price: z.optional(fields.price) }),
  output: guarantee,
});

export const setGuaranteeStatus = endpoint({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: office,
  summary: 'Enable or disable a tier; among the enabled ones the fee never falls.',
  input: z.object({ id, status: flag }),
  output: guarantee,
});

export const guaranteeUsage = usageOf(base, office);

/** What a declared value costs now, with each carrier account's least insured value. */
export const insuranceFee = endpoint({
  method: 'GET',
  path: `${base}/fee`,
  roles: office,
  summary: 'What insuring a value costs now, for each least value of an enabled carrier account.',
  input: z.object({ value_amount: fen }),
  output: z.object({
    items: z.array(
      z.object({
        /** Names of the carrier accounts with this least value. */
        merchants: z.array(z.string()),
        least_amount: z.int(),
        /** The greater of both: what is insured. */
        insured_amount: z.int(),
        /** The tier that reaches it; null: none is needed, or `reason` says why there is none. */
        tier_amount: z.nullable(z.int()),
        price: z.nullable(z.int()),
        reason: z.nullable(reason),
      }),
    ),
  }),
});
