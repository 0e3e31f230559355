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

/** The tab of the address; the first one if it names no known tab. */
export const drawerTab = (value: string | undefined): DrawerTab =>
  drawerTabs.find((tab) => tab === value) ?? 'overview';
