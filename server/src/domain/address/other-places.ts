import { partsOf } from '@waystation/contract/parcels/division-match.ts';
import { present } from '@waystation/contract/base/present.ts';
import { divisions } from './divisions.ts';
import type { Chain } from './reading.ts';
import { walk, nothing } from './chain.ts';
import { contradicted } from './reading.ts';

/**
 * Finds the county of a chain of divisions if another piece of the text contains a city or
 * province. An ambiguous county is searched in that city or province. If the county is in another
 * city, the chain contradicts itself, and the user has to decide.
 */
const countyIn = (chain: Chain, { province, city }: Chain): Chain | null => {
  if (chain.county !== null)
    return city === null || city === chain.city
      ? null
      : {
          ...chain,
          province,
          city,
          county: null,
          ambiguous: chain.county.name,
          isContradicted: true,
          sure: { province: 90, city: 90, county: contradicted },
        };
  const counties = divisions.all.filter(
    ({ level, name, parent }) =>
      level === 'county' &&
      name === chain.ambiguous &&
      (city ? parent === city : present(parent).parent === province),
  );
  if (counties.length !== 1) return null;
  const [county] = counties;
  const sure = { province: 90, city: 90, county: 90 };
  return {
    ...chain,
    province: present(present(county).parent).parent,
    city: present(county).parent,
    county: county!,
    ambiguous: '',
    sure,
  };
};

/**
 * Completes a county that is written without its city. The city or province is taken from a piece
 * that contains nothing else: 朝阳区人民大街100号 长春, 天河区体育西路1号 深圳.
 */
export const withPlaceElsewhere = (
  chain: Chain,
  text: string,
  pieces: readonly { at: number; plain: string }[],
): { chain: Chain; place: Chain } | null => {
  if (
    chain.isContradicted ||
    (chain.county ? chain.namedLevels > 1 || chain.former !== '' : chain.ambiguous === '')
  )
    return null;
  for (const { at, plain } of pieces) {
    if (at >= chain.start && at < chain.end) continue;
    const place = walk(text, at, nothing);
    if (
      !place ||
      place.end !== at + plain.length ||
      place.county ||
      place.ambiguous ||
      (chain.county && place.sure.city < 85)
    )
      continue;
    const found = countyIn(chain, place);
    if (found !== null) return { chain: found, place };
  }
  return null;
};

/**
 * The lowest confidence at which a piece that contains only the name of a city or province counts
 * as another place.
 */
const sureAlone = 85;

const isOtherPlace = (place: Chain, { province, city }: Chain): boolean =>
  place.province !== province ||
  (place.city !== null &&
    city !== null &&
    place.city !== city &&
    !partsOf(place.city).includes(city));

/**
 * Lowers the confidence of a chain if a separate piece of the text contains another city or
 * province: 深圳 广州天河区体育西路1号. The user decides which of the two is meant.
 */
export const doubtedByOther = (
  chain: Chain,
  text: string,
  pieces: readonly { at: number; plain: string }[],
): Chain => {
  const isDoubted = pieces.some(({ at, plain }) => {
    if (at >= chain.start && at < chain.end) return false;
    const place = walk(text, at, nothing);
    return (
      place !== null &&
      place.end === at + plain.length &&
      place.former === '' &&
      Math.max(place.sure.city, place.city ? 0 : place.sure.province) >= sureAlone &&
      isOtherPlace(place, chain)
    );
  });
  if (!isDoubted) return chain;
  const { province, city, county } = chain.sure;
  return {
    ...chain,
    sure: {
      province: Math.min(province, contradicted),
      city: Math.min(city, contradicted),
      county: Math.min(county, contradicted),
    },
  };
};
