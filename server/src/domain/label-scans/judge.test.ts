import { describe, expect, it } from 'vitest';
import type { FoundParcel } from '#domain/scanned-numbers/scanned-numbers.ts';
import { judgeLabel, judgeScan } from './judge.ts';

const parcel: FoundParcel = {
  id: 3,
  station_id: 1,
  station_name: '示例站',
  allow_print: 1,
  user_id: 2,
  provider: 'jdl',
  state_code: 100,
  delivery_id: 'JDVE00000000001',
  order_id: 'WS1',
  thr_order_id: 'SHOP-1',
  package_count: 1,
  package_ids: [],
  picked_up_at: null,
  need_retry: 0,
  print_count: 0,
  receive_name: '张三',
  receive_city: '',
  undecided: false,
  stopping: false,
};

describe('a parcel scanned for printing', () => {
  it.each([
    [{}, 'print'],
    [{ print_count: 1 }, 'printed'],
    [{ state_code: 0 }, 'not_ordered'],
    [{ state_code: 20 }, 'ordering'],
    [{ state_code: 90 }, 'not_ordered'],
    [{ state_code: 10 }, 'on_hold'],
    [{ state_code: 500, print_count: 1 }, 'cancelled'],
    [{ stopping: true }, 'cancelling'],
    [{ state_code: 200 }, 'collected'],
    [{ state_code: 300 }, 'collected'],
    [{ undecided: true }, 'undecided'],
    [{ need_retry: 1 }, 'sorting'],
    [{ allow_print: 0 }, 'no_print'],
  ] as const)(
    'a parcel with %j that is scanned for printing is answered “%s”',
    (changes, result) => {
      expect(judgeScan({ ...parcel, ...changes })).toBe(result);
    },
  );
  it('if the newest print of a scanned parcel failed, the scan shows “failed”, or shows “cancelling” if a cancel is requested', () => {
    expect(judgeScan({ ...parcel, print_count: 1 }, true)).toBe('failed');
    expect(judgeScan({ ...parcel, print_count: 1, stopping: true }, true)).toBe('cancelling');
  });
});

describe('a label scanned for verification', () => {
  const children = { provider: 'sf', delivery_id: 'SF1', package_ids: ['SF2'], package_count: 2 };
  it.each([
    ['JDVE00000000001', {}, [], 'verified'],
    ['jdve00000000001-1-1-', {}, [], 'verified'],
    ['JDVE00000000001-2-3-', {}, [], 'old_label'],
    ['JDVE00000000002', {}, [], 'wrong'],
    ['SHOP-1', {}, [], 'not_label'],
    ['WS1', {}, [], 'not_label'],
    ['JDVE00000000001', { state_code: 500 }, [], 'cancelled'],
    ['JDVE00000000001', { stopping: true }, [], 'cancelled'],
    ['JDVE00000000001', { package_count: 3 }, [], 'which_package'],
    ['JDVE00000000001-1-3-', { package_count: 3 }, [], 'package'],
    ['JDVE00000000001-1-3-', { package_count: 3 }, [1], 'before'],
    ['JDVE00000000001-2-3-', { package_count: 3 }, [1, 3], 'verified'],
    ['JDVE00000000001-2-3-', { package_count: 3 }, [1, 2, 3], 'verified'],
    ['JDVE00000000001-1-3-', { package_count: 2 }, [], 'old_label'],
    ['JDVE00000000001-1-2-', { package_count: 3 }, [], 'old_label'],
    ['JDVE00000000001-2-2-', { package_count: 2 }, [3], 'package'],
    ['JDVE00000000001', {}, [1], 'verified'],
    ['JDVE00000000001', { need_retry: 1 }, [], 'old_label'],
    ['SF1', children, [], 'package'],
    ['SF2', children, [1], 'verified'],
    ['SF3', children, [1], 'wrong'],
  ] as const)(
    'the label number %s of a parcel with %j, scanned after the packages %j, is answered “%s”',
    (number, changes, verified, result) => {
      const changed = { ...parcel, ...changes } as FoundParcel;
      const print = { verified, changed: false, changing: false };
      expect(judgeLabel(changed, number, print).result).toBe(result);
    },
  );
  it('the check of a label finds “old label” if the parcel was changed after the print, and “changing” while a change is not decided', () => {
    const answer = (print: object, number = 'JDVE00000000001') =>
      judgeLabel(parcel, number, { verified: [], changed: false, changing: false, ...print })
        .result;
    expect(answer({ changed: true })).toBe('old_label');
    expect(answer({ changed: true, verified: [1] })).toBe('old_label');
    expect(answer({ changing: true })).toBe('changing');
    expect(answer({ changed: true }, 'JDVE00000000002')).toBe('wrong');
  });
});
