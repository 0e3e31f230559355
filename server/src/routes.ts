import type { App } from './app.ts';
import * as features from './features.ts';
import { lists } from './lists.ts';
import { limitLists } from '#platform/http/list-limits.ts';
import type { Route } from '#platform/http/route.ts';

const all: readonly Route<App>[] = Object.values(features).flatMap(({ routes }) => routes(lists));

/** The whole HTTP surface; lists within their bounds. */
export const routes = limitLists(all);
