import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Role } from './wire.ts';

/** A row of the contract's table of screens, with the fields that the tests use. */
export interface ScreenRow {
  name: string;
  path: string;
  roles: readonly Role[];
  title: string;
  group: string;
  hidden?: true;
}

// The table is imported as data, so that a new screen is tested without a change here. Code of the
// web is not imported.
const table = join(import.meta.dirname, '..', '..', 'contract', 'src', 'shell', 'screens.ts');
const { screens } = (await import(pathToFileURL(table).href)) as { screens: readonly ScreenRow[] };

export { screens };
export const roles: readonly Role[] = ['super', 'admin', 'partner', 'station', 'user'];
export const mayOpen = (screen: ScreenRow, role: Role): boolean => screen.roles.includes(role);

/** Every route of requirements §2 that is a screen of the console, with the screen's name. */
export const specified = {
  Workplace: '/dashboard/workplace',
  CargoTable: '/model/cargos',
  ExpressTable: '/model/expresses',
  ExpressStore: '/model/store',
  ExpressImport: '/model/import',
  PrintTable: '/model/prints',
  GuaranteeTable: '/model/guarantees',
  MerchantTable: '/model/merchants',
  ProjectTable: '/model/projects',
  VoucherTable: '/model/vouchers',
  PromiseTable: '/model/promises',
  StatementTable: '/model/statements',
  StationTable: '/model/stations',
} as const;

/**
 * Groups of roles. The table of the roles that may open each screen uses them (requirements §6).
 */
const everyone = roles;
const office: readonly Role[] = ['super', 'admin'];
const managers: readonly Role[] = ['super', 'admin', 'partner', 'station'];
export const specifiedRoles: Record<keyof typeof specified, readonly Role[]> = {
  Workplace: everyone,
  CargoTable: office,
  ExpressTable: everyone,
  ExpressStore: everyone,
  ExpressImport: everyone,
  PrintTable: managers,
  GuaranteeTable: office,
  MerchantTable: office,
  ProjectTable: office,
  VoucherTable: office,
  PromiseTable: office,
  StatementTable: managers,
  StationTable: managers,
};
