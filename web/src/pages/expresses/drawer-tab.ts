export const drawerTabs = [
  'overview',
  'timeline',
  'details',
  'price',
  'money',
  'track',
  'log',
  'calls',
] as const;
export type DrawerTab = (typeof drawerTabs)[number];

/** The drawer's tab in the URL query; the first tab if the query contains no known tab. */
export const drawerTab = (value: string | undefined): DrawerTab =>
  drawerTabs.find((tab) => tab === value) ?? 'overview';
