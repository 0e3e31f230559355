import { expect, it } from 'vitest';
import type { Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { firstDecision } from './words.ts';

const bucket = (open: number): Reconciliation['buckets'][number] =>
  ({ bucket: 'weight_differs', count: 3, open }) as Reconciliation['buckets'][number];

it('a carrier bill opens with the filter “undecided”, or without a filter if every line is decided', () => {
  expect(firstDecision({ buckets: [bucket(0), bucket(2)] })).toBe('open');
  expect(firstDecision({ buckets: [bucket(0), bucket(0)] })).toBeUndefined();
  expect(firstDecision({ buckets: [] })).toBeUndefined();
});
