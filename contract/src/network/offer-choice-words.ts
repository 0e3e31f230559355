import type { Language } from '#base/fill-error.ts';
import { formatYuan } from '#money/money.ts';
import type { OfferChoice } from './offer-rule.ts';
import { providers } from './provider.ts';

const daysText = (hours: number): string => String(Math.round((hours * 10) / 24) / 10);

const because = {
  zh: ({ because: why, offers, average_hours }: OfferChoice): string =>
    ({
      only: '唯一可用的时效',
      cheapest: `${offers} 个时效中最低价`,
      fastest: `${offers} 个时效中平均用时最短（${daysText(average_hours ?? 0)} 天）`,
      preferred: '按省份首选承运商',
      no_times: `暂无线路用时，取 ${offers} 个时效中最低价`,
      not_offered: `首选承运商不可下单，取 ${offers} 个时效中最低价`,
    })[why],
  en: ({ because: why, offers, average_hours }: OfferChoice): string =>
    ({
      only: 'the only one available',
      cheapest: `cheapest of ${offers}`,
      fastest: `shortest average time of ${offers} (${daysText(average_hours ?? 0)} days)`,
      preferred: 'preferred carrier of the province',
      no_times: `no times known on this lane, cheapest of ${offers}`,
      not_offered: `the preferred carrier has none, cheapest of ${offers}`,
    })[why],
};

const differenceText = ({ other }: OfferChoice, language: Language): string => {
  if (other === null) return '';
  const name = providers[other.provider][language];
  const amount = `¥${formatYuan(Math.abs(other.more_amount))}`;
  if (other.more_amount === 0) return language === 'zh' ? `${name}同价` : `${name} was the same`;
  if (language === 'zh') return `${name}${other.more_amount > 0 ? '贵' : '便宜'} ${amount}`;
  return `${name} was ${amount} ${other.more_amount > 0 ? 'more' : 'less'}`;
};

/** The reason, if the carrier that the rule names took no calls. */
const skippedText = ({ skipped, because: why }: OfferChoice, language: Language): string | null => {
  if (skipped === null) return null;
  const name = providers[skipped][language];
  if (language === 'zh')
    return `${name}暂停或无响应，取其余时效中${why === 'fastest' ? '平均用时最短' : '最低价'}`;
  return `${name} took no calls, ${why === 'fastest' ? 'shortest average time' : 'cheapest'} of the others`;
};

/** Why a product was chosen, in one line: `JD Logistics · Economy: cheapest of 3, SF … more`. */
export const choiceText = (choice: OfferChoice, language: Language): string => {
  const { provider, promise_name, promise_name_en } = choice;
  const product = language === 'en' && promise_name_en !== '' ? promise_name_en : promise_name;
  const why = [
    skippedText(choice, language) ?? because[language](choice),
    differenceText(choice, language),
  ]
    .filter(Boolean)
    .join(language === 'zh' ? '，' : ', ');
  return `${providers[provider][language]} · ${product}${language === 'zh' ? '：' : ': '}${why}`;
};
