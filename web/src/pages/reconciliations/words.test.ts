import { expect, it } from 'vitest';
import type { Reconciliation } from '@waystation/contract/money/reconciliation.ts';
import { firstDecision } from './words.ts';

const bucket = (open: number): Reconciliation['buckets'][number] =>
  ({ bucket: 'weight_differs', count: 3, open }) as Reconciliation['buckets'][number];

it('a carrier bill opens on its undecided lines, and on all lines once every line is decided', () => {
  expect(firstDecision({ buckets: [bucket(0), bucket(2)] })).toBe('open');
  expect(firstDecision({ buckets: [bucket(0), bucket(0)] })).toBeUndefined();
  expect(firstDecision({ buckets: [] })).toBeUndefined();
});
