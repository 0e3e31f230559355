export const drawerTabs = ['overview', 'timeline', 'details', 'price', 'money', 'track', 'log', 'calls'] as const;
export type DrawerTab = (typeof drawerTabs)[number];

/** The tab an address names; the first where it names none of ours. */
export const drawerTab = (value: string | undefined): DrawerTab => drawerTabs.find((tab) => tab === value) ?? 'overview';
