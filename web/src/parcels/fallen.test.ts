import { describe, expect, it } from 'vitest';
import type { StationBelow } from '@waystation/contract/shell/workplace.ts';
import { fallReasons, fallenMost } from './fallen.ts';

const station = (
  station_id: number,
  now: number,
  before: number,
  more: Partial<StationBelow> = {},
): StationBelow => ({
  station_id,
  name: `示例 ${station_id}`,
  parent_name: '',
  status: 1,
  parcels: { count: now, filter: {} },
  before: { count: before, filter: {} },
  profit: { count: 0, amount: 0, filter: {} },
  available: 100,
  has_amount: 1,
  stuck: { count: 0, filter: {} },
  last_active_at: null,
  silent: 0,
  ...more,
});

describe('the station that fell most', () => {
  it('the station with the largest fall is the one that lost the most parcels, not the one that lost the largest percentage', () => {
    const rows = [station(1, 0, 2), station(2, 60, 100), station(3, 90, 80), station(4, 99, 100)];
    expect(fallenMost(rows)?.station_id).toBe(2);
  });

  it('no station is named as having lost parcels if no station has fewer parcels', () => {
    expect(fallenMost([])).toBeUndefined();
    expect(fallenMost([station(1, 5, 5), station(2, 6, 5), station(3, 1, 0)])).toBeUndefined();
  });
});

describe('reasons of a fall', () => {
  it('the first reason why a disabled station has fewer parcels is that the station is disabled', () => {
    const stuck = { count: 2, filter: {} };
    expect(fallReasons(station(1, 0, 9, { status: 0, stuck, silent: 1 }))).toEqual([
      'off',
      'silent',
      'stuck',
    ]);
  });

  it('an empty balance is a reason for fewer parcels only if orders of the station require a sufficient balance', () => {
    expect(fallReasons(station(1, 1, 9, { available: 0 }))).toEqual(['no_money']);
    expect(fallReasons(station(1, 1, 9, { available: -5, has_amount: 0 }))).toEqual(['none']);
  });

  it('if a station has no known problem, the reason for its fewer parcels is “none”', () => {
    expect(fallReasons(station(1, 1, 9))).toEqual(['none']);
  });
});
