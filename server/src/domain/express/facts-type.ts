import type { ExpressRow } from './row.ts';

/** Weights and fees as reported; absent: not reported. Grams, cm³, fen. */
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
  /** The bill and the waybills of its lines, for facts from a bill. */
  bill?: { id: number; waybills: string[] };
}
