import type { PriceListRole } from '@waystation/contract/money/price-list.ts';
import { parseKg } from '@waystation/contract/base/weight.ts';

/** The weight range of a title, in grams; `to_g` is null if there is no upper limit. */
export interface WeightRange {
  from_g: number;
  to_g: number | null;
  /** True if the title is only one weight: the price then applies to parcels up to this weight. */
  single?: true;
}

const plain = (title: string): string =>
  title.slice(0, 100).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '');

const unit = '(?:kg|公斤|千克)';
const between = new RegExp(`(\\d+(?:\\.\\d+)?)${unit}?(?:-|~|–|—|至|到)(\\d+(?:\\.\\d+)?)${unit}`);
const within = new RegExp(
  `(?:≤|<=?)(\\d+(?:\\.\\d+)?)${unit}|(\\d+(?:\\.\\d+)?)${unit}(?:及?以内|及?以下|内)`,
);
const above = new RegExp(
  `(?:≥|>=?)(\\d+(?:\\.\\d+)?)${unit}|(\\d+(?:\\.\\d+)?)${unit}(?:及?以上|\\+)`,
);

/** The weight range that a title contains: 1-3kg, 3kg以内, 20kg以上. */
export const rangeOf = (title: string): WeightRange | null => {
  const text = plain(title);
  const [, from, to] = between.exec(text) ?? [];
  if (from !== undefined && to !== undefined) {
    const range = { from_g: parseKg(from) ?? 0, to_g: parseKg(to) ?? 0 };
    return range.from_g < range.to_g ? range : null;
  }
  const most = within.exec(text);
  if (most) return { from_g: 0, to_g: parseKg(most[1] ?? most[2] ?? '') };
  const least = above.exec(text);
  return least ? { from_g: parseKg(least[1] ?? least[2] ?? '') ?? 0, to_g: null } : null;
};

const figure = '(\\d+(?:\\.\\d+)?)';
const bareBetween = new RegExp(`^${figure}(?:-|~|–|—|至|到)${figure}$`);
const bareWithin = new RegExp(`^(?:(?:≤|<=?)${figure}|${figure}(?:及?以内|及?以下|内))$`);
const bareAbove = new RegExp(`^(?:(?:≥|>=?)${figure}|${figure}(?:及?以上|\\+))$`);
const alone = new RegExp(`^${figure}${unit}(?:运费|价格|价|\\(?元\\)?)?$`);

/**
 * A weight range without a unit, which is in kilograms: 0-1, 20以上. The title must not contain other
 * text.
 */
const bareRangeOf = (title: string): WeightRange | null => {
  const text = plain(title);
  const isBare = [bareBetween, bareWithin, bareAbove].some((pattern) => pattern.test(text));
  if (!isBare) return null;
  return rangeOf(/[-~–—至到]/.test(text) ? `${text}kg` : text.replace(/\d+(?:\.\d+)?/, '$&kg'));
};

/** The parts of a title that may be a weight range: the whole title, or its last line. */
const rangeParts = (title: string): string[] => [title, title.split('\n').at(-1) ?? ''];

const first = <T>(parts: readonly string[], read: (part: string) => T | null): T | null =>
  parts.reduce<T | null>((found, part) => found ?? read(part), null);

const weightAlone = (title: string): number | null =>
  /首|续|first|step|additional/i.test(title)
    ? null
    : first(rangeParts(title), (part) => parseKg(alone.exec(plain(part))?.[1] ?? ''));

/**
 * The weight range of each title. A title with only one weight is a range that begins where the
 * next lower range ends.
 */
export const rangesOf = (titles: readonly string[]): (WeightRange | null)[] => {
  const named = titles.map((title) =>
    first(rangeParts(title), (part) => rangeOf(part) ?? bareRangeOf(part)),
  );
  const singles = titles.map((title, at) => (named[at] ? null : weightAlone(title)));
  const bounds = [
    ...singles,
    ...named.map((range) => range?.to_g ?? null),
    ...titles.map((title) => (/首|first/i.test(title) ? weightIn(title) : null)),
  ].filter((bound) => bound !== null);
  return titles.map((_, at) => {
    const to_g = singles[at] ?? null;
    if (to_g === null) return named[at] ?? null;
    const from_g = Math.max(0, ...bounds.filter((bound) => bound < to_g));
    return { from_g, to_g, single: true };
  });
};

