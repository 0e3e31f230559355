import type { EnglishTexts } from '#locales/texts.ts';
import { audit } from './audit.ts';
import { cargos } from './cargos.ts';
import { common } from './common.ts';
import { contacts } from './contacts.ts';
import { expresses } from './expresses.ts';
import { guarantees } from './guarantees.ts';
import { lists } from './lists.ts';
import { menu } from './menu.ts';
import { merchants } from './merchants.ts';
import { parcel } from './parcel.ts';
import { people } from './people.ts';
import { projects } from './projects.ts';
import { promises } from './promises.ts';
import { reconciliations } from './reconciliations.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { statements } from './statements.ts';
import { stations } from './stations.ts';
import { store } from './store.ts';
import { vouchers } from './vouchers.ts';
import { workplace } from './workplace.ts';

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
} satisfies EnglishTexts;
