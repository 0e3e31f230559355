import { wordOf } from '#base/word-of.ts';
import type { Language } from '#base/fill-error.ts';
import { formatYuan } from '#money/money.ts';
import type { OfferChoice } from './offer-rule.ts';
import { providers } from './provider.ts';

const daysText = (hours: number): string => String(Math.round((hours * 10) / 24) / 10);

type Because = OfferChoice['because'];
type Why = Pick<OfferChoice, 'because' | 'skipped'>;

/** The text for each reason why a product was chosen, without the figures of a parcel. */
const because: Readonly<Record<Because, { zh: string; en: string }>> = {
  only: { zh: '唯一可用的时效', en: 'the only one available' },
  cheapest: { zh: '最低价', en: 'cheapest' },
  fastest: { zh: '已知平均用时最短', en: 'shortest known average time' },
  preferred: { zh: '按省份首选承运商', en: 'preferred carrier of the province' },
  no_times: {
    zh: '线路用时不足以比较，取最低价',
    en: 'too few times known on the lane to compare, cheapest',
  },
  not_offered: {
    zh: '首选承运商不可下单，取最低价',
    en: 'the preferred carrier has none, cheapest',
  },
};

/**
 * The texts for products of other carriers that were chosen because the rule's carrier accepted no
 * calls.
 */
const becauseOfOthers: Readonly<Record<Because, { zh: string; en: string }>> = {
  only: { zh: '取唯一的其余时效', en: 'the only other one' },
  cheapest: { zh: '取其余时效中最低价', en: 'cheapest of the others' },
  fastest: {
    zh: '取其余时效中已知平均用时最短',
    en: 'shortest known average time of the others',
  },
  preferred: { zh: '取其余时效中最低价', en: 'cheapest of the others' },
  no_times: {
    zh: '其余线路用时不足以比较，取最低价',
    en: 'too few times known of the others to compare, cheapest of them',
  },
  not_offered: { zh: '取其余时效中最低价', en: 'cheapest of the others' },
};

/** Why products were chosen, as one line of text for several parcels. */
export const whyText = ({ because: why, skipped }: Why, language: Language): string => {
  if (skipped === null) return because[why][language];
  const name = wordOf(providers, skipped, language);
  return language === 'zh'
    ? `${name}暂停或无响应，${becauseOfOthers[why].zh}`
    : `${name} took no calls, ${becauseOfOthers[why].en}`;
};

/**
 * The text with the figures behind the reason: how many products were compared, and the average
 * time.
 */
const comparedText = (choice: OfferChoice, language: Language): string => {
  const { because: why, offers, average_hours, skipped } = choice;
  const compared = why !== 'only' && why !== 'preferred' && skipped === null;
  const parts = [
    compared ? (language === 'zh' ? `共 ${offers} 个` : `of ${offers}`) : '',
    average_hours === null
      ? ''
      : language === 'zh'
        ? `${daysText(average_hours)} 天`
        : `${daysText(average_hours)} days`,
  ].filter(Boolean);
  return parts.length === 0
    ? ''
    : language === 'zh'
      ? `（${parts.join('，')}）`
      : ` (${parts.join(', ')})`;
};

const differenceText = ({ other }: OfferChoice, language: Language): string => {
  if (other === null) return '';
  const name = wordOf(providers, other.provider, language);
  const amount = `¥${formatYuan(Math.abs(other.more_amount))}`;
  if (other.more_amount === 0) return language === 'zh' ? `${name}同价` : `${name} was the same`;
  if (language === 'zh') return `${name}${other.more_amount > 0 ? '贵' : '便宜'} ${amount}`;
  return `${name} was ${amount} ${other.more_amount > 0 ? 'more' : 'less'}`;
};

/**
 * Returns the choice with the right reason if delivery times are unknown. Earlier versions stored
 * `fastest` although the cheapest product was chosen.
 */
const withTime = (choice: OfferChoice): OfferChoice =>
  choice.because === 'fastest' && choice.average_hours === null
    ? { ...choice, because: 'no_times' }
    : choice;

/**
 * The text that explains why a product was chosen, with figures: `cheapest (of 3), SF Express was
 * ¥2.10 more`.
 */
export const choiceReason = (choice: OfferChoice, language: Language): string =>
  [
    `${whyText(withTime(choice), language)}${comparedText(choice, language)}`,
    differenceText(choice, language),
  ]
    .filter(Boolean)
    .join(language === 'zh' ? '，' : ', ');

/** Writes which carrier and product was chosen, and why. */
export const choiceText = (choice: OfferChoice, language: Language): string => {
  const { provider, promise_name, promise_name_en } = choice;
  const product = language === 'en' && promise_name_en !== '' ? promise_name_en : promise_name;
  return `${wordOf(providers, provider, language)} · ${product}${language === 'zh' ? '：' : ': '}${choiceReason(choice, language)}`;
};
