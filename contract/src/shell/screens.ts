import { everyone, managers, office } from '#base/roles.ts';
import type { Role } from '#base/roles.ts';

/**
 * The groups of the menu in order; the first group has no heading, and its screens are on the first
 * level.
 */
export const menuGroups = ['top', 'parcels', 'network', 'billing', 'system'] as const;
export type MenuGroup = (typeof menuGroups)[number];

interface Row {
  /** The route name, as listed in requirements §2. */
  name: string;
  path: `/${string}`;
  /**
   * The roles that may open the screen. An empty list: the screen cannot be opened by URL.
   * `everyone` is the `*` of the specification.
   */
  roles: readonly Role[];
  /**
   * The last part of the screen's text key `menu.<title>`, and the name of its file in the web's
   * folder `pages`.
   */
  title: string;
  /** The screen's name in the menu, the tab and the document title. */
  zh: string;
  en: string;
  /** The name of an icon in the web's `shell/menu/icons.tsx`. */
  icon: string;
  group: MenuGroup;
  /** A screen outside the menu: another screen or the avatar opens it. */
  hidden?: true;
  /** True: the page starts again with empty state each time that it is shown. */
  fresh?: true;
}

/**
 * Every screen, in the order of the menu. Routing, guard, tabs, palette, both menus and the tests
 * are derived from this list.
 */
export const screens = [
  {
    name: 'Workplace',
    path: '/dashboard/workplace',
    roles: everyone,
    title: 'workplace',
    zh: '工作台',
    en: 'Workplace',
    icon: 'workplace',
    group: 'top',
  },
  {
    name: 'ExpressTable',
    path: '/model/expresses',
    roles: everyone,
    title: 'expresses',
    zh: '运单管理',
    en: 'Parcels',
    icon: 'expresses',
    group: 'parcels',
  },
  {
    name: 'ExpressPage',
    path: '/model/expresses/parcel',
    roles: everyone,
    title: 'parcel',
    zh: '运单详情',
    en: 'Parcel',
    icon: 'expresses',
    group: 'parcels',
    hidden: true,
  },
  {
    name: 'ExpressStore',
    path: '/model/store',
    roles: everyone,
    title: 'store',
    zh: '在线下单',
    en: 'Order',
    icon: 'store',
    group: 'parcels',
  },
  {
    name: 'ExpressImport',
    path: '/model/import',
    roles: everyone,
    title: 'imports',
    zh: '运单导入',
    en: 'Import',
    icon: 'import',
    group: 'parcels',
  },
  {
    name: 'PrintTable',
    path: '/model/prints',
    roles: managers,
    title: 'prints',
    zh: '打印记录',
    en: 'Print records',
    icon: 'prints',
    group: 'parcels',
  },
  {
    name: 'LabelScan',
    path: '/model/prints/scan',
    roles: everyone,
    title: 'labels',
    zh: '扫描打单',
    en: 'Scan to label',
    icon: 'prints',
    group: 'parcels',
  },
  {
    name: 'HandoverTable',
    path: '/model/handovers',
    roles: everyone,
    title: 'handovers',
    zh: '交接单',
    en: 'Hand-over lists',
    icon: 'handovers',
    group: 'parcels',
  },
  {
    name: 'HandoverPage',
    path: '/model/handovers/visit',
    roles: everyone,
    title: 'handover',
    zh: '交接',
    en: 'Hand-over',
    icon: 'handovers',
    group: 'parcels',
    hidden: true,
  },
  {
    name: 'OutcomeTable',
    path: '/model/outcomes',
    roles: office,
    title: 'outcomes',
    zh: '结果未明',
    en: 'Unknown outcomes',
    icon: 'outcomes',
    group: 'parcels',
  },
  {
    name: 'OutcomePage',
    path: '/model/outcomes/order',
    roles: office,
    title: 'outcome',
    zh: '下单结果',
    en: 'Order outcome',
    icon: 'outcomes',
    group: 'parcels',
    hidden: true,
  },
  {
    name: 'ContactTable',
    path: '/system/contacts',
    roles: everyone,
    title: 'contacts',
    zh: '地址簿',
    en: 'Address book',
    icon: 'contacts',
    group: 'parcels',
  },
  {
    name: 'CargoTable',
    path: '/model/cargos',
    roles: office,
    title: 'cargos',
    zh: '物品管理',
    en: 'Goods',
    icon: 'cargos',
    group: 'network',
  },
  {
    name: 'GuaranteeTable',
    path: '/model/guarantees',
    roles: office,
    title: 'guarantees',
    zh: '保价管理',
    en: 'Insurance',
    icon: 'guarantees',
    group: 'network',
  },
  {
    name: 'MerchantTable',
    path: '/model/merchants',
    roles: office,
    title: 'merchants',
    zh: '商家账号',
    en: 'Carrier accounts',
    icon: 'merchants',
    group: 'network',
  },
  {
    name: 'ProjectTable',
    path: '/model/projects',
    roles: office,
    title: 'projects',
    zh: '运费方案',
    en: 'Freight schemes',
    icon: 'projects',
    group: 'network',
  },
  {
    name: 'VoucherTable',
    path: '/model/vouchers',
    roles: office,
    title: 'vouchers',
    zh: '运费模板',
    en: 'Freight templates',
    icon: 'vouchers',
    group: 'network',
  },
  {
    name: 'PromiseTable',
    path: '/model/promises',
    roles: office,
    title: 'promises',
    zh: '时效管理',
    en: 'Delivery times',
    icon: 'promises',
    group: 'network',
  },
  {
    name: 'StationTable',
    path: '/model/stations',
    roles: managers,
    title: 'stations',
    zh: '网点管理',
    en: 'Stations',
    icon: 'stations',
    group: 'network',
  },
  {
    name: 'StatementTable',
    path: '/model/statements',
    roles: managers,
    title: 'statements',
    zh: '账单',
    en: 'Statements',
    icon: 'statements',
    group: 'billing',
  },
  {
    name: 'Reconciliations',
    path: '/system/reconciliations',
    roles: office,
    title: 'reconciliations',
    zh: '对账结账',
    en: 'Reconciliation',
    icon: 'reconciliations',
    group: 'billing',
  },
  {
    name: 'AuditLog',
    path: '/system/audit',
    roles: office,
    title: 'audit',
    zh: '操作日志',
    en: 'Audit log',
    icon: 'audit',
    group: 'system',
  },
  {
    name: 'AccountTable',
    path: '/system/users',
    roles: managers,
    title: 'users',
    zh: '账号管理',
    en: 'Accounts',
    icon: 'users',
    group: 'system',
  },
  {
    name: 'Integrations',
    path: '/system/integrations',
    roles: everyone,
    title: 'integrations',
    zh: '系统集成',
    en: 'Integrations',
    icon: 'integrations',
    group: 'system',
  },
  {
    name: 'Settings',
    path: '/system/settings',
    roles: ['super'],
    title: 'settings',
    zh: '系统设置',
    en: 'Network settings',
    icon: 'settings',
    group: 'system',
  },
  {
    name: 'Health',
    path: '/system/health',
    roles: ['super'],
    title: 'health',
    zh: '系统状态',
    en: 'System health',
    icon: 'health',
    group: 'system',
  },
  {
    name: 'PersonalData',
    path: '/system/personal-data',
    roles: office,
    title: 'personal',
    zh: '个人信息',
    en: 'Personal data',
    icon: 'personal',
    group: 'system',
  },
  {
    name: 'Profile',
    path: '/system/profile',
    roles: everyone,
    title: 'profile',
    zh: '个人资料',
    en: 'Profile',
    icon: 'profile',
    group: 'system',
    hidden: true,
  },
] as const satisfies readonly Row[];