/** The weight in a title for a first or further weight: 首重1kg, 续重(0.5kg), 元/kg. */
export const weightIn = (title: string): number | null => {
  const text = plain(title);
  const [, figure] = new RegExp(`(\\d+(?:\\.\\d+)?)${unit}`).exec(text) ?? [];
  if (figure !== undefined) return parseKg(figure);
  return new RegExp(`(?:/|每|per)${unit}`).test(text) ? 1_000 : null;
};

/** The weight of a step in a title that also has a weight range: 1-10kg 每0.5kg. */
export const stepIn = (title: string): number | null =>
  weightIn([between, within, above].reduce((text, range) => text.replace(range, ''), plain(title)));

const province = /省|目的地|地区|区域|到达地?|流向|province|region|destination/;
const notProvince = /寄件|始发|发件|发货|价|费|元|时效|城市|sender|origin|price/;
const city = /^(?:收件|到达|目的)?(?:城市|市|地市)$|^(?:destination)?city$/;
const price = /价|费|元|¥|price|charge|rmb/;
const perStep = new RegExp(`续|每|/${unit}|per|each`);
const weighed = /重量|单位|\((?:kg|公斤|千克)\)|weight\(|step\(/;

const weightOrPrice = (
  title: string,
  text: string,
  weight: PriceListRole,
  amount: PriceListRole,
): readonly PriceListRole[] => {
  if (price.test(text) || weightIn(title) !== null) return [amount];
  return weighed.test(text) ? [weight] : [weight, amount];
};

/** Every meaning that a title may have. If there are several, the user is asked. */
export const candidatesOf = (
  title: string,
  range: WeightRange | null,
): readonly PriceListRole[] => {
  const text = plain(title);
  if (text === '') return [];
  if (/起步价|起价/.test(text)) return ['first_price', 'minimum'];
  if (/最低|minimum/.test(text)) return ['minimum'];
  if (/首|first/.test(text)) return weightOrPrice(title, text, 'first_weight', 'first_price');
  if (range?.single) return ['range'];
  if (range !== null) {
    if (perStep.test(text) || range.to_g === null) return ['range_step'];
    return range.from_g === 0 ? ['range'] : ['range', 'range_step'];
  }
  if (/上限|最高重量|封顶|upto/.test(text)) return ['up_to'];
  if (/续|step|additional/.test(text))
    return weightOrPrice(title, text, 'step_weight', 'step_price');
  if (city.test(text)) return ['city'];
  return province.test(text) && !notProvince.test(text) ? ['province'] : [];
};

/** True for the meanings that several columns may have, each for the weight range in its title. */
export const isRanged = (role: PriceListRole): boolean => role === 'range' || role === 'range_step';

export interface TitledColumn {
  role: PriceListRole | null;
  asked: readonly PriceListRole[];
}

/**
 * The meaning of each title. 首重 is a weight if another column is 首重价. The user is asked about two
 * columns with the same meaning, and about a title with two meanings.
 */
export const rolesOf = (titles: readonly string[]): TitledColumn[] => {
  const ranges = rangesOf(titles);
  const all = titles.map((title, at) => candidatesOf(title, ranges[at] ?? null));
  const certain = new Set(all.flatMap((roles) => (roles.length === 1 ? roles : [])));
  const narrowed = all.map((roles) => {
    if (roles.length < 2) return roles;
    const left = roles.filter((role) => isRanged(role) || !certain.has(role));
    return left.length === 0 ? roles : left;
  });
  const count = (role: PriceListRole): number =>
    narrowed.filter((roles) => roles.length === 1 && roles[0] === role).length;
  return narrowed.map((roles): TitledColumn => {
    const [only] = roles;
    if (only === undefined) return { role: null, asked: [] };
    return roles.length > 1 || (!isRanged(only) && count(only) > 1)
      ? { role: null, asked: roles }
      : { role: only, asked: [] };
  });
};
