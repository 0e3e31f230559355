import type { Params } from '#base/envelope.ts';
import { provinceCodes, provinceOf } from '#parcels/provinces.ts';
import type { Origin, ServedZone, TemplateContent, Zone } from './voucher-content.ts';
import { startedSteps } from '#base/weight.ts';

/**
 * The findings of `checkTemplate`: an error prevents a template from being published, a warning
 * asks the user to look again.
 */
export const findingCodes = {
  region_uncovered: 'error',
  area_twice: 'error',
  origin_twice: 'error',
  origin_default_twice: 'error',
  price_falls: 'error',
  origin_uncovered: 'warning',
  city_redundant: 'warning',
  minimum_hides_steps: 'warning',
  free_of_charge: 'warning',
  step_dearer: 'warning',
} as const satisfies Record<string, 'error' | 'warning'>;
export type FindingCode = keyof typeof findingCodes;

export interface Finding {
  severity: 'error' | 'warning';
  code: FindingCode;
  /**
   * The path of the finding within the template's content, such as `origins.0.zones.2.brackets.1`.
   */
  path: string;
  /**
   * The parameters of the finding's text. A name that ends in `_weight` is in grams, one that ends
   * in `_amount` in fen. Regions are division codes, separated by commas.
   */
  params: Params;
}

const finding = (code: FindingCode, path: string, params: Params = {}): Finding => ({
  severity: findingCodes[code],
  code,
  path,
  params,
});

const missing = (codes: Set<string>) => provinceCodes.filter((code) => !codes.has(code));

const regions = (codes: readonly string[]): Params => ({
  count: codes.length,
  regions: codes.join(','),
});

/**
 * The findings about a later bracket in which the price falls with a higher weight, or in which a
 * kilogram costs more than in the bracket before.
 */
const checkBrackets = (zone: ServedZone, path: string): Finding[] => {
  const found: Finding[] = [];
  let below = zone.first.max_g;
  let amount = zone.first.price;
  for (const [index, { up_to_g, step_g, price }] of zone.brackets.entries()) {
    const at = `${path}.brackets.${index}`;
    if (price < 0) {
      found.push(
        finding('price_falls', at, {
          at_weight: below,
          from_amount: amount,
          to_amount: amount + price,
        }),
      );
    }
    const before = zone.brackets[index - 1];
    if (before && price * before.step_g > before.price * step_g) {
      found.push(
        finding('step_dearer', at, { from_weight: below, step_amount: price, step_weight: step_g }),
      );
    }
    amount += startedSteps(up_to_g - below, step_g) * price;
    below = up_to_g;
  }
  const top = Math.max(zone.first.price, amount);
  if (zone.minimum >= top && zone.brackets.length > 0 && zone.minimum > 0) {
    found.push(
      finding('minimum_hides_steps', path, { minimum_amount: zone.minimum, top_amount: top }),
    );
  }
  if (zone.first.price === 0 && zone.minimum === 0)
    found.push(finding('free_of_charge', path, { first_weight: zone.first.max_g }));
  return found;
};

const checkAreas = (zone: Zone, path: string, owners: Map<string, string>): Finding[] => {
  const found: Finding[] = [];
  for (const [index, area] of zone.areas.entries()) {
    const at = `${path}.areas.${index}`;
    const other = owners.get(area);
    if (other !== undefined) found.push(finding('area_twice', at, { region: area, other }));
    else owners.set(area, at);
    const province = provinceOf(area);
    if (area !== province && zone.areas.includes(province))
      found.push(finding('city_redundant', at, { region: area, province }));
  }
  return found;
};

const checkOrigin = (origin: Origin, path: string): Finding[] => {
  const owners = new Map<string, string>();
  const found = origin.zones.flatMap((zone, index) => {
    const at = `${path}.zones.${index}`;
    return [...checkAreas(zone, at, owners), ...(zone.not_served ? [] : checkBrackets(zone, at))];
  });
  const uncovered = missing(new Set(owners.keys()));
  return uncovered.length === 0
    ? found
    : [finding('region_uncovered', path, regions(uncovered)), ...found];
};

const checkSenders = (origins: readonly Origin[]): Finding[] => {
  const found: Finding[] = [];
  const owners = new Map<string, string>();
  let everyOther: string | undefined;
  for (const [index, { provinces }] of origins.entries()) {
    const path = `origins.${index}`;
    if (provinces.length === 0) {
      if (everyOther !== undefined)
        found.push(finding('origin_default_twice', path, { other: everyOther }));
      everyOther ??= path;
    }
    for (const [place, province] of provinces.entries()) {
      const at = `${path}.provinces.${place}`;
      const other = owners.get(province);
      if (other !== undefined) found.push(finding('origin_twice', at, { region: province, other }));
      else owners.set(province, at);
    }
  }
  const uncovered = missing(new Set(owners.keys()));
  if (everyOther === undefined && uncovered.length > 0)
    found.push(finding('origin_uncovered', 'origins', regions(uncovered)));
  return found;
};

/**
 * The findings that decide whether a template may be published (docs/pricing.md §10). Every
 * receiver province must be priced or explicitly not served, no region may occur twice, and no
 * price may fall at a higher weight. Findings are in the order of the content; an empty list means
 * that there are none.
 */
export const checkTemplate = (content: TemplateContent): Finding[] => [
  ...checkSenders(content.origins),
  ...content.origins.flatMap((origin, index) => checkOrigin(origin, `origins.${index}`)),
];

/** The findings because of which a template cannot be published. */
export const blockingFindings = (content: TemplateContent): Finding[] =>
  checkTemplate(content).filter((found) => found.severity === 'error');
