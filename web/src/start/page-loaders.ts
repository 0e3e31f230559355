import type { ComponentType } from 'react';
import type { Screen, ScreenName } from '@waystation/contract/shell/screens.ts';
import type { Search } from '#base/href.ts';
import { pageFiles } from './page-files.ts';

/**
 * The exports of a page's file. `preload` sends the first requests of the page early, so that they
 * are answered when the page is first drawn.
 */
export interface PageModule {
  Page: ComponentType;
  preload?: (search: Search) => Promise<unknown>;
}

const loaders: Readonly<Record<ScreenName, () => Promise<PageModule>>> = pageFiles;

export const loadPage = (name: ScreenName): Promise<PageModule> => loaders[name]();

/**
 * Loads a page's file before the page is opened. A failure is shown only when the page is opened.
 */
export const prefetchPage = ({ name }: Screen): void => void loadPage(name).catch(() => null);
