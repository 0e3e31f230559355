import type { PlaceNames } from '@waystation/contract/parcels/divisions.ts';
import { matchPlace, placeOf, repairsOf } from '#domain/address/address.ts';

type Field = 'province' | 'city' | 'county';
/**
 * Fields in the order in which they are corrected. The city comes first, because it is more
 * specific than the province.
 */
const fields = ['city', 'county', 'province'] as const;

/**
 * Names that would correct a wrong province, city or county, the likeliest first: places with the
 * same name elsewhere, else all places within the upper place. Empty if the row has no place at
 * all.
 */
export const fixesOfPlace = (field: Field, names: PlaceNames): string[] => {
  const match = matchPlace(names);
  if (match.ok || Object.values(names).every((name) => name === '')) return [];
  const within = match.candidates.filter((division) => division.level === field);
  return [...new Set(within.map(({ name }) => name))].slice(0, 8);
};

/**
 * The texts that would correct each field of a contradictory place, the likeliest first. 深圳市 天河区
 * can be corrected with the city 广州市, or with a county of 深圳市. If no single text corrects the
 * place, `field` gets the possible places.
 */
export const fixesByField = (field: Field, names: PlaceNames): (readonly [Field, string[]])[] => {
  const fixes = new Map<Field, string[]>();
  for (const place of repairsOf(names).places) {
    const one = fields.find((each) => {
      const changed = { ...names, [each]: place[each] };
      const found =
        place[each] === '' || place[each] === names[each]
          ? null
          : placeOf(changed.province, changed.city, changed.county);
      return (
        found !== null &&
        !('problem' in found) &&
        found.city === place.city &&
        found.county === place.county
      );
    });
    const known = one === undefined ? [] : (fixes.get(one) ?? []);
    if (one !== undefined && !known.includes(place[one])) fixes.set(one, [...known, place[one]]);
  }
  return fixes.size > 0 ? [...fixes] : [[field, fixesOfPlace(field, names)]];
};
