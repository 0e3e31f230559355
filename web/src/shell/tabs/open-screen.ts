import { hrefOf, patchedHref } from '#base/href.ts';
import type { SearchPatch } from '#base/href.ts';
import { go } from './location.ts';
import { screenOrThrow } from '@waystation/contract/shell/screens.ts';
import type { ScreenName } from '@waystation/contract/shell/screens.ts';
import { useTabs } from './tab-store.ts';

/** The URL for the `href` of a link to a screen. */
export const screenHref = (name: ScreenName, search: SearchPatch = {}): string =>
  `#${hrefOf(screenOrThrow(name).path, search)}`;

/** The URL of the screen's tab, or the path of the screen if it has no tab. */
const tabHref = (name: ScreenName): string =>
  useTabs.getState().tabs.find((tab) => tab.key === name)?.href ?? screenOrThrow(name).path;

/** Shows a screen in its tab with this URL query. If no query is given, the tab keeps its query. */
export const openScreen = (name: ScreenName, search?: SearchPatch): void =>
  go(search === undefined ? tabHref(name) : hrefOf(screenOrThrow(name).path, search));

/** Shows a screen with the URL query of its tab, changed by `patch`. */
export const backTo = (name: ScreenName, patch: SearchPatch): void =>
  go(patchedHref(tabHref(name), patch));

/** Goes back as the browser's Back button does. */
export const goBack = (): void => window.history.back();
