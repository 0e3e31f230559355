import { describe, expect, it } from 'vitest';
import type { BillRow } from '@waystation/contract/money/reconciliation.ts';
import { acceptable, disputable, previewOf, skippedOf } from './preview.ts';

const line = (changes: Partial<BillRow>): BillRow => ({
  id: 1,
  no: 1,
  bucket: 'weight_differs',
  decision: 'open',
  problem: null,
  delivery_id: 'JDVE00000000001',
  express_id: 1,
  order_id: null,
  station_id: 1,
  station_name: '深圳南山站',
  customer_code: null,
  our_customer_code: null,
  their_weight: 6200,
  our_weight: 4300,
  their_amount: 1700,
  our_amount: 1500,
  within_tolerance: 0,
  effect_amount: null,
  note: '',
  decided_at: null,
  decided_by_name: null,
  ...changes,
});

describe('the preview of accepting lines', () => {
  it('the preview of accepting bill lines sums the changes of the stations’ prices and of the platform’s cost', () => {
    const preview = previewOf([
      line({ effect_amount: 200 }),
      line({ effect_amount: -170, their_amount: 1400, station_id: 2 }),
      line({ bucket: 'price_differs', their_amount: 1525, effect_amount: null }),
    ]);
    expect(preview).toMatchObject({
      count: 3,
      more: 200,
      less: 170,
      cost: 200 - 100 + 25,
      stations: 2,
    });
    expect(preview.buckets).toEqual([
      { bucket: 'weight_differs', count: 2, more: 200, less: 170, cost: 100 },
      { bucket: 'price_differs', count: 1, more: 0, less: 0, cost: 25 },
    ]);
  });

  it('the preview counts the whole fee of a bill line that matches no parcel as a cost; a parcel without a bill line costs nothing', () => {
    const strangers = (['only_theirs', 'duplicate', 'other_code'] as const).map((bucket) =>
      line({ bucket, our_amount: 1500 }),
    );
    expect(previewOf(strangers).cost).toBe(3 * 1700);
    expect(previewOf([line({ bucket: 'only_ours', their_amount: null })]).cost).toBe(0);
  });

  it('the preview of accepting bill lines counts a disputed line, and does not count decided or unreadable lines', () => {
    const others = [
      line({ decision: 'accepted' }),
      line({ decision: 'settled', bucket: 'equal' }),
      line({ bucket: 'unreadable' }),
    ];
    expect(previewOf([line({ decision: 'disputed' }), ...others])).toMatchObject({ count: 1 });
  });
});

describe('the lines that a decision leaves out', () => {
  const rows = [
    line({}),
    line({ decision: 'disputed' }),
    line({ decision: 'accepted' }),
    line({ decision: 'accepted' }),
    line({ decision: 'settled', bucket: 'equal' }),
    line({ bucket: 'unreadable' }),
  ];

  it('the preview of disputing a bill counts the skipped lines by reason; only open lines can be disputed', () => {
    expect(skippedOf(rows, disputable)).toEqual([
      { reason: 'settled', count: 1 },
      { reason: 'accepted', count: 2 },
      { reason: 'disputed', count: 1 },
    ]);
    expect(skippedOf([line({}), line({ bucket: 'unreadable' })], disputable)).toEqual([]);
  });

  it('the preview of accepting a bill counts the skipped lines by reason, for example unreadable lines', () => {
    expect(skippedOf(rows, acceptable)).toEqual([
      { reason: 'settled', count: 1 },
      { reason: 'accepted', count: 2 },
      { reason: 'unreadable', count: 1 },
    ]);
  });
});
