import { hrefOf, patchedHref } from '#base/href.ts';
import type { SearchPatch } from '#base/href.ts';
import { go } from './location.ts';
import { screenOf } from '@waystation/contract/screens.ts';
import type { ScreenName } from '@waystation/contract/screens.ts';
import { useTabs } from './tab-store.ts';

/** For the `href` of a link to a screen. */
export const screenHref = (name: ScreenName, search: SearchPatch = {}): string => `#${hrefOf(screenOf(name)!.path, search)}`;

/** Shows a screen in its tab: with exactly this search, or, where none is given, as the tab stands. */
export const openScreen = (name: ScreenName, search?: SearchPatch): void => {
  const screen = screenOf(name)!;
  const standing = useTabs.getState().tabs.find((tab) => tab.key === name)?.href ?? screen.path;
  go(search === undefined ? standing : hrefOf(screen.path, search));
};

/** Goes back to a screen as its tab stands, with `patch` on top. */
export const backTo = (name: ScreenName, patch: SearchPatch): void =>
  go(patchedHref(useTabs.getState().tabs.find((tab) => tab.key === name)?.href ?? screenOf(name)!.path, patch));
