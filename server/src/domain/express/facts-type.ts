import type { ExpressRow } from './row.ts';

/** Weights and fees as reported; absent: nothing new is said of it. Grams, cm³, fen. */
export interface Facts {
  re_weight?: number;
  jd_weight?: number;
  jd_volume?: number;
  jd_cal_weight?: number;
  /** The current value per fee code: a code that is gone is gone. */
  surcharges?: ExpressRow['surcharges'];
  jd_amount?: number;
  /** 1: nothing was weighed in time, the estimate stands. */
  estimate?: 1;
  /** Of a bill's facts: which bill, and the waybills whose lines it is about. */
  bill?: { id: number; waybills: string[] };
}
