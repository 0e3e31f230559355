import type { Division } from '@waystation/contract/parcels/division.ts';
import { partsOf } from '@waystation/contract/parcels/division-match.ts';
import type { FormerDivision } from '@waystation/contract/parcels/former-divisions.ts';
import { isWithin } from '@waystation/contract/parcels/former-divisions.ts';
import { firstOf, present } from '@waystation/contract/base/present.ts';
import type { Hit } from './place-names.ts';
import { beginsName, namesAt } from './place-names.ts';
import type { Chain, Known } from './reading.ts';
import { weight, sureness, none, partOfWord, contradicted } from './reading.ts';
import { formerWeight, formerSureness, asPresent, asFormerCounty } from './former-names.ts';

/**
 * Names of cities that are also ordinary words, so that the name without its suffix is weak
 * evidence.
 */
const wordLike = new Set([
  '东方',
  '天门',
  '白银',
  '大同',
  '安康',
  '和平',
  '朝阳',
  '万宁',
  '新星',
  '双河',
  '玉树',
  '金华',
  '海北',
  '海西',
  '海东',
  '山南',
  '海南',
  '白山',
  '通化',
  '开封',
  '保山',
]);

const separators = ' \n\t,;:：/|>·.-';
const filler =
  /^(?:中华人民共和国|中国大陆|中国|市辖区|(?:省|自治区)?直辖县级行政(?:区划|单位)|省直辖(?:行政单位)?)/;
const deepest = 4;

const skip = (text: string, from: number, fillers = 2): number => {
  let at = from;
  for (let count = 0; count < 6 && at < text.length && separators.includes(text[at]!); count += 1)
    at += 1;
  if (fillers === 0 || !'中市省自直'.includes(text[at] ?? '!')) return at;
  const found = filler.exec(text.slice(at, at + 14));
  return found ? skip(text, at + found[0].length, fillers - 1) : at;
};

const asProvince = (hit: Hit, text: string, at: number, known: Known): Chain | null => {
  const end = at + hit.text.length;
  if (known.province && known.province !== hit.division) return null;
  const further = walk(text, end, { ...known, province: hit.division, depth: known.depth + 1 });
  // A province name that is repeated counts only if a city or county follows.
  if (known.province) return further;
  if (!further && partOfWord(hit, text, end)) return null;
  const base = further ?? { ...none, start: at, end };
  return {
    ...base,
    start: at,
    province: base.former ? base.province : hit.division,
    sure:
      base.former || (base.isContradicted && base.sure.province > 0)
        ? base.sure
        : { ...base.sure, province: sureness[hit.kind] },
    score: base.score + weight[hit.kind] + hit.text.length / 10,
    namedLevels: base.namedLevels + 1,
  };
};

const asCity = (hit: Hit, text: string, at: number, known: Known): Chain | null => {
  const { division, kind } = hit;
  const end = at + hit.text.length;
  const isPart = known.city !== null && partsOf(known.city).includes(division);
  if (
    known.former ||
    (known.city
      ? known.city !== division && !isPart
      : known.province && division.parent !== known.province)
  )
    return null;
  const further = walk(text, end, {
    province: division.parent,
    city: division,
    depth: known.depth + 1,
  });
  if (known.city && !isPart) return further;
  // 新疆石河子北三路: a place name of three characters after its province is not the beginning of a street
  // name.
  const isLong =
    kind === 'short' &&
    hit.text.length > 2 &&
    known.province !== null &&
    '东西南北'.includes(text[end] ?? '!');
  if (further?.former)
    return {
      ...further,
      start: at,
      score: further.score + weight[kind],
      namedLevels: further.namedLevels + 1,
    };
  if (!further && !isLong && partOfWord(hit, text, end)) return null;
  const base = further ?? { ...none, start: at, end };
  const alone = kind === 'short' && !known.province && !further;
  const sure = alone ? (wordLike.has(hit.text) ? 50 : 85) : sureness[kind];
  return {
    ...base,
    start: at,
    province: division.parent,
    // 伊犁 塔城市: the county belongs to a city that is itself part of the city in the text.
    city: base.county?.parent ?? division,
    sure: {
      ...base.sure,
      city: sure,
      province: known.province ? 0 : Math.min(95, sure),
      county: base.county || base.ambiguous ? base.sure.county : division.children.length ? 0 : 100,
    },
    score: base.score + (alone ? 4 : weight[kind]) + hit.text.length / 10,
    namedLevels: base.namedLevels + 1,
  };
};

const best = (hits: Hit[]): Hit[] => {
  const most = Math.max(...hits.map((hit) => weight[hit.kind]));
  return hits.filter((hit) => weight[hit.kind] === most);
};

