import { describe, expect, it } from 'vitest';
import { billsOf, inClosingOrder, stepOf } from './month-order.ts';

const month = (period: string, changes: object = {}) => ({
  period,
  status: 'open' as const,
  ended: 1 as const,
  earlier_open: null,
  ...changes,
});
const closed = { status: 'closed' as const };
const months = [
  month('2026-05', { ended: 0, earlier_open: '2026-03' }),
  month('2026-04', { earlier_open: '2026-03' }),
  month('2026-03'),
  month('2026-02', closed),
  month('2026-01', closed),
];

describe('the months of the ledger', () => {
  it('the list of ledger months begins with the earliest open month that has ended, followed by the other months, newest first', () => {
    expect(inClosingOrder(months).map(({ period }) => period)).toEqual([
      '2026-03',
      '2026-05',
      '2026-04',
      '2026-02',
      '2026-01',
    ]);
  });

  it('at most one month can be closed and at most one reopened; every other month shows the reason, such as the month to close first', () => {
    expect(months.map((each) => stepOf(each, months))).toEqual([
      { bar: 'not_ended' },
      { bar: 'close_first', month: '2026-03' },
      { can: 'close' },
      { can: 'reopen' },
      { bar: 'reopen_first', month: '2026-02' },
    ]);
  });

  it('no month of the ledger can be closed if the only open month has not ended', () => {
    const running = [month('2026-05', { ended: 0 }), month('2026-04', closed)];
    expect(inClosingOrder(running)).toEqual(running);
    expect(running.map((each) => stepOf(each, running))).toEqual([
      { bar: 'not_ended' },
      { can: 'reopen' },
    ]);
  });

  it('a month with carrier bills is “bills”; a month with only reasons for missing bills is “explained”; any other month is “no_bills”', () => {
    const account = { merchant_id: 1, name: '账号', provider: 'jdl', customer_code: '010K1' };
    const without = { ...account, parcels: 3, reason: '停用', by_name: null, at: null };
    expect(billsOf({ reconciliations: 0, missing_bills: [] })).toBe('no_bills');
    expect(billsOf({ reconciliations: 0, missing_bills: [without] })).toBe('explained');
    expect(billsOf({ reconciliations: 2, missing_bills: [without] })).toBe('bills');
  });
});
