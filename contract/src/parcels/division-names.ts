/** The different ways in which people write the name of a division. */
import type { Division, Level } from './division.ts';

/**
 * The kinds of names of a division. `full`: the official name. `variant`: another complete name
 * (延边州, 石柱县, 内蒙古省). `local`: sufficient only within its city (高新区). `swapped`: with a suffix from
 * another time or a wrong suffix (静海县, 龙华新区). `short`: without any suffix, so that it may also
 * begin another word (南山大道).
 */
export type AliasKind = 'full' | 'variant' | 'local' | 'swapped' | 'short';
export interface Alias {
  text: string;
  kind: AliasKind;
}

const peoples =
  '蒙古族|蒙古|回族|藏族|维吾尔|维吾尔族|苗族|彝族|壮族|布依族|朝鲜族|满族|侗族|瑶族|白族|土家族|哈尼族|哈萨克族|哈萨克|傣族|黎族|傈僳族|佤族|畲族|拉祜族|水族|东乡族|纳西族|景颇族|柯尔克孜|土族|达斡尔族|仫佬族|羌族|布朗族|撒拉族|毛南族|仡佬族|锡伯|塔吉克|怒族|独龙族|裕固族|保安族|普米族|各族';
const peopleAtEnd = new RegExp(`(?:${peoples})+$`);
/** Districts that are named after a people, such as 管城回族区. */
const peopleInName = new RegExp(`(?<=..)(?:${peoples})区$`);
const selfRule = /自治[区州县旗]$/;
const suffixes: Record<Level, RegExp> = {
  province: /(?:省|市|特别行政区)$/,
  city: /(?:市|地区|盟|林区|县)$/,
  county: /(?:新区|特区|林区|矿区|[区县市旗镇乡])$/,
};
/**
 * Matches divisions whose name ends with a kind of zone: 蚌埠市经济开发区 has no shorter name, but 绿园区 has
 * one.
 */
const zone = /(?:开发区|产业园区|工业园区|创意园区|实验区|示范区|管理区|名胜区)$/;
/** Official names that are as ambiguous as short names. */
const endless = new Set(['九龙', '新界']);
/**
 * Names that never lose their suffix, because without it they are ordinary words or the name of
 * another division.
 */
const neverBare = new Set(['市中', '城中', '城区', '井陉', '开发', '矿区', '工业']);

/**
 * Shortens a name: 广东省 → 广东, 延边朝鲜族自治州 → 延边, 浦东新区 → 浦东. A name stays whole if fewer than two
 * characters would remain.
 */
export const shortName = (name: string, level: Level): string => {
  if (selfRule.test(name)) {
    const land = name.replace(selfRule, '');
    const bare = land.replace(peopleAtEnd, '');
    // 东乡族自治县, 鄂温克族自治旗: the place has the name of its people
    return (bare.length >= 2 ? bare : land).replace(/族$/, '');
  }
  if (zone.test(name)) return name;
  if (peopleInName.test(name)) return name.replace(peopleInName, '');
  const bare = name.replace(suffixes[level], '');
  return bare.length >= 2 && !neverBare.has(bare) ? bare : name;
};

/** The one-character short names of provinces, as on number plates. */
export const provinceLetters: Readonly<Record<string, string>> = {
  京: '110000',
  津: '120000',
  冀: '130000',
  晋: '140000',
  蒙: '150000',
  辽: '210000',
  吉: '220000',
  黑: '230000',
  沪: '310000',
  申: '310000',
  苏: '320000',
  浙: '330000',
  皖: '340000',
  闽: '350000',
  赣: '360000',
  鲁: '370000',
  豫: '410000',
  鄂: '420000',
  湘: '430000',
  粤: '440000',
  桂: '450000',
  琼: '460000',
  渝: '500000',
  川: '510000',
  蜀: '510000',
  贵: '520000',
  黔: '520000',
  云: '530000',
  滇: '530000',
  藏: '540000',
  陕: '610000',
  秦: '610000',
  甘: '620000',
  陇: '620000',
  青: '630000',
  宁: '640000',
  新: '650000',
  台: '710000',
  港: '810000',
  澳: '820000',
};

