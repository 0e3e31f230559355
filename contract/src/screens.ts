import { everyone, managers, office } from './roles.ts';
import type { Role } from './roles.ts';

/** Order of the menu; the first has no heading, its screens stand on the first level. */
export const menuGroups = ['top', 'parcels', 'network', 'billing', 'system'] as const;
export type MenuGroup = (typeof menuGroups)[number];

interface Row {
  /** Route name of requirements §2. */
  name: string;
  path: `/${string}`;
  /** An empty list lets nobody in; `everyone` is the specification's `*`. */
  roles: readonly Role[];
  /** Key below `menu` in the texts: title of menu, tab and document. */
  title: string;
  /** Name of a drawing in the web's `shell/menu/icons.tsx`. */
  icon: string;
  group: MenuGroup;
  /** Stands in no menu: something else leads to it. */
  hidden?: true;
  /** False: the page starts afresh each time it is shown. */
  cache: boolean;
}

/** Every screen that exists, in the menu's order: routing, guard, tabs, palette, both menus and the tests are derived from it. */
export const screens = [
  {
    name: 'Workplace',
    path: '/dashboard/workplace',
    roles: everyone,
    title: 'workplace',
    icon: 'workplace',
    group: 'top',
    cache: true,
  },
  {
    name: 'ExpressTable',
    path: '/model/expresses',
    roles: everyone,
    title: 'expresses',
    icon: 'expresses',
    group: 'parcels',
    cache: true,
  },
  {
    name: 'ExpressStore',
    path: '/model/store',
    roles: everyone,
    title: 'store',
    icon: 'store',
    group: 'parcels',
    cache: true,
  },
  {
    name: 'ContactTable',
    path: '/system/contacts',
    roles: everyone,
    title: 'contacts',
    icon: 'contacts',
    group: 'parcels',
    cache: true,
  },
  {
    name: 'CargoTable',
    path: '/model/cargos',
    roles: office,
    title: 'cargos',
    icon: 'cargos',
    group: 'network',
    cache: true,
  },
  {
    name: 'GuaranteeTable',
    path: '/model/guarantees',
    roles: office,
    title: 'guarantees',
    icon: 'guarantees',
    group: 'network',
    cache: true,
  },
  {
    name: 'MerchantTable',
    path: '/model/merchants',
    roles: office,
    title: 'merchants',
    icon: 'merchants',
    group: 'network',
    cache: true,
  },
  {
    name: 'ProjectTable',
    path: '/model/projects',
    roles: office,
    title: 'projects',
    icon: 'projects',
    group: 'network',
    cache: true,
  },
  {
    name: 'VoucherTable',
    path: '/model/vouchers',
    roles: office,
    title: 'vouchers',
    icon: 'vouchers',
    group: 'network',
    cache: true,
  },
  {
    name: 'PromiseTable',
    path: '/model/promises',
    roles: office,
    title: 'promises',
    icon: 'promises',
    group: 'network',
    cache: true,
  },
  {
    name: 'StationTable',
    path: '/model/stations',
    roles: managers,
    title: 'stations',
    icon: 'stations',
    group: 'network',
    cache: true,
  },
  {
    name: 'StatementTable',
    path: '/model/statements',
    roles: managers,
    title: 'statements',
    icon: 'statements',
    group: 'billing',
    cache: true,
  },
  {
    name: 'Reconciliations',
    path: '/system/reconciliations',
    roles: office,
    title: 'reconciliations',
    icon: 'reconciliations',
    group: 'billing',
    cache: true,
  },
  {
    name: 'AuditLog',
    path: '/system/audit',
    roles: office,
    title: 'audit',
    icon: 'audit',
    group: 'system',
    cache: true,
  },
  {
    name: 'AccountTable',
    path: '/system/users',
    roles: managers,
    title: 'users',
    icon: 'users',
    group: 'system',
    cache: true,
  },
  {
    name: 'Settings',
    path: '/system/settings',
    roles: ['super'],
    title: 'settings',
    icon: 'settings',
    group: 'system',
    cache: true,
  },
  {
    name: 'Profile',
    path: '/system/profile',
    roles: everyone,
    title: 'profile',
    icon: 'profile',
    group: 'system',
    hidden: true,
    cache: true,
  },
] as const satisfies readonly Row[];

export type ScreenName = (typeof screens)[number]['name'];
export interface Screen extends Row {
  name: ScreenName;
  title: (typeof screens)[number]['title'];
}

/** The landing page after login, and the tab that is always there. */
export const landing: ScreenName = 'Workplace';
export const loginPath = '/login';
/** Requirements §2: `/redirect/:path` opens the path afresh; never a tab, in no menu. */
export const redirectPath = '/redirect/';

export const screenOf = (name: string): Screen | null => screens.find((screen) => screen.name === name) ?? null;
export const screenAt = (path: string): Screen | null => screens.find((screen) => screen.path === path) ?? null;
export const mayOpen = (screen: Screen, role: Role): boolean => screen.roles.includes(role);

/** The screens of a group that a role finds in its menu, in the table's order. */
export const menuScreens = (group: MenuGroup, role: Role): readonly Screen[] =>
  screens.filter((screen: Screen) => screen.group === group && !screen.hidden && mayOpen(screen, role));
