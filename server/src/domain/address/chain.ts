import type { Division } from '@waystation/contract/division.ts';
import type { AliasKind } from '@waystation/contract/division-names.ts';
import { aliasIndex, isPartOfWord } from '@waystation/contract/division-match.ts';
import { divisions } from './divisions.ts';
import { formerNames } from './former-names.ts';

/** Province, city and county as they follow each other in a text. */
export interface Chain {
  start: number;
  end: number;
  province: Division | null;
  city: Division | null;
  county: Division | null;
  /** The name of a county that exists in several cities; `county` is null then. */
  ambiguous: string;
  /** 0–100 each. */
  sure: { province: number; city: number; county: number };
  /** The weight of this reading, to choose between readings. */
  score: number;
  /** The number of levels that the text names. */
  namedLevels: number;
}

type Kind = AliasKind | 'former';
interface Hit {
  division: Division;
  kind: Kind;
  text: string;
}

/** Names as a tree of their characters, so that a search costs no more than the longest match. */
interface Node {
  next: Map<string, Node>;
  hits: Hit[];
}
const root: Node = { next: new Map(), hits: [] };

const plant = (text: string, hits: readonly Hit[]): void => {
  let node = root;
  for (const character of text) {
    const next = node.next.get(character) ?? { next: new Map(), hits: [] };
    node.next.set(character, next);
    node = next;
  }
  node.hits.push(...hits);
};
for (const [text, entries] of aliasIndex(divisions)) plant(text, entries);
for (const [text, code] of Object.entries(formerNames)) plant(text, [{ division: divisions.byCode.get(code)!, kind: 'former', text }]);

const weight: Record<Kind, number> = { full: 10, variant: 9, local: 8, short: 7, swapped: 7, former: 6 };
const sureness: Record<Kind, number> = { full: 100, variant: 97, local: 93, short: 93, swapped: 80, former: 70 };
/** Ordinary words that are cities too: alone they are weak evidence. */
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
const filler = /^(?:中华人民共和国|中国大陆|中国|市辖区|(?:省|自治区)?直辖县级行政(?:区划|单位)|省直辖)/;
const deepest = 4;

const skip = (text: string, from: number, fillers = 2): number => {
  let at = from;
  for (let count = 0; count < 6 && at < text.length && separators.includes(text[at]!); count += 1) at += 1;
  if (fillers === 0 || !'中市省自直'.includes(text[at] ?? '!')) return at;
  const found = filler.exec(text.slice(at, at + 14));
  return found ? skip(text, at + found[0].length, fillers - 1) : at;
};

/** The names that begin at `at`, longest first. */
const hitsAt = (text: string, at: number): Hit[][] => {
  const found: Hit[][] = [];
  let node = root.next.get(text[at]!);
  for (let end = at + 1; node; end += 1) {
    if (node.hits.length) found.unshift(node.hits);
    node = node.next.get(text[end]!);
  }
  return found;
};

interface Known {
  province: Division | null;
  city: Division | null;
  depth: number;
}

const none = { province: null, city: null, county: null, ambiguous: '', sure: { province: 0, city: 0, county: 0 }, score: 0, namedLevels: 0 };

const partOfWord = (hit: Hit, text: string, end: number): boolean =>
  isPartOfWord({ text: hit.text, kind: hit.kind === 'former' ? 'full' : hit.kind }, text.slice(end, end + 6));

const asProvince = (hit: Hit, text: string, at: number, known: Known): Chain | null => {
  const end = at + hit.text.length;
  if (known.province && known.province !== hit.division) return null;
  const further = walk(text, end, { ...known, province: hit.division, depth: known.depth + 1 });
  // a repeated name helps only if the chain continues
  if (known.province) return further;
  if (!further && partOfWord(hit, text, end)) return null;
  const base = further ?? { ...none, start: at, end };
  return {
    ...base,
    start: at,
    province: hit.division,
    sure: { ...base.sure, province: sureness[hit.kind] },
    score: base.score + weight[hit.kind] + hit.text.length / 10,
    namedLevels: base.namedLevels + 1,
  };
};

