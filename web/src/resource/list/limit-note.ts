import { mostDaysOf, neededDays } from '@waystation/contract/base/bounded-lists.ts';
import type { BoundedList } from '@waystation/contract/base/bounded-lists.ts';
import { today } from '#ui/fields/days.ts';
import type { Say } from '#base/texts.ts';
import type { ListFilter, ListPlace } from './list-filters.ts';

interface Limited {
  bounded: BoundedList;
  filters: readonly ListFilter[];
  place: ListPlace;
}

/** The limit that shortened the range of days. */
const cutBy = ({ bounded, place }: Omit<Limited, 'filters'>): BoundedList => {
  const values = { ...place.values, q: place.q, sort: place.sort, [`${bounded.days}_from`]: '' };
  return neededDays(bounded, values, today(Date.now())) === null
    ? (bounded.also ?? bounded)
    : bounded;
};

/**
 * The notice that a filter or a sort order limits the list to fewer days. It shows the number of
 * days, the reason, and the filters that avoid this limit.
 */
export const limitNote = (
  { bounded, filters, place }: Limited,
  t: Say,
): { words: string; why: string } => {
  const cut = cutBy({ bounded, place });
  const labelOf = (name: string): string | undefined =>
    name === 'q'
      ? t('lists.quick_search')
      : filters.find(({ key, hidden }) => key === name && !hidden)?.label;
  const names = cut.narrow.flatMap((together) => {
    const labels = [together].flat().map(labelOf);
    return labels.includes(undefined) ? [] : [labels.join(' + ')];
  });
  const days = mostDaysOf(cut);
  const why = t('lists.limited', { days });
  return {
    words: t('lists.limited_to', { days }),
    why:
      names.length === 0
        ? why
        : `${why}${t('lists.filters_unbounded', { names: names.join(' · ') })}`,
  };
};
