import type { PlaceNames } from '@waystation/contract/divisions.ts';
import { matchPlace } from '#domain/address/address.ts';

/** Names of a division that would fit in place of the one that does not, the likeliest first: those that bear the name elsewhere, else those that the place above has. */
export const fixesOfPlace = (field: 'province' | 'city' | 'county', names: PlaceNames): string[] => {
  const match = matchPlace(names);
  if (match.ok) return [];
  const within = match.candidates.filter((division) => division.level === field);
  return [...new Set((within.length > 0 ? within : match.candidates).map(({ name }) => name))].slice(0, 8);
};

/** The cities that a county’s name alone leaves open; none if it is not that. */
export const ambiguousCities = (names: PlaceNames): string[] => {
  const match = matchPlace(names);
  if (match.ok || match.code !== 'division_county_ambiguous' || names.city !== '') return [];
  return [...new Set(match.candidates.flatMap(({ parent }) => parent?.name ?? []))].slice(0, 8);
};
