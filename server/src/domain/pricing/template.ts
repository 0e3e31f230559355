import type { Origin, TemplateContent, Zone } from '@waystation/contract/money/voucher-content.ts';

export interface CompiledBracket {
  /** The bounds in grams: the bracket contains the weights above `from` and up to `upTo`. */
  from: number;
  upTo: number;
  step: number;
  /** The price in fen for each started step. */
  price: number;
}

export interface CompiledZone {
  name: string;
  /** The code of the province or city to which these prices apply. */
  area: string;
  first: { max_g: number; price: number };
  brackets: CompiledBracket[];
  minimum: number;
  /** The heaviest weight that is priced, in grams. */
  limit: number;
}

/**
 * Maps a receiver region, as a number, to its zone; null if the template does not serve the region.
 */
type Grid = Map<number, CompiledZone | null>;

/** A template prepared for many quotes; cache one for each template version. */
export interface CompiledTemplate {
  divisor: number | null;
  origins: Map<number, Grid>;
  /** The prices for senders whose province no origin lists; undefined if there are none. */
  elsewhere: Grid | undefined;
}

const compileZone = (zone: Zone, area: string): CompiledZone | null => {
  if (zone.not_served) return null;
  let from = zone.first.max_g;
  const brackets = zone.brackets.map(({ up_to_g, step_g, price }) => {
    const bracket = { from, upTo: up_to_g, step: step_g, price };
    from = up_to_g;
    return bracket;
  });
  return { name: zone.name, area, first: zone.first, brackets, minimum: zone.minimum, limit: from };
};

const compileGrid = (origin: Origin): Grid => {
  const grid: Grid = new Map();
  for (const zone of origin.zones) {
    for (const area of zone.areas) {
      const key = Number(area);
      if (!grid.has(key)) grid.set(key, compileZone(zone, area));
    }
  }
  return grid;
};

/**
 * Indexes a template by sender and receiver region. If a draft lists a region twice, the first
 * entry counts; `checkTemplate` refuses to publish such a draft.
 */
export const compileTemplate = (content: TemplateContent): CompiledTemplate => {
  const origins = new Map<number, Grid>();
  let elsewhere: Grid | undefined;
  for (const origin of content.origins) {
    const grid = compileGrid(origin);
    if (origin.provinces.length === 0) elsewhere ??= grid;
    for (const province of origin.provinces) {
      const key = Number(province);
      if (!origins.has(key)) origins.set(key, grid);
    }
  }
  return { divisor: content.divisor, origins, elsewhere };
};

const provinceKey = (code: number) => code - (code % 10_000);
const cityKey = (code: number) => code - (code % 100);

/**
 * The zone for a route; the codes may be of any level. Prices for the receiver's city replace those
 * for its province.
 */
export const findZone = (
  template: CompiledTemplate,
  senderCode: string,
  receiveCode: string,
): { zone: CompiledZone } | { zone: null; reason: 'no_origin' | 'not_served' } => {
  const grid = template.origins.get(provinceKey(Number(senderCode))) ?? template.elsewhere;
  if (!grid) return { zone: null, reason: 'no_origin' };
  const receiver = Number(receiveCode);
  const city = grid.get(cityKey(receiver));
  const zone = city === undefined ? grid.get(provinceKey(receiver)) : city;
  return zone ? { zone } : { zone: null, reason: 'not_served' };
};
