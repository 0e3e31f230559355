import { endpoint } from '#base/endpoint.ts';
import { everyone } from '#base/roles.ts';
import type { Role } from '#base/roles.ts';
import type { schemas } from './global-search.schema.ts';
import { mayOpen, screenOrThrow } from './screens.ts';
import type { ScreenName } from './screens.ts';

export type { Found, FoundGroups } from './global-search.schema.ts';

/**
 * The groups of search results in the order in which they are shown, each with the screen of its
 * list.
 */
export const searchGroups = {
  parcels: 'ExpressTable',
  stations: 'StationTable',
  accounts: 'AccountTable',
  contacts: 'ContactTable',
  statements: 'StatementTable',
  imports: 'ExpressImport',
  bills: 'Reconciliations',
  templates: 'VoucherTable',
} as const satisfies Record<string, ScreenName>;
export type SearchGroup = keyof typeof searchGroups;

/** The smallest number of characters in a search; a shorter text would match nearly everything. */
export const leastSearched = 2;
/** A text longer than this is searched only as a number, because no name is longer. */
export const longestName = 50;
/**
 * The maximum number of results that are shown per group; the list of the group shows all results.
 */
export const mostFound = 5;

/** The groups that a role may search: those whose screens the role may open. */
export const searchGroupsOf = (role: Role): readonly SearchGroup[] =>
  (Object.keys(searchGroups) as SearchGroup[]).filter((group) =>
    mayOpen(screenOrThrow(searchGroups[group]), role),
  );

export const searchEverything = endpoint<typeof schemas.searchEverything>({
  method: 'GET',
  path: '/api/arco/search',
  roles: everyone,
  summary:
    'Up to five of each: parcels, stations, accounts, contacts, billing lines, imports, carrier bills and templates, in scope, by number, part of a name, pinyin or the end of a phone; only groups whose screen the caller may open.',
});
