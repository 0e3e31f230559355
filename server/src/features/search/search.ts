import type { ParsedOf } from '@waystation/contract/base/endpoint.ts';
import type * as calls from '@waystation/contract/shell/global-search.ts';
import {
  longestName,
  mostFound,
  searchGroupsOf,
} from '@waystation/contract/shell/global-search.ts';
import type { FoundGroups, SearchGroup } from '@waystation/contract/shell/global-search.ts';
import type { App } from '#app.ts';
import type { AllLists } from '#feature.ts';
import type { Actor } from '#platform/auth/actor.ts';
import { callerOf } from '#platform/db/db.ts';
import type { Origin } from '#platform/http/context.ts';

/** Search groups whose lists accept several numbers at once; the other groups accept one name. */
const byNumber: readonly SearchGroup[] = ['parcels', 'statements'];

/**
 * Returns the first results of every group that the actor may open, in one transaction. A searched
 * phone is counted only once, by the group of parcels (domain/phone-search).
 */
export const search =
  ({ finds }: Pick<AllLists, 'finds'>) =>
  (
    app: App,
    actor: Actor,
    { q }: ParsedOf<typeof calls.searchEverything>,
    origin: Origin | null = null,
  ): Promise<FoundGroups> =>
    app.db.tx(callerOf(actor, origin), async (work) => {
      const isName = [...q].length <= longestName;
      const groups: Record<string, { items: unknown[]; more: 0 | 1 }> = {};
      for (const group of searchGroupsOf(actor.role)) {
        const find = finds[group];
        if (find === undefined || !(isName || byNumber.includes(group))) continue;
        const found = await find(app, work, q);
        groups[group] = {
          items: found.slice(0, mostFound),
          more: found.length > mostFound ? 1 : 0,
        };
      }
      return groups as FoundGroups;
    });