/** Common names that no rule derives from the official names. */
const others: Readonly<Record<string, readonly string[]>> = {
  150000: ['内蒙', '内蒙古区'],
  650000: ['新疆维吾尔族自治区'],
  150100: ['呼市'],
  150800: ['巴盟'],
  152500: ['锡盟'],
  152900: ['阿盟'],
  222400: ['延吉州'],
  532800: ['版纳', '西双版纳州'],
  652700: ['博州'],
  652800: ['巴州'],
  653000: ['克州'],
  150121: ['土左旗'],
  320114: ['雨花区'],
  150221: ['土右旗'],
  150223: ['达茂旗'],
  150421: ['阿旗'],
  150425: ['克旗'],
  150521: ['科左中旗'],
  150522: ['科左后旗'],
  150621: ['达旗'],
  150622: ['准旗'],
  150722: ['莫旗'],
  150726: ['新左旗'],
  150727: ['新右旗'],
  150926: ['察右前旗'],
  150927: ['察右中旗'],
  150928: ['察右后旗'],
  152221: ['科右前旗'],
  152222: ['科右中旗'],
  210213: ['金普新区'],
  211324: ['喀左县'],
  220721: ['前郭县'],
  230624: ['杜蒙县', '杜尔伯特县'],
  370211: ['西海岸新区', '青岛西海岸新区'],
  653131: ['塔县'],
  654022: ['察县'],
  654226: ['和丰县'],
  810100: ['港岛'],
  820201: ['氹仔'],
  820202: ['路环'],
};

const technical = '(?:高新技术产业|高新技术|高技术产业)(?:开发区|园区)';
const economic = '(?:经济技术|经济)开发区';
const zoneShape = new RegExp(
  `^(.*?)(?:(${technical})|(${economic})|(航空港经济综合实验区)|(工业园区))$`,
);
const zoneNames: readonly (readonly string[])[] = [
  ['高新区', '高新技术产业开发区', '高新技术开发区', '高新开发区', '高新技术产业园区'],
  ['经开区', '经济技术开发区', '经济开发区', '经济技术开发区管委会', '开发区'],
  ['航空港区', '航空港经济综合实验区', '航空港实验区', '航空港'],
  ['工业园区'],
];

/**
 * True if a division is a development zone without an official code: the last two digits of its
 * statistical code begin with 7.
 */
export const isZone = (division: Division): boolean =>
  division.level === 'county' && /^[1-6]\d{3}7\d$/.test(division.code);

/**
 * The names of a zone: 徐州经济技术开发区 is also 经开区, 徐州经开区 and so on. Within its city the kind of zone is
 * a sufficient name.
 */
const zoneAliases = (zone: Division): { within: string[]; whole: string[] } => {
  const city = zone.parent!;
  const own = zone.name.replace(
    new RegExp(`^(?:${city.parent!.short})?(?:${city.name}|${city.short})?`),
    '',
  );
  const shape = zoneShape.exec(own);
  const kinds = shape ? zoneNames[shape.slice(2).findIndex(Boolean)]! : [''];
  const stem = shape ? shape[1]! : own;
  const within = kinds.map((kind) => stem + kind).filter((text) => text.length >= 3);
  return { within, whole: within.flatMap((text) => [city.short + text, city.name + text]) };
};

const variants = (division: Division): string[] => {
  const { name, short, level } = division;
  const kind = selfRule.exec(name)?.[0].slice(-1);
  if (level === 'province')
    return kind
      ? [`${short}省`, `${short}自治区`]
      : name.endsWith('特别行政区')
        ? [`${short}特区`]
        : [];
  if (kind) return [short + kind, `${short}自治${kind}`];
  if (level === 'city')
    return name.endsWith('市') ? [`${short}地区`] : /(?:地区|盟)$/.test(name) ? [`${short}市`] : [];
  return peopleInName.test(name) ? [`${short}区`] : [];
};

const swapped = (name: string, base: string): string[] =>
  ['区', '县', '市', '新区'].map((ending) => base + ending).filter((text) => text !== name);

/**
 * Every known way to write a division; each text is listed once, with the most certain kind first.
 */
export const aliasesOf = (division: Division): Alias[] => {
  const { name, short, level, parent } = division;
  const aliases: Alias[] = [{ text: name, kind: endless.has(name) ? 'short' : 'full' }];
  const add = (kind: AliasKind, texts: readonly string[]) => {
    for (const text of texts)
      if (text.length >= 2 && !aliases.some((alias) => alias.text === text))
        aliases.push({ text, kind });
  };
  add('variant', [...variants(division), ...(others[division.code] ?? [])]);
  if (isZone(division)) {
    const { within, whole } = zoneAliases(division);
    add('variant', whole);
    add('local', within);
  }
  if (short === name || isZone(division)) return aliases;
  // 邵阳县 is in 邵阳市, and 河南县 is far from the province 河南. Without its suffix, such a name means the
  // larger place
  const larger =
    level === 'county' &&
    (short === parent!.short || short === parent!.parent!.short || short === '河南');
  if (!larger) add('short', [short]);
  if (level === 'county' && !selfRule.test(name)) add('swapped', swapped(name, short));
  return aliases;
};
