/**
 * The resources of this folder. The routes, exports and bulk actions of each are in its own file.
 */
export { cargos } from './cargos.ts';
export { guarantees } from './guarantees.ts';
export { promises } from './promises.ts';
