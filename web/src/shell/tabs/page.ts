import { createContext, useCallback, useContext, useEffect } from 'react';
import { searchOf } from '#base/href.ts';
import type { Search, SearchPatch } from '#base/href.ts';
import { changeSearch } from './navigation.ts';
import { markUnsaved, setDetail } from './tabs.ts';
import { changeTabs, useTabs } from './tab-store.ts';

/** The key of the tab to which the page belongs. */
export const PageContext = createContext<string | null>(null);

const usePageKey = (): string => {
  const key = useContext(PageContext);
  if (key === null) throw new Error('this hook is for pages: there is no tab around it');
  return key;
};

export type SetSearch = (patch: SearchPatch, options?: { push?: boolean }) => void;

/**
 * The URL query of this tab. It does not change while the tab is hidden. Setting it merges the
 * given values into it; with `push`, the Back button of the browser restores the earlier query.
 */
export const usePageSearch = (): readonly [Search, SetSearch] => {
  const key = usePageKey();
  const href = useTabs((state) => state.tabs.find((tab) => tab.key === key)?.href ?? '');
  const setSearch = useCallback<SetSearch>(
    (patch, options) => changeSearch(key, patch, options),
    [key],
  );
  return [searchOf(href), setSearch];
};

/**
 * Marks the tab as unsaved. Closing the tab, reloading it and logging out then ask for confirmation
 * first.
 */
export const useUnsaved = (dirty: boolean): void => {
  const key = usePageKey();
  useEffect(() => {
    changeTabs((state) => markUnsaved(state, key, dirty));
  }, [key, dirty]);
  // React also runs this cleanup when a page is hidden, but a hidden page keeps its unsaved work.
  // Only the page of the active tab was really closed.
  useEffect(
    () => () => {
      if (useTabs.getState().active === key) changeTabs((state) => markUnsaved(state, key, false));
    },
    [key],
  );
};

/**
 * Shows a detail text after the name of the screen in the tab, for example the name of the open
 * record. If it is null, only the name is shown.
 */
export const useTabDetail = (detail: string | null): void => {
  const key = usePageKey();
  useEffect(() => {
    changeTabs((state) => setDetail(state, key, detail));
  }, [key, detail]);
  // A hidden page keeps the detail text of its tab. The text is removed only if the page ends while
  // its tab is active.
  useEffect(
    () => () => {
      if (useTabs.getState().active === key) changeTabs((state) => setDetail(state, key, null));
    },
    [key],
  );
};
