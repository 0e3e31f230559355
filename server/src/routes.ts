import type { App } from './app.ts';
import * as features from './features.ts';
import { lists } from './lists.ts';
import { limitLists } from '#platform/http/list-limits.ts';
import type { Route } from '#platform/http/route.ts';

const all: readonly Route<App>[] = Object.values(features).flatMap(({ routes }) => routes(lists));

/** All routes of the HTTP API, with lists limited by `limitLists`. */
export const routes = limitLists(all);
