import { audit } from './zh-cn-audit.ts';
import { cargos } from './zh-cn-cargos.ts';
import { common } from './zh-cn-common.ts';
import { contacts } from './zh-cn-contacts.ts';
import { expresses } from './zh-cn-expresses.ts';
import { guarantees } from './zh-cn-guarantees.ts';
import { lists } from './zh-cn-lists.ts';
import { menu } from './zh-cn-menu.ts';
import { merchants } from './zh-cn-merchants.ts';
import { parcel } from './zh-cn-parcel.ts';
import { people } from './zh-cn-people.ts';
import { projects } from './zh-cn-projects.ts';
import { promises } from './zh-cn-promises.ts';
import { reconciliations } from './zh-cn-reconciliations.ts';
import { settings } from './zh-cn-settings.ts';
import { shell } from './zh-cn-shell.ts';
import { statements } from './zh-cn-statements.ts';
import { stations } from './zh-cn-stations.ts';
import { store } from './zh-cn-store.ts';
import { vouchers } from './zh-cn-vouchers.ts';
import { workplace } from './zh-cn-workplace.ts';

export const zhCN = {
  audit,
  cargos,
  common,
  contacts,
  expresses,
  guarantees,
  lists,
  menu,
  merchants,
  parcel,
  people,
  projects,
  promises,
  reconciliations,
  settings,
  shell,
  statements,
  stations,
  store,
  vouchers,
  workplace,
};
