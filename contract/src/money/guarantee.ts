import { endpoint } from '#base/endpoint.ts';
import { office } from '#base/roles.ts';
import { usageOf } from '#base/usage.ts';
import type { schemas } from './guarantee.schema.ts';
export type { Guarantee, TierPlan } from './guarantee.schema.ts';

const base = '/api/arco/guarantees';

export const listGuarantees = endpoint<typeof schemas.listGuarantees>({
  method: 'GET',
  path: base,
  roles: office,
  summary: 'Insurance tiers, ascending; q is how the value in yuan begins.',
});

export const getGuarantee = endpoint<typeof schemas.getGuarantee>({
  method: 'GET',
  path: `${base}/{id}`,
  roles: office,
  summary: 'One insurance tier.',
});

export const createGuarantee = endpoint<typeof schemas.createGuarantee>({
  method: 'POST',
  path: base,
  roles: office,
  summary:
    'A new insurance tier; among the enabled ones the fee never falls. What is ordered from now on is insured by it.',
});

/** The request contains only the changed fields. */
export const editGuarantee = endpoint<typeof schemas.editGuarantee>({
  method: 'PATCH',
  path: `${base}/{id}`,
  roles: office,
  summary: 'Change a tier for what is ordered from now on; ordered parcels keep what they froze.',
});

export const setGuaranteeStatus = endpoint<typeof schemas.setGuaranteeStatus>({
  method: 'POST',
  path: `${base}/{id}/status`,
  roles: office,
  summary: 'Enable or disable a tier; among the enabled ones the fee never falls.',
});

export const guaranteeUsage = usageOf(base, office);

/**
 * The cost of insuring a declared value, now or on a later day. Carrier accounts have different
 * least insured values; for each of these, the response has one item.
 */
export const insuranceFee = endpoint<typeof schemas.insuranceFee>({
  method: 'GET',
  path: `${base}/fee`,
  roles: office,
  summary:
    'What insuring a value costs now, or as a day begins, for each least value of an enabled carrier account.',
});

export const getTierPlan = endpoint<typeof schemas.getTierPlan>({
  method: 'GET',
  path: `${base}/plan`,
  roles: office,
  summary: 'The insurance tiers in force, and those that replace them from a later day.',
});

/** Only one plan can exist at a time; it can be withdrawn until its day. */
export const planTiers = endpoint<typeof schemas.planTiers>({
  method: 'POST',
  path: `${base}/plan`,
  roles: office,
  summary:
    'Replace all insurance tiers from midnight of a later day, for what is ordered from then on.',
});

export const withdrawTierPlan = endpoint<typeof schemas.withdrawTierPlan>({
  method: 'POST',
  path: `${base}/plan/withdraw`,
  roles: office,
  summary: 'Withdraw the planned insurance tiers before their day.',
});
