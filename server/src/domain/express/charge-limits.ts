import type { Reason } from '@waystation/contract/base/envelope.ts';
import type { CarrierFee } from '#domain/carriers/carriers.ts';

/**
 * The limits within which a carrier's report is posted without a decision (requirements §10.14.8).
 * Whole grams and fen.
 */
export interface ChargeLimits {
  charge_weight_times: number;
  charge_weight_over: number;
  charge_price_times: number;
  charge_surcharge_times: number;
  charge_cost_times: number;
  charge_least_amount: number;
  /**
   * Fee codes that administrators accept, in addition to the codes that the carrier's adapter
   * knows.
   */
  known_codes: ReadonlySet<string>;
}

/**
 * The figures of a report, and the declared values with which they are compared. A figure is null
 * if it is not reported or is not higher than before.
 */
export interface Figures {
  /** The station's declared weight, and the weight of its declared sizes. */
  declared: { weight: number; volumetric: number };
  /** The list price without surcharges, for the station's own weight and sizes. */
  estimate_amount: number;
  /** True if an insured value was ordered. */
  insured: boolean;
  jd_weight: number | null;
  /** The weight that corresponds to the carrier's volume. */
  volumetric: number | null;
  jd_cal_weight: number | null;
  /** The list price without surcharges. */
  price_amount: number | null;
  surcharge_amount: number | null;
  cost: { amount: number; price_amount: number } | null;
  /** Fees that are new or higher than before. */
  fees: readonly CarrierFee[];
  /** Rows and figures of the answer that are negative or cannot be read. */
  unreadable: readonly string[];
}

/** The largest number of reasons that are stored for one held report. */
const mostDoubts = 10;

const weightDoubt = (
  code: string,
  actual: number | null,
  declared: number,
  limits: ChargeLimits,
): Reason[] => {
  const limit_weight = Math.max(
    declared * limits.charge_weight_times,
    declared + limits.charge_weight_over,
  );
  return actual !== null && actual > limit_weight
    ? [{ code, params: { actual_weight: actual, before_weight: declared, limit_weight } }]
    : [];
};

const amountDoubt = (
  code: string,
  actual: number | null,
  { base, times }: { base: number; times: number },
  limits: ChargeLimits,
): Reason[] => {
  const limit_amount = Math.max(base * times, limits.charge_least_amount);
  return actual !== null && actual > limit_amount
    ? [{ code, params: { actual_amount: actual, before_amount: base, limit_amount } }]
    : [];
};

const feeDoubts = (
  fees: readonly CarrierFee[],
  insured: boolean,
  known_codes: ReadonlySet<string>,
): Reason[] =>
  fees.flatMap(({ code, name, amount, service }) => {
    const params = { name: name === code ? code : `${name} ${code}`, actual_amount: amount };
    if (service === 'unknown')
      return known_codes.has(code.toUpperCase()) ? [] : [{ code: 'charge_fee_unknown', params }];
    const isOrdered =
      service === 'insurance' ? insured : service !== 'cash_on_delivery' && service !== 'receipt';
    return isOrdered ? [] : [{ code: 'charge_service', params }];
  });

/**
 * The reasons why a carrier's report must be held: figures beyond the limits, unknown fee codes,
 * fees of services that were not ordered, unreadable rows. Empty if the report may post. Every
 * figure is compared with the station's declaration, never with an earlier report, so that no
 * series of small steps passes.
 */
export const chargeDoubts = (figures: Figures, limits: ChargeLimits): Reason[] => {
  const { declared, estimate_amount, jd_weight } = figures;
  const basis = Math.max(declared.weight, declared.volumetric);
  return [
    ...figures.unreadable.map((text) => ({ code: 'charge_unreadable', params: { text } })),
    ...weightDoubt('charge_weight', jd_weight, declared.weight, limits),
    ...weightDoubt('charge_volume', figures.volumetric, basis, limits),
    ...weightDoubt('charge_cal_weight', figures.jd_cal_weight, basis, limits),
    ...amountDoubt(
      'charge_price',
      figures.price_amount,
      { base: estimate_amount, times: limits.charge_price_times },
      limits,
    ),
    ...amountDoubt(
      'charge_surcharge',
      figures.surcharge_amount,
      { base: estimate_amount, times: limits.charge_surcharge_times },
      limits,
    ),
    ...(figures.cost
      ? amountDoubt(
          'charge_cost',
          figures.cost.amount,
          { base: figures.cost.price_amount, times: limits.charge_cost_times },
          limits,
        )
      : []),
    ...feeDoubts(figures.fees, figures.insured, limits.known_codes),
  ].slice(0, mostDoubts);
};