const asCity = (hit: Hit, text: string, at: number, known: Known): Chain | null => {
  const { division, kind } = hit;
  const end = at + hit.text.length;
  if (known.city ? known.city !== division : known.province && division.parent !== known.province) return null;
  const further = walk(text, end, { province: division.parent, city: division, depth: known.depth + 1 });
  if (known.city) return further;
  if (!further && partOfWord(hit, text, end)) return null;
  const base = further ?? { ...none, start: at, end };
  const alone = kind === 'short' && !known.province && !further;
  const sure = alone ? (wordLike.has(hit.text) ? 50 : 85) : sureness[kind];
  return {
    ...base,
    start: at,
    province: division.parent,
    city: division,
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

/** The counties of one name that may be meant here. */
const asCounty = (named: Hit[], text: string, at: number, known: Known): Chain | null => {
  const within = known.city ?? known.province;
  const hits = best(
    named.filter(
      ({ division, kind }) =>
        division.level === 'county' &&
        (kind === 'local' ? division.parent === known.city : within ? division.parent === within || division.parent!.parent === within : kind !== 'swapped'),
    ),
  );
  const hit = hits[0];
  if (!hit) return null;
  const end = at + hit.text.length;
  const { kind, division } = hit;
  if (partOfWord(hit, text, end)) return null;
  const base = { ...none, start: at, end, namedLevels: 1 };
  if (hits.length > 1) {
    // several counties of this name: kept only as a whole name
    if (kind === 'short' || kind === 'swapped') return null;
    return { ...base, province: known.province, ambiguous: division.name, sure: { province: 0, city: 0, county: 40 }, score: 6 };
  }
  const bare = kind === 'short' && !within;
  // 义乌稠州北路: only where more address follows in the same breath, for a name of two characters may be a person's
  if (bare && !(division.short.length > 2 ? /^ ?[\p{Script=Han}\d]{3}/u : /^[\p{Script=Han}\d]{3}/u).test(text.slice(end, end + 4))) return null;
  const county = bare ? 55 : kind === 'short' ? 90 : sureness[kind];
  return {
    ...base,
    province: division.parent!.parent,
    city: division.parent,
    county: division,
    sure: { county, city: known.city ? 0 : Math.min(known.province ? 92 : 88, county), province: known.province ? 0 : Math.min(90, county) },
    score: (bare ? 2 : weight[kind]) + hit.text.length / 10,
  };
};

/** The best reading of a chain of divisions from `from` on, for the known levels; null if the text names none there. */
export const walk = (text: string, from: number, known: Known): Chain | null => {
  if (known.depth > deepest) return null;
  const at = skip(text, from);
  let chosen: Chain | null = null;
  const offer = (chain: Chain | null) => {
    if (chain && (!chosen || chain.score > chosen.score)) chosen = chain;
  };
  for (const hits of hitsAt(text, at)) {
    for (const hit of hits) {
      if (hit.division.level === 'province') offer(asProvince(hit, text, at, known));
      else if (hit.division.level === 'city') offer(asCity(hit, text, at, known));
    }
    if (hits.some((hit) => hit.division.level === 'county')) offer(asCounty(hits, text, at, known));
  }
  // 重庆 县 忠县
  if (!chosen && known.province && text[at] === '县') return walk(text, at + 1, { ...known, depth: known.depth + 1 });
  return chosen;
};

/** A municipality is its own city. */
const complete = (chain: Chain): Chain => {
  const only = chain.province?.children.length === 1 ? chain.province.children[0]! : null;
  return only && !chain.city
    ? { ...chain, city: only, sure: { ...chain.sure, city: chain.sure.province } }
    : only
      ? { ...chain, sure: { ...chain.sure, city: Math.max(chain.sure.city, chain.sure.province) } }
      : chain;
};

const nothing: Known = { province: null, city: null, depth: 0 };
const isTelling = (chain: Chain, text: string): boolean => chain.namedLevels >= 2 || /[省市区县州盟旗]$/.test(text.slice(chain.start, chain.end));

/**
 * The best chain of divisions in the text. It begins at one of `starts` (where a piece of the text begins) or, if it is clear enough, within a piece
 * (张三广东省深圳市…); `liking` rates the text before it in that piece.
 */
export const findChain = (text: string, starts: readonly number[], liking: (prefix: string) => number): Chain | null => {
  let chosen: Chain | null = null;
  for (const start of starts) {
    const chain = walk(text, start, nothing);
    // 北京 北京市 朝阳区: the first word belongs to it
    if (chain && (!chosen || (chain.score > chosen.score && chain.end !== chosen.end))) chosen = chain;
  }
  if (chosen && chosen.county && chosen.namedLevels >= 2) return complete(chosen);
  for (let piece = 0; piece < starts.length; piece += 1) {
    const end = Math.min(starts[piece + 1] ?? text.length, starts[piece]! + 400);
    for (let at = starts[piece]! + 1; at < end; at += 1) {
      if (!root.next.has(text[at]!)) continue;
      const chain = walk(text, at, nothing);
      if (!chain || !isTelling(chain, text)) continue;
      const score = chain.score + (at - starts[piece]! <= 12 ? liking(text.slice(starts[piece]!, at)) : 0);
      if (!chosen || score > chosen.score) chosen = { ...chain, score };
    }
  }
  return chosen && complete(chosen);
};
