import type { Match } from '@waystation/contract/parcels/division-match.ts';
import type { PlaceNames } from '@waystation/contract/parcels/divisions.ts';
import { areaCodeOf, placeNames } from '@waystation/contract/parcels/divisions.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { matchFormer, resolveNames } from '@waystation/contract/parcels/former-divisions.ts';
import { divisions, formerDivisions } from './divisions.ts';

/**
 * A place with its present official names and its code in templates, or the field that does not
 * match and the reason.
 */
export type Place =
  | {
      readonly province: string;
      readonly city: string;
      readonly county: string;
      readonly town: string;
      readonly code: string;
    }
  | { readonly field: 'province' | 'city' | 'county'; readonly problem: Reason };

/** Finds the present divisions for names, which may be present or former official names. */
export const matchPlace = (names: PlaceNames): Match =>
  resolveNames(divisions, formerDivisions, names);

const placeFrom = (match: Extract<Match, { ok: true }>): Extract<Place, { code: string }> => ({
  province: match.province.name,
  city: match.city.name,
  county: match.county?.name ?? '',
  town: match.town,
  code: areaCodeOf(match.county ?? match.city),
});

const matched = (province: string, city: string, county: string): Place => {
  const match = matchPlace({ province, city, county });
  return match.ok
    ? placeFrom(match)
    : { field: match.field, problem: { code: match.code, params: match.params } };
};

/**
 * The likely place of a former name that is several places today: the place that kept the name, or
 * that has most of the former area. Null if there is no such place.
 */
export const likelyPlace = (names: PlaceNames): Extract<Place, { code: string }> | null => {
  const main = matchFormer(divisions, formerDivisions, names)?.main ?? null;
  const match = main && matchPlace(placeNames(main));
  return match?.ok ? placeFrom(match) : null;
};

/** A cache of places, because a sheet contains the same few places in many rows. */
const known = new Map<string, Place>();
/** The largest number of cached places, which is more than the number of counties. */
const mostKnown = 4_096;
/**
 * The largest number of characters for which a place is cached; a longer text is not a place name.
 */
const longestKnown = 60;

export const placeOf = (province: string, city: string, county: string): Place => {
  if (province.length + city.length + county.length > longestKnown)
    return matched(province, city, county);
  const key = `${province}\n${city}\n${county}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= mostKnown) known.clear();
  const place = matched(province, city, county);
  known.set(key, place);
  return place;
};

/**
 * The code for pricing. The county may still be unknown in a quote, and then the code of the city
 * counts. Names that match no place have no code.
 */
const codeOf = (province: string, city: string, county: string): string => {
  const place = placeOf(province, city, county);
  if ('code' in place) return place.code;
  const match = matchPlace({ province, city, county: '' });
  if (match.ok) return areaCodeOf(match.city);
  const named =
    divisions.all.find(
      (one) => one.level === 'city' && one.name === city && one.parent?.name === province,
    ) ?? divisions.provinces.find((one) => one.name === province || one.short === province);
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

export const senderCode = (ends: Ends): string =>
  codeOf(ends.sender_province, ends.sender_city, ends.sender_county);
export const receiveCode = (ends: Ends): string =>
  codeOf(ends.receive_province, ends.receive_city, ends.receive_county);
