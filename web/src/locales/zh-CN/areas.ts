// Written by `npm run generate`, which runs generated.test.ts with --update.
/** The texts of each area. */
export { audit } from './audit.ts';
export { cargos } from './cargos.ts';
export { common } from './common.ts';
export { contacts } from './contacts.ts';
export { expresses } from './expresses.ts';
export { guarantees } from './guarantees.ts';
export { imports } from './imports.ts';
export { inbox } from './inbox.ts';
export { lists } from './lists.ts';
export { menu } from './menu.ts';
export { merchants } from './merchants.ts';
export { parcel } from './parcel.ts';
export { people } from './people.ts';
export { prints } from './prints.ts';
export { projects } from './projects.ts';
export { promises } from './promises.ts';
export { reconciliations } from './reconciliations.ts';
export { settings } from './settings.ts';
export { shell } from './shell.ts';
export { statements } from './statements.ts';
export { stations } from './stations.ts';
export { store } from './store.ts';
export { vouchers } from './vouchers.ts';
export { workplace } from './workplace.ts';
