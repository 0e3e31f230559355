import type { TextsOf } from './texts.ts';
import type { menu as zh } from './zh-cn-menu.ts';

export const menu = {
  workplace: 'Workplace',
  expresses: 'Parcels',
  store: 'Order',
  cargos: 'Goods',
  merchants: 'Carrier accounts',
  audit: 'Audit log',
} satisfies TextsOf<typeof zh>;
