import { describe, expect, it } from 'vitest';
import { settings } from '@waystation/contract/shell/settings.ts';
import type { CarrierFee } from '#domain/carriers/carriers.ts';
import { chargeDoubts } from './charge-limits.ts';
import type { ChargeLimits, Figures } from './charge-limits.ts';

const limits: ChargeLimits = {
  charge_weight_times: settings.charge_weight_times.default,
  charge_weight_over: settings.charge_weight_over.default,
  charge_price_times: settings.charge_price_times.default,
  charge_surcharge_times: settings.charge_surcharge_times.default,
  charge_cost_times: settings.charge_cost_times.default,
  charge_least_amount: settings.charge_least_amount.default,
  known_codes: new Set(['OWN']),
};
const usual: Figures = {
  declared: { weight: 4_300, volumetric: 0 },
  estimate_amount: 2_000,
  insured: false,
  jd_weight: null,
  volumetric: null,
  jd_cal_weight: null,
  price_amount: null,
  surcharge_amount: null,
  cost: null,
  fees: [],
  unreadable: [],
};
const fee = (service: CarrierFee['service'], code = 'X'): CarrierFee => ({
  code,
  name: code,
  kind: 'surcharge',
  service,
  amount: 1,
});
const codes = (changes: Partial<Figures>, over: Partial<ChargeLimits> = {}) =>
  chargeDoubts({ ...usual, ...changes }, { ...limits, ...over }).map(({ code }) => code);

describe('the limits of the weights and fees that a carrier reports', () => {
  it.each<[string, Partial<Figures>, Partial<Figures>]>([
    ['charge_weight', { jd_weight: 14_300 }, { jd_weight: 14_301 }],
    [
      'charge_weight',
      { jd_weight: 60_000, declared: { weight: 20_000, volumetric: 0 } },
      { jd_weight: 60_001, declared: { weight: 20_000, volumetric: 0 } },
    ],
    ['charge_volume', { volumetric: 14_300 }, { volumetric: 14_301 }],
    [
      'charge_volume',
      { volumetric: 30_000, declared: { weight: 1_000, volumetric: 20_000 } },
      { volumetric: 60_001, declared: { weight: 1_000, volumetric: 20_000 } },
    ],
    ['charge_cal_weight', { jd_cal_weight: 14_300 }, { jd_cal_weight: 14_301 }],
    ['charge_price', { price_amount: 6_000 }, { price_amount: 6_001 }],
    ['charge_surcharge', { surcharge_amount: 6_000 }, { surcharge_amount: 6_001 }],
    [
      'charge_cost',
      { cost: { amount: 6_000, price_amount: 2_000 } },
      { cost: { amount: 6_001, price_amount: 2_000 } },
    ],
    [
      'charge_cost',
      { cost: { amount: 2_000, price_amount: 0 } },
      { cost: { amount: 2_001, price_amount: 0 } },
    ],
    ['charge_fee_unknown', { fees: [fee('unknown', 'own')] }, { fees: [fee('unknown')] }],
    [
      'charge_service',
      { fees: [fee('packaging'), fee('oversize')] },
      { fees: [fee('cash_on_delivery')] },
    ],
    ['charge_service', { fees: [fee('insurance')], insured: true }, { fees: [fee('insurance')] }],
    ['charge_service', { fees: [fee('carriage')] }, { fees: [fee('receipt')] }],
    ['charge_unreadable', {}, { unreadable: ['QLHCF -5'] }],
  ])('a carrier’s figure posts at its limit and is held above it: %s', (code, at, above) => {
    expect(codes(at)).toEqual([]);
    expect(codes(above)).toEqual([code]);
  });

  it('a change of the network settings changes the limits above which a carrier’s charge is held', () => {
    expect(codes({ jd_weight: 14_301 }, { charge_weight_times: 4 })).toEqual([]);
    expect(codes({ jd_weight: 14_300 }, { charge_weight_over: 0 })).toEqual(['charge_weight']);
    expect(codes({ surcharge_amount: 6_001 }, { charge_least_amount: 6_001 })).toEqual([]);
  });

  it('a held charge shows at most ten reasons', () => {
    expect(
      codes({ fees: Array.from({ length: 50 }, (_, n) => fee('unknown', `U${n}`)) }),
    ).toHaveLength(10);
  });
});
