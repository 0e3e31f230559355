import { expect, test } from 'vitest';
import { boundedAudit, boundedStatements } from '@waystation/contract/base/bounded-lists.ts';
import {
  boundedPlace,
  chipsOf,
  filterInput,
  readPlace,
  viewSearch,
  withoutFilter,
} from './list-filters.ts';
import type { ListFilter } from './list-filters.ts';

const filters: readonly ListFilter[] = [
  {
    key: 'status',
    label: '状态',
    kind: 'choice',
    options: [
      { value: '1', label: '启用' },
      { value: '0', label: '停用' },
    ],
  },
  { key: 'created', label: '创建', kind: 'days' },
  { key: 'name', label: '名称', kind: 'text' },
];

test('a link to a list contains filters, search, order and page, and an invalid part of the link is ignored', () => {
  const place = readPlace(
    {
      q: ' 文件 ',
      status: '0',
      created_from: '2026-11-01',
      created_to: 'yesterday',
      sort: '-name',
      page: '3',
      size: '50',
    },
    filters,
    '-priority',
  );
  expect(place).toEqual({
    q: '文件',
    values: { status: '0', created_from: '2026-11-01' },
    sort: '-name',
    page: 3,
    size: 50,
  });
  expect(filterInput(place)).toEqual({ q: '文件', status: '0', created_from: '2026-11-01' });
  expect(
    readPlace({ status: '7', sort: 'a;b', page: '-2', size: '33' }, filters, '-priority'),
  ).toEqual({
    q: '',
    values: {},
    sort: '-priority',
    page: 1,
    size: 20,
  });
});

test('every active filter of a list is shown as one chip, and removing a filter opens the first page of the list', () => {
  const place = readPlace(
    { status: '1', created_from: '2026-11-01', created_to: '2026-11-01' },
    filters,
    '',
  );
  expect(chipsOf(place, filters)).toEqual([
    { key: 'status', name: '状态', value: '启用' },
    { key: 'created', name: '创建', value: '2026-11-01' },
  ]);
  expect(withoutFilter(filters, 'created')).toEqual({
    created_from: undefined,
    created_to: undefined,
    page: undefined,
  });
});

test('a saved view of a list keeps the filters and the sort order, but neither the page nor the opened row', () => {
  expect(
    viewSearch({ q: 'a', status: '1', sort: 'name', page: '4', id: '9', form: 'new' }, filters),
  ).toEqual({ q: 'a', status: '1', sort: 'name' });
});

test('a list filter with several types and a range of amounts is read from the URL, is sent to the server and is shown as text', () => {
  const money: readonly ListFilter[] = [
    {
      key: 'type',
      label: '类型',
      kind: 'choices',
      options: [
        { value: 'charge', label: '扣费' },
        { value: 'reweigh', label: '复重差额' },
      ],
    },
    { key: 'amount', label: '金额', kind: 'amounts' },
  ];
  const place = readPlace(
    { type: 'charge,reweigh', amount_from: '240', amount_to: '-5' },
    money,
    '',
  );
  expect(filterInput(place)).toEqual({ type: 'charge,reweigh', amount_from: '240' });
  expect(chipsOf(place, money)).toEqual([
    { key: 'type', name: '类型', value: '扣费 · 复重差额' },
    { key: 'amount', name: '金额', value: '¥2.40 – …' },
  ]);
  expect(readPlace({ type: 'charge,gift', amount_from: '1.5' }, money, '').values).toEqual({});
  expect(withoutFilter(money, 'amount')).toEqual({
    amount_from: undefined,
    amount_to: undefined,
    page: undefined,
  });
});

test('if the URL has no range or too long a range, an unindexed statement filter covers 31 days, and a profit share filter covers 90 days', () => {
  const rules: readonly ListFilter[] = [
    { key: 'closed', label: '账期', kind: 'choice', options: [{ value: '1', label: '已结账' }] },
    { key: 'earned_from', label: '分润来源', kind: 'text' },
    { key: 'posted', label: '时间', kind: 'days' },
  ];
  const from = (search: Record<string, string>) =>
    boundedPlace(readPlace(search, rules, ''), boundedStatements, '2026-03-31').values[
      'posted_from'
    ];
  expect(from({})).toBeUndefined();
  expect([from({ closed: '1' }), from({ earned_from: '7' })]).toEqual(['2026-03-01', '2026-01-01']);
  expect(from({ earned_from: '7', posted_from: '2026-01-01', posted_to: '2026-03-31' })).toBe(
    '2026-01-01',
  );
  expect(from({ earned_from: '7', posted_from: '2025-12-31', posted_to: '2026-03-31' })).toBe(
    '2026-01-01',
  );
});

test('if the audit log is filtered by record type and id, it shows all days; if only one is given, it shows the last 31 days', () => {
  const rules: readonly ListFilter[] = [
    { key: 'subject', label: '对象', kind: 'text' },
    { key: 'subject_id', label: '对象编号', kind: 'text' },
    { key: 'at', label: '日期', kind: 'days' },
  ];
  const from = (search: Record<string, string>) =>
    boundedPlace(readPlace(search, rules, ''), boundedAudit, '2026-03-31').values['at_from'];
  expect(from({ subject: 'stations', subject_id: '7' })).toBeUndefined();
  expect([from({ subject: 'stations' }), from({ subject_id: '7' })]).toEqual([
    '2026-03-01',
    '2026-03-01',
  ]);
});
