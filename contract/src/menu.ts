import type { MenuNode } from './session.ts';
import { everyone, managers, office } from './roles.ts';
import type { Role } from './roles.ts';

interface Entry {
  path: string;
  name: string;
  locale: string;
  icon: string;
  roles: readonly Role[];
  group: MenuGroup;
}

/** Order of the menu; the first has no heading, its screens stand on the first level. */
export const menuGroups = ['top', 'parcels', 'network', 'billing', 'system'] as const;
export type MenuGroup = (typeof menuGroups)[number];

/** The screens that exist, in the menu's order, as requirements §2 names them; the web's own table is compared with it by a test. */
export const menuEntries = [
  { path: '/dashboard/workplace', name: 'Workplace', locale: 'menu.workplace', icon: 'workplace', roles: everyone, group: 'top' },
  { path: '/model/expresses', name: 'ExpressTable', locale: 'menu.expresses', icon: 'expresses', roles: everyone, group: 'parcels' },
  { path: '/model/store', name: 'ExpressStore', locale: 'menu.store', icon: 'store', roles: everyone, group: 'parcels' },
  { path: '/system/contacts', name: 'ContactTable', locale: 'menu.contacts', icon: 'contacts', roles: everyone, group: 'parcels' },
  { path: '/model/cargos', name: 'CargoTable', locale: 'menu.cargos', icon: 'cargos', roles: office, group: 'network' },
  { path: '/model/guarantees', name: 'GuaranteeTable', locale: 'menu.guarantees', icon: 'guarantees', roles: office, group: 'network' },
  { path: '/model/merchants', name: 'MerchantTable', locale: 'menu.merchants', icon: 'merchants', roles: office, group: 'network' },
  { path: '/model/projects', name: 'ProjectTable', locale: 'menu.projects', icon: 'projects', roles: office, group: 'network' },
  { path: '/model/vouchers', name: 'VoucherTable', locale: 'menu.vouchers', icon: 'vouchers', roles: office, group: 'network' },
  { path: '/model/promises', name: 'PromiseTable', locale: 'menu.promises', icon: 'promises', roles: office, group: 'network' },
  { path: '/model/stations', name: 'StationTable', locale: 'menu.stations', icon: 'stations', roles: managers, group: 'network' },
  { path: '/model/statements', name: 'StatementTable', locale: 'menu.statements', icon: 'statements', roles: managers, group: 'billing' },
  { path: '/system/reconciliations', name: 'Reconciliations', locale: 'menu.reconciliations', icon: 'reconciliations', roles: office, group: 'billing' },
  { path: '/system/audit', name: 'AuditLog', locale: 'menu.audit', icon: 'audit', roles: office, group: 'system' },
  { path: '/system/users', name: 'AccountTable', locale: 'menu.users', icon: 'users', roles: managers, group: 'system' },
  { path: '/system/settings', name: 'Settings', locale: 'menu.settings', icon: 'settings', roles: ['super'], group: 'system' },
] as const satisfies readonly Entry[];

type Leaf = (typeof menuEntries)[number];
const leafOf = ({ path, name, locale, icon, roles }: Leaf, index: number): MenuNode => ({
  path,
  name,
  meta: { locale, icon, order: index + 1, roles: [...roles] },
  children: [],
});

/** What the server answers for a role: the screens it may see under their groups, those of `top` on the first level. No group is empty. */
export const menuFor = (role: Role): MenuNode[] =>
  menuGroups
    .map((group) => ({ group, entries: menuEntries.filter((entry) => entry.group === group && (entry.roles as readonly Role[]).includes(role)) }))
    .flatMap(({ group, entries }): MenuNode[] => {
      const children = entries.map(leafOf);
      if (group === 'top' || children.length === 0) return children;
      const roles = [...new Set(children.flatMap((child) => child.meta.roles))];
      return [{ path: `/${group}`, name: group, meta: { locale: `shell.group.${group}`, icon: children[0]!.meta.icon, order: 0, roles }, children }];
    })
    .map((node, index) => ({ ...node, meta: { ...node.meta, order: index + 1 } }));
