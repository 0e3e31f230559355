import { matchNames } from '@waystation/contract/division-match.ts';
import { areaCodeOf } from '@waystation/contract/divisions.ts';
import type { Reason } from '@waystation/contract/envelope.ts';
import { divisions } from './divisions.ts';

/** Official names of a place and its code in templates; or the field that does not match and why. */
export type Place = { province: string; city: string; county: string; town: string; code: string } | { field: 'province' | 'city' | 'county'; problem: Reason };

export const placeOf = (province: string, city: string, county: string): Place => {
  const match = matchNames(divisions, { province, city, county });
  if (!match.ok) return { field: match.field, problem: { code: match.code, params: match.params } };
  return {
    province: match.province.name,
    city: match.city.name,
    county: match.county?.name ?? '',
    town: match.town,
    code: areaCodeOf(match.county ?? match.city),
  };
};

/** A quote knows no county yet: then the city decides, and a place that its names do not identify has no code. */
const codeOf = (province: string, city: string, county: string): string => {
  const place = placeOf(province, city, county);
  if ('code' in place) return place.code;
  const match = matchNames(divisions, { province, city, county: '' });
  if (match.ok) return areaCodeOf(match.city);
  const named =
    divisions.all.find((one) => one.level === 'city' && one.name === city && one.parent?.name === province) ??
    divisions.provinces.find((one) => one.name === province || one.short === province);
  return named ? areaCodeOf(named) : '000000';
};

interface Ends {
  sender_province: string;
  sender_city: string;
  sender_county: string;
  receive_province: string;
  receive_city: string;
  receive_county: string;
}

export const senderCode = (ends: Ends): string => codeOf(ends.sender_province, ends.sender_city, ends.sender_county);
export const receiveCode = (ends: Ends): string => codeOf(ends.receive_province, ends.receive_city, ends.receive_county);
