import { describe, expect, it } from 'vitest';
import { byCarrier, outageName } from './outages.ts';

const outage = (changes: object) => ({
  merchant_id: null,
  provider: 'jdl',
  name: null,
  since: '2026-11-22T08:00:00.000Z',
  waiting: 1,
  ...changes,
});

describe('carriers that do not answer', () => {
  it('a user who may not see accounts sees one row per unavailable carrier, with all orders that wait for that carrier', () => {
    const rows = byCarrier([
      outage({ since: '2026-11-22T09:00:00.000Z', waiting: 2 }),
      outage({ waiting: 3 }),
      outage({ provider: 'sf', waiting: 4 }),
    ]);
    expect(rows).toEqual([outage({ waiting: 5 }), outage({ provider: 'sf', waiting: 4 })]);
    expect(rows.map((row) => outageName(row, 'en'))).toEqual(['JD Logistics', 'SF Express']);
  });

  it('the list of unavailable carriers shows an administrator one row per carrier account', () => {
    const rows = [
      outage({ merchant_id: 1, name: '账号甲' }),
      outage({ merchant_id: 2, name: '账号乙' }),
    ];
    expect(byCarrier(rows)).toEqual(rows);
    expect(rows.map((row) => outageName(row, 'zh'))).toEqual(['账号甲', '账号乙']);
  });
});
