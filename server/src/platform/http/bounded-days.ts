import { mostDaysOf, neededDays } from '@waystation/contract/base/bounded-lists.ts';
import type { BoundedList } from '@waystation/contract/base/bounded-lists.ts';
import { businessDay } from '#platform/clock.ts';
import { failFields } from '#platform/fail.ts';

/**
 * Throws a 422 if the filters or the sort order of a list would make it read all its rows, and not
 * only those of some days (docs/decisions/0035).
 */
export const assertDays = (list: BoundedList, filters: object, now: Date): void => {
  if (neededDays(list, filters as Readonly<Record<string, unknown>>, businessDay(now)) !== null)
    failFields({
      [`${list.days}_from`]: { code: 'days_required', params: { days: mostDaysOf(list) } },
    });
  if (list.also) assertDays(list.also, filters, now);
};
