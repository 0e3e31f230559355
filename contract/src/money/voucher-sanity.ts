import type { Params } from '#base/envelope.ts';
import { neighboursOf } from '#parcels/regions.ts';
import { provinceCodes, provinceOf } from '#parcels/provinces.ts';
import { checkTemplate, findingCodes } from './voucher-check.ts';
import type { Finding } from './voucher-check.ts';
import type { Origin, ServedZone, TemplateContent, Zone } from './voucher-content.ts';
import { startedSteps } from '#base/weight.ts';

/** Warnings about unusual prices that may be intended; they never prevent publishing. */
export const sanityCodes = {
  outlier_dear: 'warning',
  outlier_cheap: 'warning',
  below_cost: 'warning',
} as const;
export const allFindings = { ...findingCodes, ...sanityCodes } as const;
export type AnyFindingCode = keyof typeof allFindings;
export type AnyFinding = Omit<Finding, 'code'> & { code: AnyFindingCode };

/**
 * The price of `grams` in a zone before any discount; null if the weight is above the zone's last
 * weight bracket.
 */
export const zoneFreight = (zone: ServedZone, grams: number): number | null => {
  let freight = zone.first.price;
  let below = zone.first.max_g;
  for (const { up_to_g, step_g, price } of zone.brackets) {
    if (grams <= below) break;
    freight += startedSteps(Math.min(grams, up_to_g) - below, step_g) * price;
    below = up_to_g;
  }
  return grams > below ? null : Math.max(freight, zone.minimum);
};

/**
 * The weights of a light and of a heavier parcel, in grams. The light parcel shows an error in the
 * first-weight price, and the heavier parcel shows an error in the price of a step.
 */
const probes = [1_000, 5_000];
/**
 * A price is unusual if it is more than this many times the dearest neighbour's price, or if the
 * cheapest neighbour's price is more than this many times the price.
 */
const factor = 2;
const fewestNeighbours = 2;

interface Placed {
  zone: Zone;
  path: string;
}

const placesOf = (origin: Origin, path: string): Map<string, Placed> => {
  const places = new Map<string, Placed>();
  for (const [index, zone] of origin.zones.entries())
    for (const area of zone.areas)
      if (!places.has(area)) places.set(area, { zone, path: `${path}.zones.${index}` });
  return places;
};

const outlierAt = (
  province: string,
  grams: number,
  priceAt: (area: string) => number | null,
): { code: AnyFindingCode; params: Params } | null => {
  const own = priceAt(province);
  const others = neighboursOf(province)
    .map(priceAt)
    .filter((price) => price !== null);
  if (own === null || others.length < fewestNeighbours) return null;
  const params = { region: province, at_weight: grams, own_amount: own };
  const [cheapest, dearest] = [Math.min(...others), Math.max(...others)];
  if (own > dearest * factor)
    return { code: 'outlier_dear', params: { ...params, neighbour_amount: dearest } };
  if (own * factor < cheapest)
    return { code: 'outlier_cheap', params: { ...params, neighbour_amount: cheapest } };
  return null;
};

const checkOrigin = (origin: Origin, path: string): AnyFinding[] => {
  const places = placesOf(origin, path);
  return provinceCodes.flatMap((province) => {
    for (const grams of probes) {
      const found = outlierAt(province, grams, (area) => {
        const zone = places.get(area)?.zone;
        return zone && !zone.not_served ? zoneFreight(zone, grams) : null;
      });
      if (found)
        return [{ severity: 'warning' as const, path: places.get(province)!.path, ...found }];
    }
    return [];
  });
};

/**
 * Finds the provinces whose price is above twice the highest price of their neighbours, or below
 * half of the lowest. Most of these prices are typing errors.
 */
export const outliers = (content: TemplateContent): AnyFinding[] =>
  content.origins.flatMap((origin, index) => checkOrigin(origin, `origins.${index}`));

/**
 * All findings about a template that can be calculated without the server: first the required
 * checks, then the unusual prices.
 */
export const lookOver = (content: TemplateContent): AnyFinding[] => [
  ...checkTemplate(content),
  ...outliers(content),
];

/**
 * The zone whose price applies to a receiver: the zone of the city, else the zone of its province.
 */
export const zoneAt = (origin: Origin, area: string): Placed | null => {
  const places = placesOf(origin, '');
  return places.get(area) ?? places.get(provinceOf(area)) ?? null;
};
