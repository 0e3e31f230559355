import type { EnglishTextsOf } from '#locales/texts.ts';
import type { guarantees as zh } from '#locales/zh-CN/guarantees.ts';

export const guarantees = {
  new: 'New tier',
  searches: 'Insured value in yuan',
  hint: 'Each tier sets an insured value and its fee; an order uses the lowest tier that covers its declared value.',
  money: 'Insured up to',
  money_hint: 'Declared values up to this amount pay the fee below.',
  from: 'From',
  price: 'Insurance fee',
  price_hint: 'Not below the next lower tier, not above the next higher one.',
  rate: 'Rate',
  used: 'Parcels, 30 days',
  up_to: 'up to {money}',
  above_nought: 'Enter a value above 0',
  not_below_nought: 'Cannot be negative',
  insurance_tiers: 'Insurance tiers',
  sentence_one: '{count} tier; the highest insures {money} for {price}.',
  sentence_other: '{count} tiers; the highest insures {money} for {price}.',
  step: 'up to {money} for {price}',
  empty: 'No tier is enabled, so nothing can be insured.',
  plan: 'Plan a change',
} satisfies EnglishTextsOf<typeof zh>;
