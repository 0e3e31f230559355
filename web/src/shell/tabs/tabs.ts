/**
 * The state of the open tabs. Every change is a pure function. Unsaved tabs and the fixed tab are
 * never closed automatically.
 */
import { landing } from '@waystation/contract/shell/screens.ts';

export interface Tab {
  /** The name of the screen; each route has only one tab. */
  key: string;
  /** The path and query of this tab. They stay the same while another tab is active. */
  href: string;
  /** A counter. Each increase mounts the tab's page again. */
  rev: number;
  pinned: boolean;
  unsaved: boolean;
  /**
   * True after the tab was active for the first time. Its page is mounted then; a restored tab is
   * therefore not mounted at first.
   */
  shown: boolean;
  /** A counter. The tab with the largest value was used last. */
  used: number;
  /**
   * A text that is shown after the screen's name, for example a waybill number or the name of a
   * freight template. Null if the tab shows the whole screen.
   */
  detail: string | null;
}

export interface Tabs {
  tabs: readonly Tab[];
  /** The key of the active tab; null if no screen is shown. */
  active: string | null;
  /** True if the URL leads to no screen that this user may see. */
  missing: boolean;
  /** The closed tabs. The tab that was closed last is at the end. */
  closed: readonly { key: string; href: string }[];
}

export const maxTabs = 15;
const maxClosed = 10;

export const isFixed = (key: string): boolean => key === landing;

const homeTab = (href: string): Tab => ({
  key: landing,
  href,
  rev: 0,
  pinned: true,
  unsaved: false,
  shown: false,
  used: 0,
  detail: null,
});

/** The state with only the landing tab. The page of this tab has not been shown yet. */
export const freshTabs = (landingHref: string): Tabs => ({
  tabs: [homeTab(landingHref)],
  active: null,
  missing: false,
  closed: [],
});

const nextUse = (state: Tabs): number => Math.max(0, ...state.tabs.map((tab) => tab.used)) + 1;

const change = (state: Tabs, key: string, patch: Partial<Tab>): Tabs => ({
  ...state,
  tabs: state.tabs.map((tab) => (tab.key === key ? { ...tab, ...patch } : tab)),
});

/** Makes the tab of this screen active. If the screen has no tab, a tab is opened. */
export const visit = (state: Tabs, key: string, href: string): Tabs => {
  const used = nextUse(state);
  if (state.tabs.some((tab) => tab.key === key))
    return { ...change(state, key, { href, used, shown: true }), active: key, missing: false };
  const opened: Tab = {
    key,
    href,
    rev: 0,
    pinned: false,
    unsaved: false,
    shown: true,
    used,
    detail: null,
  };
  return evicted({ ...state, tabs: [...state.tabs, opened], active: key, missing: false });
};

const remember = (state: Tabs, gone: readonly Tab[]): Tabs['closed'] =>
  [...state.closed, ...gone.map(({ key, href }) => ({ key, href }))].slice(-maxClosed);

/**
 * Closes the least recently used tab if there are more tabs than the limit. The user can reopen it
 * like any closed tab.
 */
const evicted = (state: Tabs): Tabs => {
  const { tabs, active } = state;
  if (tabs.length <= maxTabs) return state;
  const loose = tabs.filter(
    (tab) => tab.key !== active && !tab.pinned && !tab.unsaved && !isFixed(tab.key),
  );
  if (loose.length === 0) return state;
  const oldest = loose.reduce((least, tab) => (tab.used < least.used ? tab : least));
  return {
    ...state,
    tabs: tabs.filter((tab) => tab !== oldest),
    closed: remember(state, [oldest]),
  };
};

/** Makes no tab active, because the URL belongs to no screen. */
export const leave = (state: Tabs): Tabs => ({ ...state, active: null, missing: true });

/** Changes the URL of a tab without activating it. */
export const moveHref = (state: Tabs, key: string, href: string): Tabs =>
  change(state, key, { href });

export const markUnsaved = (state: Tabs, key: string, unsaved: boolean): Tabs =>
  state.tabs.some((tab) => tab.key === key && tab.unsaved !== unsaved)
    ? change(state, key, { unsaved })
    : state;

export const setDetail = (state: Tabs, key: string, detail: string | null): Tabs =>
  state.tabs.some((tab) => tab.key === key && tab.detail !== detail)
    ? change(state, key, { detail })
    : state;

/** Mounts the tab's page again and forgets its unsaved work. */
export const reload = (state: Tabs, key: string): Tabs => ({
  ...state,
  tabs: state.tabs.map((tab) =>
    tab.key === key ? { ...tab, rev: tab.rev + 1, unsaved: false } : tab,
  ),
});