export type ScreenName = (typeof screens)[number]['name'];
type Title = (typeof screens)[number]['title'];
export interface Screen extends Row {
  name: ScreenName;
  title: Title;
}

/** The screen that opens after login; its tab is always there. */
export const landing: ScreenName = 'Workplace';
export const loginPath = '/login';
/**
 * Requirements §2: `/redirect/:path` opens the path again with empty state. It is never shown as a
 * tab or in a menu.
 */
export const redirectPath = '/redirect/';

export const screenOf = (name: string): Screen | null =>
  screens.find((screen) => screen.name === name) ?? null;
/** The screen with this name; throws if the table does not have it. */
export const screenOrThrow = (name: string): Screen => {
  const screen = screenOf(name);
  if (screen === null) throw new Error(`no screen is called ${name}`);
  return screen;
};
export const screenAt = (path: string): Screen | null =>
  screens.find((screen) => screen.path === path) ?? null;
export const mayOpen = (screen: Screen, role: Role): boolean => screen.roles.includes(role);

/** The screens that a role sees in a group of the menu, in the order of the table. */
export const menuScreens = (group: MenuGroup, role: Role): readonly Screen[] =>
  screens.filter(
    (screen: Screen) => screen.group === group && !screen.hidden && mayOpen(screen, role),
  );

/** The names of all screens, by the `title` of each screen. */
export const screenTitles = (language: 'zh' | 'en'): Record<Title, string> =>
  Object.fromEntries(screens.map((screen) => [screen.title, screen[language]])) as Record<
    Title,
    string
  >;
