import { bulk, switches } from './bulk-endpoint.ts';
import { everyone, office } from './roles.ts';
import { builders } from './station.ts';

export const bulkExpresses = bulk('expresses', everyone, ['cancel', 'retry', 'order']);
export const bulkCargos = bulk('cargos', office, switches);
export const bulkPromises = bulk('promises', office, switches);
export const bulkGuarantees = bulk('guarantees', office, switches);
export const bulkProjects = bulk('projects', office, switches);
export const bulkMerchants = bulk('merchants', office, switches);
export const bulkVouchers = bulk('vouchers', office, switches);
export const bulkContacts = bulk('contacts', everyone, switches);
export const bulkStations = bulk('stations', builders, switches);
