import type { ExpressRow } from './row.ts';

/**
 * Weights and fees as the carrier reported them; a field is absent if it was not reported. In
 * grams, cm³ and fen.
 */
export interface Facts {
  re_weight?: number;
  jd_weight?: number;
  jd_volume?: number;
  jd_cal_weight?: number;
  /** The current value per fee code; a missing code has no fee now. */
  surcharges?: ExpressRow['surcharges'];
  jd_amount?: number;
  /** 1 if the estimate is charged because no weight came in time. */
  estimate?: 1;
  /** For facts from a bill: the id of the bill, and the waybills of its lines. */
  bill?: { id: number; waybills: string[] };
}
