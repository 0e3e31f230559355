import { expect, it } from 'vitest';
import { broken, judge, longestWait } from './judge.ts';

const stored = new Map([
  ['a', { count: 1, ids: [1] }],
  ['b', { count: 2, ids: [2, 3] }],
]);
const span = { from: 1_000, healed: 4_000, to: 9_000 };
const acknowledged = [
  { at: 1_500, id: 1, key: 'a' },
  { at: 6_500, id: 2, key: 'b' },
  { at: 7_000, id: 9, key: 'a' },
];
const calls = [200, 503, 500].map((status) => ({ at: 2_000, what: 'read' as const, status }));

it('a cluster’s longest time without an order is counted from the fault to the end', () => {
  expect(longestWait(acknowledged, span)).toBe(5_000);
  expect(longestWait([], span)).toBe(8_000);
});

it('an order whose number another has is judged as lost, and a key with two parcels as doubled', () => {
  const verdict = judge({ name: 'primary dies' }, span, {
    calls,
    acknowledged,
    stored,
    resets: [[2_000], [2_000, 3_000]],
  });
  expect(verdict).toMatchObject({ acknowledged: 3, lost: 1, doubled: 1, waited: 5, resets: 2 });
  expect(broken(verdict)).toEqual(['1 lost', '1 doubled', '1 × 500', '2 resets']);
});

it('a cluster’s fault that stops writes is judged by the first order after its end', () => {
  const fault = { name: 'two die', stopsWrites: true };
  const seen = { calls: [], acknowledged, stored, resets: [] };
  expect(judge(fault, span, seen).waited).toBe(2.5);
});
