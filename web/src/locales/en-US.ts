import type { Texts } from './texts.ts';
import { audit } from './en-us-audit.ts';
import { cargos } from './en-us-cargos.ts';
import { common } from './en-us-common.ts';
import { contacts } from './en-us-contacts.ts';
import { expresses } from './en-us-expresses.ts';
import { guarantees } from './en-us-guarantees.ts';
import { lists } from './en-us-lists.ts';
import { menu } from './en-us-menu.ts';
import { merchants } from './en-us-merchants.ts';
import { parcel } from './en-us-parcel.ts';
import { people } from './en-us-people.ts';
import { projects } from './en-us-projects.ts';
import { promises } from './en-us-promises.ts';
import { reconciliations } from './en-us-reconciliations.ts';
import { settings } from './en-us-settings.ts';
import { shell } from './en-us-shell.ts';
import { statements } from './en-us-statements.ts';
import { stations } from './en-us-stations.ts';
import { store } from './en-us-store.ts';
import { vouchers } from './en-us-vouchers.ts';
import { workplace } from './en-us-workplace.ts';

export const enUS = {
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
} satisfies Texts;
