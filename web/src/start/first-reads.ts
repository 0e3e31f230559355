import { about } from '@waystation/contract/shell/about.ts';
import { countExpresses, listExpresses } from '@waystation/contract/parcels/express-calls.ts';
import { readPreferences } from '@waystation/contract/people/preferences.ts';
import { personal } from '@waystation/contract/people/session.ts';
import { workplace } from '@waystation/contract/shell/workplace.ts';
import { pathOf, searchOf } from '#base/href.ts';
import type { Search } from '#base/href.ts';
import { readOf } from '#base/preload.ts';
import type { Read } from '#base/preload.ts';
import { parcelCountsInput, parcelInput } from '#pages/expresses/filters.ts';

/** The first requests of the pages that are most often opened first, by path. */
const ofPages: Readonly<Record<string, (search: Search) => Read[]>> = {
  '/dashboard/workplace': () => [readOf(workplace, {})],
  '/model/expresses': (search) => [
    readOf(listExpresses, parcelInput(search)),
    readOf(countExpresses, parcelCountsInput(search)),
  ],
};

/** The requests with which the console starts when `href` is opened. */
export const firstReads = (href: string): Read[] => {
  const ofPage = ofPages[pathOf(href)];
  return [
    readOf(about, {}),
    readOf(personal, {}),
    readOf(readPreferences, {}),
    ...(ofPage?.(searchOf(href)) ?? []),
  ];
};
