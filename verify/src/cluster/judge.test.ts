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

it('the longest time without an acknowledged order is measured from the start of the fault to the end of the run', () => {
  expect(longestWait(acknowledged, span)).toBe(5_000);
  expect(longestWait([], span)).toBe(8_000);
});

it('an acknowledged order counts as lost if its idempotency key stored another parcel, and as doubled if the key stored two parcels', () => {
  const verdict = judge({ name: 'primary dies' }, span, {
    calls,
    acknowledged,
    stored,
    resets: [[2_000], [2_000, 3_000]],
  });
  expect(verdict).toMatchObject({ acknowledged: 3, lost: 1, doubled: 1, waited: 5, resets: 2 });
  expect(broken(verdict)).toEqual(['1 lost', '1 doubled', '1 × 500', '2 resets']);
});

it('a fault that stops writes is judged by the time from the end of the fault to the first acknowledged order', () => {
  const fault = { name: 'two die', stopsWrites: true };
  const seen = { calls: [], acknowledged, stored, resets: [] };
  expect(judge(fault, span, seen).waited).toBe(2.5);
});
