/** Carriers by their code on the wire, with their names. */
export const providers = {
  jdl: { zh: '京东物流', en: 'JD Logistics' },
  sf: { zh: '顺丰速运', en: 'SF Express' },
} as const;
export type Provider = keyof typeof providers;
/** Carriers with an adapter (`server/src/domain/carriers`); forms offer no others. */
export const offeredProviders: readonly Provider[] = [
  // One carrier per line.
  'jdl',
];
/** Whether text from outside names a carrier. */
export const isProvider = (code: string): code is Provider => Object.hasOwn(providers, code);

/** The providers that lists can be filtered by; former carriers with rows are among them. */
export const knownProviders = Object.keys(providers) as Provider[];
