/** Carriers by their code on the wire, with their names. */
export const providers = { jdl: { zh: '京东物流', en: 'JD Logistics' }, sf: { zh: '顺丰速运', en: 'SF Express' } } as const;
export type Provider = keyof typeof providers;
/** Carriers that an adapter speaks to (`server/src/domain/carriers`): a form offers no others. */
export const offeredProviders: readonly Provider[] = ['jdl'];
/** Whether text from outside names a carrier. */
export const isProvider = (code: string): code is Provider => Object.hasOwn(providers, code);

/** What lists can be filtered by: also carriers whose rows are from another time. */
export const knownProviders = Object.keys(providers) as Provider[];
