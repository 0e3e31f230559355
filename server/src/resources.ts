/** Resources by the name of their list: routes, export and bulk actions come from the file of each. */
export { resource as cargos } from '#features/setup/cargos.ts';
export { resource as contacts } from '#features/stations/contacts.ts';
export { resource as guarantees } from '#features/setup/guarantees.ts';
export { resource as projects } from '#features/schemes/projects.ts';
export { resource as promises } from '#features/setup/promises.ts';
