import type { Params } from './envelope.ts';
import { fill } from './fill.ts';
import { isProvider, providers } from '#network/provider.ts';
import { expressStates } from '#parcels/express-states.ts';
import { provinceName } from '#parcels/provinces.ts';

export type Language = 'zh' | 'en';

/**
 * A province is named in the reader's language where its division code is among the
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

/** A parcel's state, which is stored by its Chinese name, in the reader's language. */
const withState = (params: Params | undefined, language: Language): Params | undefined => {
  const state = statesByName.get(params?.['state']);
  return params && state ? { ...params, state: state[language] } : params;
};

/** A carrier is named in the reader's language. */
const withProvider = (params: Params | undefined, language: Language): Params | undefined => {
  const provider = params?.['provider'];
  return typeof provider === 'string' && isProvider(provider)
    ? { ...params, provider: providers[provider][language] }
    : params;
};

/** The words of an error with its parameters filled. The web has them apart from the table. */
export const fillError = (
  template: string,
  params: Params | undefined,
  language: Language,
): string =>
  fill(template, withProvider(withState(withProvince(params, language), language), language));
