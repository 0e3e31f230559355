import type { PriceFacts } from './price.ts';

/** A sample parcel for which the prices of networks are compared. */
export interface SampleParcel {
  receive_province: string;
  receive_city: string;
  weight: number;
  guarantee_value_amount: number;
}

/** One kilogram to 广东, the usual parcel for comparing networks. */
export const sampleParcel: SampleParcel = {
  receive_province: '广东省',
  receive_city: '广州市',
  weight: 1_000,
  guarantee_value_amount: 0,
};

/**
 * The facts of the sample parcel if it is sent from the place `from`. No other value changes its
 * price.
 */
export const sampleFacts = (
  from: { province: string; city: string; county: string },
  to: SampleParcel,
): PriceFacts => ({
  sender_province: from.province,
  sender_city: from.city,
  sender_county: from.county,
  receive_county: '',
  length: 0,
  width: 0,
  height: 0,
  package_count: 1,
  re_weight: null,
  jd_weight: null,
  jd_volume: null,
  surcharges: {},
  ...to,
});
