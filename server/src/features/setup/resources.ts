/** Resources of this folder: routes, export and bulk actions come from the file of each. */
export { cargos } from './cargos.ts';
export { guarantees } from './guarantees.ts';
export { promises } from './promises.ts';
