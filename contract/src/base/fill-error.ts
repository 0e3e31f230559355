import type { Params } from './envelope.ts';
import { fill } from './fill.ts';
import { isProvider, providers } from '#network/provider.ts';
import { expressStates } from '#parcels/express-states.ts';
import { provinceName } from '#parcels/provinces.ts';

export type Language = 'zh' | 'en';

/**
 * Writes the name of a province in the reader's language, if its division code is among the
 * parameters.
 */
const withProvince = (params: Params | undefined, language: Language): Params | undefined => {
  const code = params?.['receive_code'] ?? params?.['sender_code'];
  return params && 'province' in params && typeof code === 'string'
    ? { ...params, province: provinceName(code, language) }
    : params;
};

const statesByName = new Map<unknown, { zh: string; en: string }>(
  Object.values(expressStates).map((state) => [state.zh, state]),
);

/**
 * Writes the state of a parcel in the reader's language. The parameter contains its Chinese name.
 */
const withState = (params: Params | undefined, language: Language): Params | undefined => {
  const state = statesByName.get(params?.['state']);
  return params && state ? { ...params, state: state[language] } : params;
};

/** Writes the names of carriers in the reader's language. */
const withProviders = (params: Params | undefined, language: Language): Params | undefined => {
  const names = ['provider', 'was_provider'].flatMap((key) => {
    const provider = params?.[key];
    return typeof provider === 'string' && isProvider(provider)
      ? [[key, providers[provider][language]]]
      : [];
  });
  return names.length === 0 ? params : { ...params, ...Object.fromEntries(names) };
};

/**
 * For English readers, replaces `was` and `now` by the English names `was_en` and `now_en`, if
 * these exist. If a stored reason has no former carrier, the former carrier is shown as an empty
 * text.
 */
const withNames = (params: Params | undefined, language: Language): Params | undefined => {
  if (params === undefined || !('was' in params)) return params;
  const { was_en, now_en } = params;
  return {
    was_provider: '',
    ...params,
    ...(language === 'en' && was_en && { was: was_en }),
    ...(language === 'en' && now_en && { now: now_en }),
  };
};

/** Fills the parameters into the text of an error. */
export const fillError = (
  template: string,
  params: Params | undefined,
  language: Language,
): string =>
  fill(
    template,
    withNames(
      withProviders(withState(withProvince(params, language), language), language),
      language,
    ),
  );