/**
 * The county that fits best at the position `at`, of several counties with the same name; null if
 * none fits.
 */
const asCounty = (named: readonly Hit[], text: string, at: number, known: Known): Chain | null => {
  const within = known.city ?? known.province;
  const hits = best(
    named.filter(
      ({ division, kind }) =>
        division.level === 'county' &&
        (known.former
          ? known.former.now.includes(division.parent!)
          : kind === 'local'
            ? division.parent === known.city
            : within
              ? division.parent === within ||
                present(division.parent).parent === within ||
                partsOf(within).includes(division.parent!)
              : kind !== 'swapped'),
    ),
  );
  const hit = hits[0];
  if (!hit) return null;
  const end = at + hit.text.length;
  const { kind, division } = hit;
  if (partOfWord(hit, text, end)) return null;
  const base = { ...none, start: at, end, namedLevels: 1 };
  if (hits.length > 1) {
    // Several counties have this name, so it counts only if the text contains the full name.
    if (kind === 'short' || kind === 'swapped') return null;
    return {
      ...base,
      province: known.province,
      ambiguous: division.name,
      sure: { province: 0, city: 0, county: 40 },
      score: 6,
    };
  }
  const bare = kind === 'short' && !within;
  // 义乌稠州北路: a short county name alone counts only if more of an address follows directly, because a
  // name of two characters may be a person's.
  if (
    bare &&
    !(division.short.length > 2 ? /^ ?[\p{Script=Han}\d]{3}/u : /^[\p{Script=Han}\d]{3}/u).test(
      text.slice(end, end + 4),
    )
  )
    return null;
  const county = bare ? 55 : kind === 'short' ? 90 : sureness[kind];
  return {
    ...base,
    province: present(division.parent).parent,
    city: division.parent,
    county: division,
    sure: {
      county,
      city: known.city ? 0 : Math.min(known.province ? 92 : 88, county),
      province: known.province ? 0 : Math.min(90, county),
    },
    score: (bare ? 2 : weight[kind]) + hit.text.length / 10,
  };
};

/**
 * The province and city for a text that contains only an economic zone of the city. The zone is not
 * an official division, so its name remains in the address.
 */
const inArea = (city: Division, at: number): Chain => ({
  ...none,
  start: at,
  end: at,
  province: city.parent,
  city,
  sure: { ...none.sure, city: 90 },
  score: weight.short,
  namedLevels: 1,
});

/** A chain that begins with a city that was renamed or divided: 襄樊市, 巢湖市 无为县. */
const asFormerCity = (
  former: FormerDivision,
  { text, at, end }: { text: string; at: number; end: number },
  known: Known,
): Chain | null => {
  if (
    known.city ||
    known.former ||
    (known.province && !isWithin(former, { province: known.province, cities: null, cityText: '' }))
  )
    return null;
  const name = text.slice(at, end);
  const further = walk(text, end, {
    province: former.province,
    city: null,
    former,
    depth: known.depth + 1,
  });
  const isShort = !/[市区县盟州]$/.test(name);
  if (
    !further &&
    (isShort
      ? !known.province || partOfWord({ text: name, kind: 'short' }, text, end)
      : partOfWord({ text: name, kind: 'full' }, text, end))
  )
    return null;
  if (!further?.county && !further?.ambiguous) {
    const chain = asPresent(
      { now: former.now, main: former.main, isCertain: former.now.length === 1 },
      name,
      at,
      end,
    );
    // The chain scores slightly less, because 莱芜市 was also the name of a county-level city.
    return { ...chain, score: chain.score - 0.5 };
  }
  const sure = {
    ...further.sure,
    province: Math.max(further.sure.province, formerSureness.certain),
  };
  return {
    ...further,
    start: at,
    former: further.former || name,
    sure,
    score: further.score + formerWeight,
    namedLevels: further.namedLevels + 1,
  };
};
/**
 * The score of a level that contradicts the level above it (内江 市中区). Any other way to read that
 * level scores more. A reading with only the upper level scores less than the contradiction (天河区 of
 * 深圳 天河区).
 */
const contradictedWeight = 4;

/**
 * A complete name of a county or city that is outside the place before it: 深圳市 天河区, 浙江省 深圳市 南山区.
 */
