import { mostRepairs } from '@waystation/contract/parcels/address.ts';
import type { Division } from '@waystation/contract/parcels/division.ts';
import { cleanName, namedDivisions } from '@waystation/contract/parcels/division-match.ts';
import type { Match } from '@waystation/contract/parcels/division-match.ts';
import { pathOf, placeNames } from '@waystation/contract/parcels/divisions.ts';
import type { PlaceNames } from '@waystation/contract/parcels/divisions.ts';
import type { Reason } from '@waystation/contract/base/envelope.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { divisions } from './divisions.ts';
import { matchPlace } from './places.ts';

/** The place names of a division. The written county is added if it belongs to that division. */
const placeFrom = (division: Division, county: string): PlaceNames => {
  const names = placeNames(division);
  if (division.level !== 'city' || county === '') return names;
  const match = matchPlace({ ...names, county });
  return match.ok && match.town === '' ? placeNames(match.county ?? match.city) : names;
};

/**
 * The number of characters that two names share, apart from their last characters: 天和区 is similar
 * to 天河区.
 */
const nearness = (name: string, text: string): number =>
  Array.from(name.slice(0, -1)).filter((character) => text.slice(0, -1).includes(character)).length;

/**
 * The counties of the city in `names`; counties whose names are more similar to the written county
 * come first.
 */
const ownCounties = (names: PlaceNames): Division[] => {
  const province =
    namedDivisions(divisions, cleanName(names.province), 'province', null)[0] ?? null;
  const cities =
    province?.children.length === 1
      ? province.children
      : namedDivisions(divisions, cleanName(names.city), 'city', province);
  const counties = cities.length === 1 ? firstOf(cities).children : [];
  return counties.toSorted(
    (a, b) => nearness(b.name, names.county) - nearness(a.name, names.county),
  );
};

const nowhere: readonly Division[] = [];

/**
 * The divisions that the names may mean. Divisions with the same name come first, beginning with
 * those in the given province. The other divisions of the given city follow.
 */
const meant = (names: PlaceNames, match: Extract<Match, { ok: false }>): readonly Division[] => {
  if (match.field === 'province') return nowhere;
  if (match.code === 'division_county_required')
    return match.candidates.length <= mostRepairs ? match.candidates : nowhere;
  const province = namedDivisions(divisions, cleanName(names.province), 'province', null)[0];
  const isNear = (division: Division): number => Number(pathOf(division)[0] === province);
  const named = match.code.endsWith('_elsewhere')
    ? match.candidates.toSorted((a, b) => isNear(b) - isNear(a))
    : match.candidates;
  return [
    ...named,
    ...(match.field === 'county' && !match.code.endsWith('_former') ? ownCounties(names) : nowhere),
  ];
};

/**
 * The reason why an order with these place names would be refused, and the places that may be
 * meant. The likeliest place comes first. There are at most nine, so that each has a number key.
 */
export const repairsOf = (names: PlaceNames): { reason: Reason | null; places: PlaceNames[] } => {
  const match = matchPlace(names);
  if (match.ok) return { reason: null, places: [] };
  const places = meant(names, match).map((division) => placeFrom(division, names.county));
  const each = new Map(
    places.map((place) => [`${place.province} ${place.city} ${place.county}`, place]),
  );
  return {
    reason: { code: match.code, params: match.params },
    places: [...each.values()].slice(0, mostRepairs),
  };
};
