import type { TextsOf } from '#locales/texts.ts';
import type { guarantees as zh } from '#locales/zh-CN/guarantees.ts';

export const guarantees = {
  new: 'New tier',
  searches: 'Insured value in yuan',
  hint: 'Each tier says up to which value a fee insures; an order takes the lowest tier that covers its declared value.',
  money: 'Insured up to',
  money_hint: 'A declared value up to this costs the fee below.',
  from: 'From',
  price: 'Fee',
  price_hint: 'Not below the tier beneath, not above the one over it.',
  rate: 'Rate',
  up_to: 'up to {money}',
  above_nought: 'Must be more than 0',
  not_below_nought: 'Must not be negative',
  ladder: 'Ladder',
  sentence: '{count} tiers; the highest insures {money} for {price}.',
  step: 'up to {money} for {price}',
  empty: 'No tier is enabled, so nothing can be insured.',
  tester: 'Try a value',
  value: 'Declared value',
  least: 'least insured value {amount}',
  no_least: 'no least insured value',
  no_merchant: 'No carrier account is enabled',
  frozen: 'A change counts for new orders at once; parcels that are ordered keep the tiers of then.',
} satisfies TextsOf<typeof zh>;