const asContradiction = (text: string, at: number, known: Known): Chain | null => {
  const province = known.province ?? known.city?.parent ?? null;
  if (!province || known.former || known.city?.children.length === 0) return null;
  for (const { hits, end } of namesAt(text, at)) {
    const hit = hits.find(
      ({ division, kind }) =>
        (kind === 'full' || kind === 'variant') &&
        (division.level === 'county' || (division.level === 'city' && !known.city)),
    );
    if (!hit || partOfWord(hit, text, end)) continue;
    const { division } = hit;
    const further =
      division.level === 'city'
        ? walk(text, end, { province: division.parent, city: division, depth: known.depth + 1 })
        : null;
    const isCity = division.level === 'city';
    return {
      ...none,
      ...further,
      ...(isCity ? { city: further?.county?.parent ?? division } : { ambiguous: division.name }),
      start: at,
      end: further?.end ?? end,
      province,
      isContradicted: true,
      sure: isCity
        ? { province: contradicted, city: contradicted, county: contradicted }
        : { ...none.sure, county: contradicted },
      score: (further?.score ?? 0) + contradictedWeight + hit.text.length / 10,
      namedLevels: (further?.namedLevels ?? 0) + 1,
    };
  }
  return null;
};

/**
 * The best chain of divisions whose names begin at `from`, below the levels that are known already;
 * null if no division name begins there.
 */
export const walk = (text: string, from: number, known: Known): Chain | null => {
  if (known.depth > deepest) return null;
  const at = skip(text, from);
  let chosen: Chain | null = null;
  const offer = (chain: Chain | null) => {
    if (chain && (!chosen || chain.score > chosen.score)) chosen = chain;
  };
  for (const { hits, former, area, end } of namesAt(text, at)) {
    if (area && known.province === area.parent && !known.city && !known.former)
      offer(
        walk(text, end, { province: area.parent, city: area, depth: known.depth + 1 }) ??
          inArea(area, at),
      );
    for (const hit of hits) {
      if (hit.division.level === 'province') offer(asProvince(hit, text, at, known));
      else if (hit.division.level === 'city') offer(asCity(hit, text, at, known));
    }
    if (hits.some((hit) => hit.division.level === 'county')) offer(asCounty(hits, text, at, known));
    for (const one of former)
      if (one.level === 'city') offer(asFormerCity(one, { text, at, end }, known));
    if (former.length) offer(asFormerCounty(former, { text, at, end }, known));
  }
  // In 重庆 县 忠县, the single 县 is skipped, because it is a level between Chongqing and its counties.
  if (!chosen && known.province && text[at] === '县')
    return walk(text, at + 1, { ...known, depth: known.depth + 1 });
  return chosen ?? asContradiction(text, at, known);
};

/** True if a complete name of a province or city begins here: 李深圳 天河区 is a person. */
const beginsWithWhole = (text: string, at: number): boolean =>
  namesAt(text, at).some(({ hits }) =>
    hits.some(({ division, kind }) => division.level !== 'county' && kind === 'full'),
  );

/** Adds the city to the chain of a municipality, whose city is the municipality itself. */
const complete = (chain: Chain): Chain => {
  const only = chain.province?.children.length === 1 ? firstOf(chain.province.children) : null;
  return only && !chain.city
    ? { ...chain, city: only, sure: { ...chain.sure, city: chain.sure.province } }
    : only
      ? { ...chain, sure: { ...chain.sure, city: Math.max(chain.sure.city, chain.sure.province) } }
      : chain;
};

export const nothing: Known = { province: null, city: null, depth: 0 };
const isTelling = (chain: Chain, text: string): boolean =>
  chain.namedLevels >= 2 || /[省市区县州盟旗]$/.test(text.slice(chain.start, chain.end));

/**
 * The best chain of divisions in the text. It begins at one of `starts`, which are the beginnings
 * of pieces. A clear chain may also begin within a piece (张三广东省深圳市…); `liking` scores the text
 * before the chain in that piece.
 */
export const findChain = (
  text: string,
  starts: readonly number[],
  liking: (prefix: string) => number,
): Chain | null => {
  let chosen: Chain | null = null;
  for (const start of starts) {
    const chain = walk(text, start, nothing);
    // 北京 北京市 朝阳区: the first word is part of the chain, so of two chains with the same end the first
    // counts.
    if (chain && (!chosen || (chain.score > chosen.score && chain.end !== chosen.end)))
      chosen = chain;
  }
  if (chosen && chosen.county && chosen.namedLevels >= 2) return complete(chosen);
  for (let piece = 0; piece < starts.length; piece += 1) {
    const end = Math.min(starts[piece + 1] ?? text.length, starts[piece]! + 400);
    for (let at = starts[piece]! + 1; at < end; at += 1) {
      if (!beginsName(text[at]!)) continue;
      const chain = walk(text, at, nothing);
      if (!chain || !isTelling(chain, text) || (chain.isContradicted && !beginsWithWhole(text, at)))
        continue;
      const score =
        chain.score + (at - starts[piece]! <= 12 ? liking(text.slice(starts[piece]!, at)) : 0);
      if (!chosen || score > chosen.score) chosen = { ...chain, score };
    }
  }
  return chosen && complete(chosen);
};
