import { create } from 'zustand';
import type { Role } from '@waystation/contract/base/roles.ts';
import { pathOf } from '#base/href.ts';
import { landing, mayOpen, screenOf, screenOrThrow } from '@waystation/contract/shell/screens.ts';
import { readJson, session } from '#base/storage.ts';
import { freshTabs, packed, unpacked } from './tabs.ts';
import type { Tabs } from './tabs.ts';

/**
 * The storage key of the tabs. They are stored per browser tab, so that two browser windows have
 * separate console tabs. The user's id is stored too, because another user must not get these tabs.
 */
const tabsKey = 'waystation-tabs';

const landingHref = screenOrThrow(landing).path;

export const useTabs = create<Tabs>(() => freshTabs(landingHref));

let owner: number | null = null;

/**
 * After a reload of the browser, restores the tabs that the role may open. From then on, every
 * change of the tabs is stored.
 */
export const restoreTabs = (user: { id: number; role: Role }): void => {
  const stored = readJson(session, tabsKey) as { user?: unknown; tabs?: unknown } | null;
  owner = user.id;
  const mine = stored?.user === user.id ? stored.tabs : null;
  const allowed = (key: string, href: string): boolean => {
    const screen = screenOf(key);
    return screen !== null && pathOf(href) === screen.path && mayOpen(screen, user.role);
  };
  useTabs.setState(unpacked(mine, allowed, landingHref));
};

export const changeTabs = (how: (state: Tabs) => Tabs): void => {
  const before = useTabs.getState();
  const after = how(before);
  if (after === before) return;
  useTabs.setState(after);
  if (owner !== null) session.write(tabsKey, `{"user":${owner},"tabs":${packed(after)}}`);
};

export const clearTabs = (): void => {
  owner = null;
  session.drop(tabsKey);
};

export const anyUnsaved = (): boolean => useTabs.getState().tabs.some((tab) => tab.unsaved);
