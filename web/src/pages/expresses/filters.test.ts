import { expect, test } from 'vitest';
import { boundedParcels } from '@waystation/contract/base/bounded-lists.ts';
import { arrivalNames } from '@waystation/contract/parcels/express.ts';
import { movementFilter, numberFilters, numberKeys } from '@waystation/contract/shell/workplace.ts';
import type { Filter } from '@waystation/contract/shell/workplace.ts';
import { hrefOf, patchedHref, searchOf } from '#base/href.ts';
import {
  activeFilters,
  boundedPlace,
  readPlace,
  withoutFilter,
} from '#resource/list/list-filters.ts';
import { filterRules, parcelInput, readParcelPlace } from './filters.ts';

const rules = Object.values(filterRules);
const namesOf = (search: Record<string, string>): string[] =>
  activeFilters(readParcelPlace(search), rules).map(({ key }) => key);

const everything = {
  q: 'JDVE1 JDVE2',
  tab: 'exception',
  group: 'in_transit',
  created_from: '2026-11-01',
  created_to: '2026-11-21',
  station_id: '7',
  promise_id: 'ed-m-0001',
  receive_province: '广东省',
  printed: '0',
  need_retry: '1',
  arrived: 'exception',
  arrived_from: '2026-11-20',
  arrived_to: '2026-11-21',
  unmoved_hours: '48',
  exception: 'refused',
  user_id: '3',
  merchant_id: '2',
  project_id: '4',
  voucher_id: '5',
  goods: '文件',
  insured: '1',
  post_amount_from: '0',
  post_amount_to: '10000000000',
  weight_difference: '10000000',
  searched_before: '12345',
  import_id: '9',
  sort: '-post_amount',
  page: '3',
  size: '100',
};

test('a link without parameters opens the newest parcels, twenty to a page', () => {
  expect(parcelInput({})).toEqual({ sort: '-created_at', page: 1, page_size: 20 });
});

test('every filter of a link is sent to the server', () => {
  const { page: _page, size: _size, ...filters } = everything;
  expect(parcelInput(everything)).toEqual({ ...filters, page: 3, page_size: 100 });
});

test('each number on the Workplace links to the parcel list, filtered to the parcels that were counted', () => {
  const inputOf = (filter: Filter) => parcelInput(searchOf(hrefOf('/model/expresses', filter)));
  const first = { sort: '-created_at', page: 1, page_size: 20 };
  for (const key of numberKeys)
    expect(inputOf(numberFilters[key])).toEqual({ ...numberFilters[key], ...first });
  for (const key of ['total', ...arrivalNames] as const) {
    const filter = movementFilter(key, '2026-11-21');
    expect(inputOf(filter)).toEqual({ ...filter, ...first });
  }
  expect(inputOf({ unmoved_hours: '48', station_id: '7' })).toMatchObject({
    unmoved_hours: '48',
    station_id: '7',
  });
});

test('an invalid parameter of a link to the parcel list is left out', () => {
  const search = {
    tab: 'lost',
    group: 'all',
    created_from: 'yesterday',
    created_to: '2026-13-45',
    station_id: '-1',
    printed: '2',
    arrived: 'somewhere',
    arrived_from: '2026-11-20',
    unmoved_hours: '99999',
    sort: 'cost',
    page: '0',
    size: '7',
  };
  expect(parcelInput(search)).toEqual({ sort: '-created_at', page: 1, page_size: 20 });
  expect(namesOf(search)).toEqual([]);
});

test('the first and last day of a range count as one filter of the parcel list; the days of arrival count only with the arrival filter', () => {
  expect(namesOf(everything)).toEqual(rules.map(({ key }) => key));
  expect(namesOf({ created_to: '2026-11-21' })).toEqual(['created']);
  expect(namesOf({ arrived_to: '2026-11-21' })).toEqual([]);
});

test('removing a filter of the parcel list leaves the others in the link and opens the first page', () => {
  const href = hrefOf('/model/expresses', everything);
  for (const { key } of rules) {
    const after = searchOf(patchedHref(href, withoutFilter(rules, key)));
    expect(namesOf(after)).toEqual(rules.map((rule) => rule.key).filter((each) => each !== key));
    expect(after['page']).toBeUndefined();
    expect(after['q']).toBe(everything.q);
  }
});

test('if a filter or sort order has no index, the parcel list is limited to 31 days: the last 31, or the 31 before the chosen end date', () => {
  const day = '2026-11-22';
  const daysOf = (search: Record<string, string>): (string | undefined)[] => {
    const { values } = boundedPlace(readPlace(search, rules, '-created_at'), boundedParcels, day);
    return [values['created_from'], values['created_to']];
  };
  expect(daysOf({})).toEqual([undefined, undefined]);
  expect(daysOf({ tab: 'awaiting_pickup', printed: '0' })).toEqual([undefined, undefined]);
  expect(daysOf({ q: 'JDVE1', goods: '文件' })).toEqual([undefined, undefined]);
  expect(daysOf({ sort: '-post_amount' })).toEqual(['2026-10-23', undefined]);
  expect(daysOf({ need_retry: '1', sort: '-post_amount' })).toEqual([undefined, undefined]);
  expect(daysOf({ need_retry: '0', sort: '-post_amount' })).toEqual(['2026-10-23', undefined]);
  expect(daysOf({ printed: '1', created_from: '2026-11-01' })).toEqual(['2026-11-01', undefined]);
  const { values } = boundedPlace(
    readPlace({ arrived: 'signed_for' }, rules, '-created_at'),
    boundedParcels,
    day,
  );
  expect([values['arrived_from'], values['created_from']]).toEqual(['2026-10-23', undefined]);
  expect(
    daysOf({ post_amount_from: '100', created_from: '2026-01-01', created_to: '2026-03-31' }),
  ).toEqual(['2026-03-01', '2026-03-31']);
});
