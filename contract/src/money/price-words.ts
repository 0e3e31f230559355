/** The texts, in both languages, that explain each amount of a price and the billed weight. */
import { wordOf } from '#base/word-of.ts';
import type { Params } from '#base/envelope.ts';
import { fill } from '#base/fill.ts';
import type { Language } from '#base/errors.ts';
import { formatYuan, percentText, zheText } from './money.ts';
import type { PriceLine, WeightMessage, WeightSource } from './price.ts';
import { provinceName } from '#parcels/provinces.ts';
import { kgText } from '#base/weight.ts';

type Words = Record<Language, string>;

const lineTexts = {
  first: {
    zh: '首重 {first_weight} kg，¥{first_amount}（{voucher_name} 第 {voucher_version} 版，{zone}）',
    en: 'First weight {first_weight} kg at ¥{first_amount} ({voucher_name}, version {voucher_version}, {zone})',
  },
  step: {
    zh: '{from_weight} kg 以上每 {step_weight} kg ¥{step_amount} × {steps}',
    en: 'Above {from_weight} kg: ¥{step_amount} per {step_weight} kg × {steps}',
  },
  minimum: {
    zh: '运费 ¥{freight_amount} 不足最低收费 ¥{minimum_amount}，补足',
    en: 'Freight of ¥{freight_amount} raised to the minimum charge of ¥{minimum_amount}',
  },
  discount: {
    zh: '{source} {zhe} 折（{percent}%），运费 ¥{freight_amount}',
    en: '{source} {percent}% of list, on freight of ¥{freight_amount}',
  },
  guarantee: {
    zh: '保价 ¥{value_amount}（{source}），¥{tier_amount} 档',
    en: 'Insured for ¥{value_amount} ({source}), tier up to ¥{tier_amount}',
  },
  surcharge: { zh: '附加费：{label}', en: 'Surcharge: {label}' },
} as const satisfies Record<PriceLine['rule'], Words>;

const sourceWords = {
  station: { zh: '网点折扣', en: 'Station discount' },
  voucher: { zh: '模板折扣', en: 'Template discount' },
  station_northeast: { zh: '网点东北折扣', en: 'Station north-east discount' },
  voucher_northeast: { zh: '模板东北折扣', en: 'Template north-east discount' },
  declared: { zh: '声明价值', en: 'declared value' },
  merchant: { zh: '商家最低保价', en: 'minimum of the carrier account' },
} as const satisfies Record<string, Words>;

const decidedBy = {
  jd_weight: { zh: '承运商称重 {actual_weight} kg', en: 'The carrier weighed {actual_weight} kg' },
  re_weight: { zh: '网点复重 {actual_weight} kg', en: 'The station weighed {actual_weight} kg' },
  weight: { zh: '申报重量 {actual_weight} kg', en: 'Declared {actual_weight} kg' },
  jd_volume: {
    zh: '承运商量方 {volume} cm³ ÷ {divisor} = {actual_weight} kg，大于实重 {scale_weight} kg',
    en: 'The carrier measured {volume} cm³ ÷ {divisor} = {actual_weight} kg, more than its {scale_weight} kg',
  },
  volume: {
    zh: '体积 {volume} cm³ ÷ {divisor} = {actual_weight} kg，大于实重 {scale_weight} kg',
    en: '{volume} cm³ ÷ {divisor} = {actual_weight} kg, more than its {scale_weight} kg',
  },
} as const satisfies Record<WeightSource, Words>;

const roundedBy = {
  first: {
    zh: '，首重内计 {billed_weight} kg',
    en: '; within the first weight, billed as {billed_weight} kg',
  },
  step: {
    zh: '，{from_weight} kg 以上每 {step_weight} kg 进位，计 {billed_weight} kg',
    en: '; above {from_weight} kg each started {step_weight} kg counts, billed as {billed_weight} kg',
  },
} as const satisfies Record<WeightMessage['params']['rounding'], Words>;

const shown = (name: string, value: string | number): string => {
  if (typeof value !== 'number') return value;
  if (name.endsWith('_amount')) return formatYuan(value);
  if (name.endsWith('_weight')) return kgText(value);
  return String(value);
};

const say = (words: Words, params: Params, language: Language): string =>
  fill(
    words[language],
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, shown(name, value)])),
  );

const lineParams = (line: PriceLine, language: Language): Params => {
  if (line.rule === 'first')
    return { ...line.input, zone: line.input.zone_name || provinceName(line.input.area, language) };
  if (line.rule === 'surcharge')
    return { label: line.input.name ? `${line.input.name} (${line.input.code})` : line.input.code };
  if (line.rule === 'guarantee')
    return { ...line.input, source: wordOf(sourceWords, line.input.source, language) };
  if (line.rule !== 'discount') return line.input;
  const { source, rate, freight_amount } = line.input;
  return {
    source: wordOf(sourceWords, source, language),
    zhe: zheText(rate),
    percent: percentText(rate),
    freight_amount,
  };
};

/** The text of a line of the price breakdown, without its amount. */
export const lineText = (line: PriceLine, language: Language): string =>
  say(lineTexts[line.rule], lineParams(line, language), language);

/**
 * Explains how the billed weight was chosen and rounded. The `weight_message` of a parcel contains
 * this text in Chinese.
 */
export const weightText = ({ code, params }: WeightMessage, language: Language): string =>
  say(decidedBy[code], params, language) + say(roundedBy[params.rounding], params, language);
