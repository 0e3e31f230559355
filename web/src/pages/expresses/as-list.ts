import type { OutputOf } from '@waystation/contract/endpoint.ts';
import type { listExpresses } from '@waystation/contract/express-calls.ts';
import type { Search } from '#base/href.ts';
import type { SetSearch } from '#shell/tabs/page.ts';
import type { ListFilter } from '#resource/list/list-filters.ts';
import type { AnyList } from '#resource/list/use-list.ts';
import { listInput } from './filters.ts';
import type { Filters } from './filters.ts';

/** By which names the parcel list is narrowed, for saved views. */
const names: readonly ListFilter[] = [
  ...[
    'group',
    'station_id',
    'user_id',
    'promise_id',
    'receive_province',
    'goods',
    'printed',
    'insured',
    'weight_difference',
    'merchant_id',
    'project_id',
    'voucher_id',
    'need_retry',
    'arrived',
    'unmoved_hours',
  ].map((key) => ({
    key,
    label: key,
    kind: 'text' as const,
  })),
  { key: 'created', label: 'created', kind: 'days' },
  { key: 'arrived', label: 'arrived', kind: 'days' },
  { key: 'post_amount', label: 'post_amount', kind: 'amounts' },
];

export type ParcelList = Pick<AnyList, 'name' | 'search' | 'setSearch' | 'filters' | 'place' | 'data' | 'openJob'>;

/** The parcel list as views and exports take every list. */
export const asList = (filters: Filters, search: Search, setSearch: SetSearch, data: OutputOf<typeof listExpresses> | undefined): ParcelList => {
  const { q: _q, sort: _sort, page: _page, page_size: _size, ...narrowing } = listInput(filters);
  const values = Object.fromEntries(Object.entries(narrowing).map(([name, value]) => [name, String(value)]));
  return {
    name: 'expresses',
    search,
    setSearch,
    filters: names,
    place: { q: filters.q, values, sort: filters.sort, page: filters.page, size: filters.size },
    data,
    openJob: (job) => setSearch({ job }),
  };
};
