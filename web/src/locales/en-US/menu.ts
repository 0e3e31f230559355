import type { EnglishTextsOf } from '#locales/texts.ts';
import type { menu as zh } from '#locales/zh-CN/menu.ts';

export const menu = {
  workplace: 'Workplace',
  expresses: 'Parcels',
  store: 'Order',
  cargos: 'Goods',
  merchants: 'Carrier accounts',
  audit: 'Audit log',
  contacts: 'Address book',
  guarantees: 'Insurance',
  projects: 'Freight schemes',
  promises: 'Delivery times',
  users: 'Accounts',
  settings: 'Network settings',
  profile: 'Profile',
  vouchers: 'Freight templates',
  statements: 'Statements',
  reconciliations: 'Reconciliation',
  stations: 'Stations',
} satisfies EnglishTextsOf<typeof zh>;
