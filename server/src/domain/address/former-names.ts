import { aliasIndex } from '@waystation/contract/parcels/division-match.ts';
import type {
  FormerDivision,
  FormerMatch,
  Within,
} from '@waystation/contract/parcels/former-divisions.ts';
import {
  isShortFormer,
  isWithin,
  presentOf,
} from '@waystation/contract/parcels/former-divisions.ts';
import { pathOf } from '@waystation/contract/parcels/divisions.ts';
import { firstOf } from '@waystation/contract/base/present.ts';
import { divisions } from './divisions.ts';
import type { Chain, Known } from './reading.ts';
import { none, partOfWord } from './reading.ts';

/**
 * The score of a former name. It is higher than the score of a present name with a wrong ending:
 * 江北县 means 渝北区 and not 江北区.
 */
export const formerWeight = 7.5;
/**
 * The score of a former division name without its ending, which is lower than for any present name.
 */
const formerShortWeight = 6.5;
export const formerSureness = { certain: 88, likely: 60, open: 40 };

/**
 * The present province, city and county that replaced the former division `name`, which the text
 * contains from `at` to `end`.
 */
export const asPresent = (match: FormerMatch, name: string, at: number, end: number): Chain => {
  const cities = [
    ...new Set(
      match.now.map((division) => (division.level === 'county' ? division.parent! : division)),
    ),
  ];
  const sure = match.isCertain
    ? formerSureness.certain
    : match.main
      ? formerSureness.likely
      : formerSureness.open;
  const [province = null, city = null, county = null] = match.main
    ? pathOf(match.main)
    : cities.length === 1
      ? pathOf(firstOf(cities))
      : [firstOf(cities).parent];
  const ambiguous = match.main || firstOf(match.now).level === 'city' ? '' : name;
  return {
    ...none,
    start: at,
    end,
    province,
    city,
    county,
    ambiguous,
    former: name,
    sure: {
      province: formerSureness.certain,
      city: cities.length === 1 ? formerSureness.certain : city ? sure : 0,
      county: county || ambiguous ? sure : match.isCertain && city?.children.length === 0 ? 100 : 0,
    },
    score: formerWeight + name.length / 10,
    namedLevels: 1,
  };
};

/** True if a present division in the known place has this name. */
const hasPresent = (name: string, { province, city }: Known): boolean =>
  (aliasIndex(divisions).get(name) ?? []).some(({ division }) =>
    pathOf(division).includes((city ?? province)!),
  );

/**
 * The province, city and county of a former county, which was renamed, divided, merged or moved.
 */
export const asFormerCounty = (
  named: readonly FormerDivision[],
  { text, at, end }: { text: string; at: number; end: number },
  known: Known,
): Chain | null => {
  const name = text.slice(at, end);
  const within: Within = {
    province: known.province,
    cities: known.former ? known.former.now : known.city ? [known.city] : null,
    cityText: known.former?.name ?? known.city?.name ?? '',
  };
  const isAlone = !known.province && !known.city;
  const counties = named.filter((former) => former.level === 'county' && isWithin(former, within));
  const whole = counties.filter((former) => !isShortFormer(former, name));
  const isShort = whole.length === 0;
  const match = presentOf(isShort ? counties : whole, within);
  if (!match || partOfWord({ text: name, kind: isShort ? 'short' : 'full' }, text, end))
    return null;
  const score = formerShortWeight + name.length / 10;
  if (isShort)
    return isAlone || hasPresent(name, known)
      ? null
      : { ...asPresent(match, name, at, at), isFormerKept: true, score };
  // The word 新区 or 郊区 without a place name before it is not a name.
  if (
    isAlone &&
    (name.length < 3 || (!match.main && new Set(match.now.map(({ parent }) => parent)).size > 1))
  )
    return null;
  return asPresent(match, name, at, end);
};
