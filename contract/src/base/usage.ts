import { endpoint } from './endpoint.ts';
import type { Role } from './roles.ts';
import type { usageSchemas } from './usage.schema.ts';
export type { Usage } from './usage.schema.ts';

/**
 * The names of the kinds of objects that can use a row. `parcels` are the parcels of the last 30
 * days.
 */
export const usages = {
  parcels: { zh: '近 30 天的运单', en: 'parcels of the last 30 days' },
  stations: { zh: '网点', en: 'stations' },
  children: { zh: '下级网点', en: 'stations below' },
  projects: { zh: '运费方案', en: 'freight schemes' },
  vouchers: { zh: '运费模板', en: 'freight templates' },
  merchants: { zh: '商家账号', en: 'carrier accounts' },
  accounts: { zh: '账号', en: 'accounts' },
  open_parcels: { zh: '在途运单', en: 'parcels in transit' },
  drafts: { zh: '指定此账号的草稿', en: 'drafts with this account selected' },
  failed_parcels: {
    zh: '指定此账号的下单失败运单',
    en: 'failed parcels with this account selected',
  },
  held_parcels: { zh: '暂挂运单', en: 'parcels awaiting funds' },
} as const;
export type UsedBy = keyof typeof usages;

/** Declares `GET <base>/{id}/usage` of a resource. */
/* @__NO_SIDE_EFFECTS__ */ export const usageOf = <R extends readonly Role[]>(
  base: string,
  roles: R,
) =>
  endpoint<typeof usageSchemas, R>({
    method: 'GET',
    path: `${base}/{id}/usage`,
    roles,
    summary: 'Who uses it; read before it is disabled.',
  });
