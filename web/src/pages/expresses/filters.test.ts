import { expect, test } from 'vitest';
import { arrivalNames } from '@waystation/contract/express.ts';
import { movementFilter, numberFilters, numberKeys } from '@waystation/contract/workplace.ts';
import type { Filter } from '@waystation/contract/workplace.ts';
import { hrefOf, patchedHref, searchOf } from '#base/href.ts';
import { activeChips, chipKeys, filterPatch, isFiltered, listInput, readFilters, withoutChip, withoutChips } from './filters.ts';

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
  user_id: '3',
  merchant_id: '2',
  project_id: '4',
  voucher_id: '5',
  goods: '文件',
  insured: '1',
  post_amount_from: '0',
  post_amount_to: '10000000000',
  weight_difference: '10000000',
  sort: '-post_amount',
  page: '3',
  size: '100',
};

test('a link with nothing in it is the newest parcels, twenty to a page', () => {
  expect(listInput(readFilters({}))).toEqual({ page: 1, page_size: 20 });
});

test('every filter of a link is asked of the server', () => {
  expect(listInput(readFilters(everything))).toEqual({
    q: 'JDVE1 JDVE2',
    tab: 'exception',
    group: 'in_transit',
    created_from: '2026-11-01',
    created_to: '2026-11-21',
    station_id: 7,
    promise_id: 'ed-m-0001',
    receive_province: '广东省',
    printed: 0,
    need_retry: 1,
    arrived: 'exception',
    arrived_from: '2026-11-20',
    arrived_to: '2026-11-21',
    unmoved_hours: 48,
    user_id: 3,
    merchant_id: 2,
    project_id: 4,
    voucher_id: 5,
    goods: '文件',
    insured: 1,
    post_amount_from: 0,
    post_amount_to: 10_000_000_000,
    weight_difference: 10_000_000,
    sort: '-post_amount',
    page: 3,
    page_size: 100,
  });
});

test('the workplace’s doors open the list they count', () => {
  const asked = (filter: Filter) => listInput(readFilters(searchOf(hrefOf('/model/expresses', filter))));
  const words = (input: object) => Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
  for (const key of numberKeys) expect(words(asked(numberFilters[key]))).toEqual({ ...numberFilters[key], page: '1', page_size: '20' });
  for (const key of ['total', ...arrivalNames] as const) {
    const filter = movementFilter(key, '2026-11-21');
    expect(words(asked(filter))).toEqual({ ...filter, page: '1', page_size: '20' });
  }
  expect(asked({ unmoved_hours: '48', station_id: '7' })).toMatchObject({ unmoved_hours: 48, station_id: 7 });
});

test('what makes no sense in a link is left out instead of failing', () => {
  const filters = readFilters({
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
  });
  expect(listInput(filters)).toEqual({ page: 1, page_size: 20 });
  expect(activeChips(filters)).toEqual([]);
});

test('each filter but search and tab is a chip, a range of days one chip', () => {
  expect(activeChips(readFilters(everything))).toEqual([...chipKeys]);
  expect(activeChips(readFilters({ created_to: '2026-11-21' }))).toEqual(['created']);
  expect(activeChips(readFilters({ q: 'x', tab: 'draft' }))).toEqual([]);
});

test('a chip taken away takes exactly its filter out of the link and goes to the first page', () => {
  const href = hrefOf('/model/expresses', everything);
  for (const key of chipKeys) {
    const after = searchOf(patchedHref(href, withoutChip(key)));
    expect(activeChips(readFilters(after))).toEqual(chipKeys.filter((each) => each !== key));
    expect(after['page']).toBeUndefined();
    expect(after['q']).toBe(everything.q);
  }
});

test('all chips at once leave search, tab and order', () => {
  const after = searchOf(patchedHref(hrefOf('/model/expresses', everything), withoutChips));
  expect(after).toEqual({ q: everything.q, tab: 'exception', sort: '-post_amount', size: '100' });
});

test('a changed filter starts at the first page', () => {
  expect(searchOf(patchedHref(hrefOf('/x', everything), filterPatch({ printed: '1' })))['page']).toBeUndefined();
});

test('an empty list says that filters narrow it only where some do', () => {
  expect(isFiltered(readFilters({ sort: 'weight', page: '2', size: '50', id: '9' }))).toBe(false);
  for (const search of [{ q: 'x' }, { tab: 'draft' }, { printed: '0' }]) expect(isFiltered(readFilters(search))).toBe(true);
});
