import type { MenuNode } from './session.ts';
import { everyone, managers, office } from './roles.ts';
import type { Role } from './roles.ts';

interface Entry {
  path: string;
  name: string;
  locale: string;
  icon: string;
  roles: readonly Role[];
}

/** The screens that exist, in the menu's order, as requirements §2 names them; the web's own table is compared with it by a test. */
export const menuEntries = [
  { path: '/dashboard/workplace', name: 'Workplace', locale: 'menu.workplace', icon: 'workplace', roles: everyone },
  { path: '/model/expresses', name: 'ExpressTable', locale: 'menu.expresses', icon: 'expresses', roles: everyone },
  { path: '/model/store', name: 'ExpressStore', locale: 'menu.store', icon: 'store', roles: everyone },
  { path: '/system/contacts', name: 'ContactTable', locale: 'menu.contacts', icon: 'contacts', roles: everyone },
  { path: '/model/cargos', name: 'CargoTable', locale: 'menu.cargos', icon: 'cargos', roles: office },
  { path: '/model/guarantees', name: 'GuaranteeTable', locale: 'menu.guarantees', icon: 'guarantees', roles: office },
  { path: '/model/merchants', name: 'MerchantTable', locale: 'menu.merchants', icon: 'merchants', roles: office },
  { path: '/model/projects', name: 'ProjectTable', locale: 'menu.projects', icon: 'projects', roles: office },
  { path: '/model/vouchers', name: 'VoucherTable', locale: 'menu.vouchers', icon: 'vouchers', roles: office },
  { path: '/model/promises', name: 'PromiseTable', locale: 'menu.promises', icon: 'promises', roles: office },
  { path: '/model/stations', name: 'StationTable', locale: 'menu.stations', icon: 'stations', roles: managers },
  { path: '/model/statements', name: 'StatementTable', locale: 'menu.statements', icon: 'statements', roles: managers },
  { path: '/system/reconciliations', name: 'Reconciliations', locale: 'menu.reconciliations', icon: 'reconciliations', roles: office },
  { path: '/system/audit', name: 'AuditLog', locale: 'menu.audit', icon: 'audit', roles: office },
  { path: '/system/users', name: 'AccountTable', locale: 'menu.users', icon: 'users', roles: managers },
  { path: '/system/settings', name: 'Settings', locale: 'menu.settings', icon: 'settings', roles: ['super'] },
] as const satisfies readonly Entry[];

/** What the server answers for a role; a flat tree, since every screen stands on the first level. */
export const menuFor = (role: Role): MenuNode[] =>
  menuEntries
    .filter((entry) => (entry.roles as readonly Role[]).includes(role))
    .map(({ path, name, locale, icon, roles }, index) => ({ path, name, meta: { locale, icon, order: index + 1, roles: [...roles] }, children: [] }));