export const pin = (state: Tabs, key: string, pinned: boolean): Tabs => {
  if (isFixed(key)) return state;
  const changed = change(state, key, { pinned }).tabs;
  return {
    ...state,
    tabs: [...changed.filter((tab) => tab.pinned), ...changed.filter((tab) => !tab.pinned)],
  };
};

export type Closing = 'this' | 'left' | 'right' | 'others' | 'all';

/**
 * The keys of the tabs that `which` closes: the tab `key`, or tabs relative to it. The landing tab
 * is never closed, and a pinned tab is closed only by `this`.
 */
export const closingKeys = (state: Tabs, key: string, which: Closing): string[] => {
  const at = state.tabs.findIndex((tab) => tab.key === key);
  const wanted = state.tabs.filter((tab, index) => {
    if (isFixed(tab.key)) return false;
    if (which === 'this') return index === at;
    if (tab.pinned) return false;
    if (which === 'left') return index < at;
    if (which === 'right') return index > at;
    return which === 'all' || index !== at;
  });
  return wanted.map((tab) => tab.key);
};

/**
 * The tab to activate after the active tab was closed. It is the most recently used tab, or a
 * neighbour if no other tab was used.
 */
const fallbackOf = (state: Tabs, rest: readonly Tab[]): Tab | undefined => {
  const used = rest.filter((tab) => tab.used > 0).toSorted((a, b) => b.used - a.used);
  const at = state.tabs.findIndex((tab) => tab.key === state.active);
  return (
    used[0] ??
    state.tabs.slice(at + 1).find((tab) => rest.includes(tab)) ??
    state.tabs.slice(0, Math.max(at, 0)).findLast((tab) => rest.includes(tab))
  );
};

/**
 * Closes the tabs with these keys. If the active tab is closed, the previously used tab becomes
 * active.
 */
export const close = (state: Tabs, keys: readonly string[]): Tabs => {
  const gone = state.tabs.filter((tab) => keys.includes(tab.key) && !isFixed(tab.key));
  if (gone.length === 0) return state;
  const rest = state.tabs.filter((tab) => !gone.includes(tab));
  const stays = rest.some((tab) => tab.key === state.active);
  return {
    ...state,
    tabs: rest,
    closed: remember(state, gone),
    active: stays || state.active === null ? state.active : (fallbackOf(state, rest)?.key ?? null),
  };
};

/**
 * Moves a tab to the index `to`. The landing tab stays first, and pinned tabs stay before unpinned
 * tabs.
 */
export const move = (state: Tabs, key: string, to: number): Tabs => {
  const moving = state.tabs.find((tab) => tab.key === key);
  if (!moving || isFixed(key)) return state;
  const rest = state.tabs.filter((tab) => tab !== moving);
  const pinned = rest.filter((tab) => tab.pinned).length;
  const [low, high] = moving.pinned ? [1, pinned] : [pinned, rest.length];
  const place = Math.min(Math.max(to, low), high);
  return { ...state, tabs: [...rest.slice(0, place), moving, ...rest.slice(place)] };
};

/**
 * Removes the tab that was closed last from the list of closed tabs. Returns its URL, which the
 * caller opens; null if there is no closed tab.
 */
export const reopened = (state: Tabs): { state: Tabs; href: string | null } => {
  const last = state.closed.at(-1);
  return { state: { ...state, closed: state.closed.slice(0, -1) }, href: last?.href ?? null };
};

/** The part of the state of all tabs that is stored and survives a reload of the browser. */
export const packed = (state: Tabs): string =>
  JSON.stringify(
    state.tabs.map(({ key, href, pinned, detail }) => ({ key, href, pinned, detail })),
  );

/**
 * Restores the stored tabs. Invalid and forbidden tabs are left out, and the landing tab comes
 * first.
 */
export const unpacked = (
  stored: unknown,
  allowed: (key: string, href: string) => boolean,
  landingHref: string,
): Tabs => {
  const list = Array.isArray(stored) ? (stored as Record<string, unknown>[]) : [];
  const tabs: Tab[] = [];
  for (const entry of list) {
    const { key, href, pinned, detail } = entry ?? {};
    if (
      typeof key !== 'string' ||
      typeof href !== 'string' ||
      !allowed(key, href) ||
      tabs.some((tab) => tab.key === key)
    )
      continue;
    tabs.push({
      key,
      href,
      rev: 0,
      pinned: pinned === true || isFixed(key),
      unsaved: false,
      shown: false,
      used: 0,
      detail: typeof detail === 'string' ? detail : null,
    });
  }
  const home = tabs.find((tab) => isFixed(tab.key)) ?? homeTab(landingHref);
  return {
    tabs: [home, ...tabs.filter((tab) => !isFixed(tab.key))].slice(0, maxTabs),
    active: null,
    missing: false,
    closed: [],
  };
};
