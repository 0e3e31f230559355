import { describe, expect, it } from 'vitest';
import type { AuditRow } from '@waystation/contract/shell/audit.ts';
import type { Pricing } from '@waystation/contract/parcels/express-calls.ts';
import { earlierOf } from './earlier.ts';
import type { Sources } from './timeline.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 24, 8, minute)).toISOString();
const report = (minute: number, our_state: number | null) =>
  ({ at: at(minute), our_state }) as Sources['reports'][number];
const pricing = (no: number, minute: number, post_amount: number, cal_weight: number) =>
  ({
    no,
    at: at(minute),
    source: 'order',
    reason: '',
    price: { post_amount, cal_weight },
  }) as Pricing;
const change = (id: number, minute: number, action: string, changes: AuditRow['changes'] = {}) =>
  ({ id, at: at(minute), action, changes }) as AuditRow;

const sources = {
  reports: [report(40, 210), report(20, 200), report(30, null)],
  pricings: [pricing(0, 0, 1_500, 1_000), pricing(1, 25, 2_100, 2_000)],
  changes: [
    change(4, 35, 'print'),
    change(3, 15, 'edit', { receive_address: ['世纪大道200号', '世纪大道300号'] }),
    change(2, 10, 'edit', {
      receive_address: ['世纪大道100号', '世纪大道200号'],
      remark: ['', '易碎'],
    }),
    change(1, 5, 'print'),
  ],
};

describe('a parcel at an earlier time', () => {
  it('a parcel viewed as it was before its first report shows its first price and the values that its fields had before they were edited', () => {
    expect(earlierOf(sources, { at: at(5) })).toEqual({
      state_code: null,
      post_amount: 1_500,
      cal_weight: 1_000,
      prints: 1,
      fields: [
        { field: 'receive_address', then: '世纪大道100号', now: '世纪大道300号' },
        { field: 'remark', then: '', now: '易碎' },
      ],
    });
  });

  it('a parcel viewed as it was at a time between two edits of a field shows the text of the first edit', () => {
    expect(earlierOf(sources, { at: at(12) }).fields).toEqual([
      { field: 'receive_address', then: '世纪大道200号', now: '世纪大道300号' },
    ]);
  });

  it('in the earlier view, a carrier’s report without a state does not change the state, and each later price replaces the price before it', () => {
    expect(earlierOf(sources, { at: at(30) })).toMatchObject({
      state_code: 200,
      post_amount: 2_100,
      cal_weight: 2_000,
      prints: 1,
      fields: [],
    });
    expect(earlierOf(sources, { at: at(45) })).toMatchObject({ state_code: 210, prints: 2 });
  });

  it('the earlier view shows no difference for a field that was changed and changed back, or for a field whose old value is hidden', () => {
    const edits = [
      change(1, 10, 'edit', { remark: ['a', 'b'], receive_phone: [null, null] }),
      change(2, 20, 'edit', { remark: ['b', 'a'] }),
    ];
    expect(earlierOf({ ...sources, changes: edits }, { at: at(5) }).fields).toEqual([]);
  });
});
