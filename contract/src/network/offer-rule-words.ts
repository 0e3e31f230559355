import { wordOf } from '#base/word-of.ts';
import type { Language } from '#base/fill-error.ts';
import { provinceName, provinces } from '#parcels/provinces.ts';
import { otherProvinces } from './offer-rule.ts';
import type { OfferCarriers } from './offer-rule.ts';
import { providers } from './provider.ts';
import type { Provider } from './provider.ts';

/** The text with each preferred carrier and its provinces, in the order of the province codes. */
export const carriersText = (carriers: OfferCarriers, language: Language): string => {
  const [comma, semicolon] = language === 'zh' ? ['、', '；'] : [', ', '; '];
  const placesOf = (provider: Provider): string =>
    [
      ...provinces.filter(({ code }) => carriers[code] === provider).map(({ code }) => code),
      ...(carriers[otherProvinces] === provider ? [otherProvinces] : []),
    ]
      .map((key) =>
        key === otherProvinces
          ? language === 'zh'
            ? '其他省份'
            : 'other provinces'
          : provinceName(key, language),
      )
      .join(comma);
  return [...new Set(Object.values(carriers))]
    .filter((provider) => provider !== undefined)
    .toSorted()
    .map((provider) => `${wordOf(providers, provider, language)}: ${placesOf(provider)}`)
    .join(semicolon);
};
