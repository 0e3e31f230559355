import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id } from './fields.ts';
import type { Role } from './roles.ts';

/** Who can use a row, in the words a person reads; `parcels` are those of the last 30 days. */
export const usages = {
  parcels: { zh: '近 30 天的运单', en: 'parcels of the last 30 days' },
  stations: { zh: '网点', en: 'stations' },
  children: { zh: '下级网点', en: 'stations below' },
  projects: { zh: '运费方案', en: 'freight schemes' },
  vouchers: { zh: '运费模板', en: 'freight templates' },
  merchants: { zh: '商家账号', en: 'carrier accounts' },
  accounts: { zh: '账号', en: 'accounts' },
  open_parcels: { zh: '在途运单', en: 'parcels in transit' },
  held_parcels: { zh: '暂挂运单', en: 'parcels awaiting funds' },
} as const;
export type UsedBy = keyof typeof usages;

/** Who uses a row, asked before it is disabled; only what counts at least one stands in it. `names` are the first few, where they have names. */
export const usage = z.object({
  items: z.array(z.object({ what: z.enum(Object.keys(usages) as [UsedBy, ...UsedBy[]]), count: z.int(), names: z.optional(z.array(z.string())) })),
});
export type Usage = z.infer<typeof usage>;

/** `GET <base>/{id}/usage` of a resource. */
export const usageOf = <R extends readonly Role[]>(base: string, roles: R) =>
  endpoint({ method: 'GET', path: `${base}/{id}/usage`, roles, summary: 'Who uses it; asked before it is disabled.', input: z.object({ id }), output: usage });
