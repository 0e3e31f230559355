import type { ComponentType } from 'react';
import { everyone, managers, office } from '@waystation/contract/roles.ts';
import type { MenuGroup } from '@waystation/contract/menu.ts';
import type { Role } from '@waystation/contract/roles.ts';
import type { Texts } from '#locales/texts.ts';
import type { Search } from './href.ts';

export interface Screen {
  /** Route name of requirements §2. */
  name: string;
  path: `/${string}`;
  /** An empty list lets nobody in; `everyone` is the specification's `*`. */
  roles: readonly Role[];
  /** Of `menu` in the texts: title of menu, tab and document. */
  title: keyof Texts['menu'];
  icon: string;
  group: MenuGroup;
  /** Stands in no menu: something else leads to it. */
  hidden?: true;
  /** False: the page starts afresh each time it is shown. */
  cache: boolean;
  load: () => Promise<PageModule>;
}

/** A page's file. `ahead` begins the reads it opens with, so that they are there when it is first drawn. */
export interface PageModule {
  Page: ComponentType;
  ahead?: (search: Search) => Promise<unknown>;
}

/** Every screen that exists, in the menu's order: menu, tabs, guard and tests are derived from it. */
export const screens = [
  {
    name: 'Workplace',
    path: '/dashboard/workplace',
    roles: everyone,
    title: 'workplace',
    icon: 'workplace',
    group: 'top',
    cache: true,
    load: () => import('#pages/workplace.tsx'),
  },
  {
    name: 'ExpressTable',
    path: '/model/expresses',
    roles: everyone,
    title: 'expresses',
    icon: 'expresses',
    group: 'parcels',
    cache: true,
    load: () => import('#pages/expresses.tsx'),
  },
  {
    name: 'ExpressStore',
    path: '/model/store',
    roles: everyone,
    title: 'store',
    icon: 'store',
    group: 'parcels',
    cache: true,
    load: () => import('#pages/store.tsx'),
  },
  {
    name: 'ContactTable',
    path: '/system/contacts',
    roles: everyone,
    title: 'contacts',
    icon: 'contacts',
    group: 'parcels',
    cache: true,
    load: () => import('#pages/contacts.tsx'),
  },
  {
    name: 'CargoTable',
    path: '/model/cargos',
    roles: office,
    title: 'cargos',
    icon: 'cargos',
    group: 'network',
    cache: true,
    load: () => import('#pages/cargos.tsx'),
  },
  {
    name: 'GuaranteeTable',
    path: '/model/guarantees',
    roles: office,
    title: 'guarantees',
    icon: 'guarantees',
    group: 'network',
    cache: true,
    load: () => import('#pages/guarantees.tsx'),
  },
  {
    name: 'MerchantTable',
    path: '/model/merchants',
    roles: office,
    title: 'merchants',
    icon: 'merchants',
    group: 'network',
    cache: true,
    load: () => import('#pages/merchants.tsx'),
  },
  {
    name: 'ProjectTable',
    path: '/model/projects',
    roles: office,
    title: 'projects',
    icon: 'projects',
    group: 'network',
    cache: true,
    load: () => import('#pages/projects.tsx'),
  },
  {
    name: 'VoucherTable',
    path: '/model/vouchers',
    roles: office,
    title: 'vouchers',
    icon: 'vouchers',
    group: 'network',
    cache: true,
    load: () => import('#pages/vouchers.tsx'),
  },
  {
    name: 'PromiseTable',
    path: '/model/promises',
    roles: office,
    title: 'promises',
    icon: 'promises',
    group: 'network',
    cache: true,
    load: () => import('#pages/promises.tsx'),
  },
  {
    name: 'StationTable',
    path: '/model/stations',
    roles: managers,
    title: 'stations',
    icon: 'stations',
    group: 'network',
    cache: true,
    load: () => import('#pages/stations.tsx'),
  },
  {
    name: 'StatementTable',
    path: '/model/statements',
    roles: managers,
    title: 'statements',
    icon: 'statements',
    group: 'billing',
    cache: true,
    load: () => import('#pages/statements.tsx'),
  },
  {
    name: 'Reconciliations',
    path: '/system/reconciliations',
    roles: office,
    title: 'reconciliations',
    icon: 'reconciliations',
    group: 'billing',
    cache: true,
    load: () => import('#pages/reconciliations.tsx'),
  },
  {
    name: 'AuditLog',
    path: '/system/audit',
    roles: office,
    title: 'audit',
    icon: 'audit',
    group: 'system',
    cache: true,
    load: () => import('#pages/audit.tsx'),
  },
  {
    name: 'AccountTable',
    path: '/system/users',
    roles: managers,
    title: 'users',
    icon: 'users',
    group: 'system',
    cache: true,
    load: () => import('#pages/users.tsx'),
  },
  {
    name: 'Settings',
    path: '/system/settings',
    roles: ['super'],
    title: 'settings',
    icon: 'settings',
    group: 'system',
    cache: true,
    load: () => import('#pages/settings.tsx'),
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
    load: () => import('#pages/profile.tsx'),
  },
] as const satisfies readonly Screen[];

export type ScreenName = (typeof screens)[number]['name'];

/** The landing page after login, and the tab that is always there. */
export const landing: ScreenName = 'Workplace';
export const loginPath = '/login';
/** Requirements §2: `/redirect/:path` opens the path afresh; never a tab, in no menu. */
export const redirectPath = '/redirect/';

export const screenOf = (name: string): Screen | null => screens.find((screen) => screen.name === name) ?? null;
export const screenAt = (path: string): Screen | null => screens.find((screen) => screen.path === path) ?? null;
export const mayOpen = (screen: Screen, role: Role): boolean => screen.roles.includes(role);

/** Fetches a page ahead of its opening; a failure shows when it is opened. */
export const prefetch = (screen: Screen): void => void screen.load().catch(() => null);
