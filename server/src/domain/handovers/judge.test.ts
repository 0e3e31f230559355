import { describe, expect, it } from 'vitest';
import type { FoundParcel } from '#domain/scanned-numbers/scanned-numbers.ts';
import { judge } from './judge.ts';

const visit = {
  id: 7,
  station_id: 1,
  provider: 'jdl',
  only_user_id: null,
  opened_at: new Date(0),
} as const;
const parcel: FoundParcel = {
  id: 3,
  station_id: 1,
  station_name: '示例站',
  user_id: 2,
  provider: 'jdl',
  state_code: 100,
  delivery_id: 'JDVE00000000001',
  order_id: 'WS1',
  package_count: 1,
  package_ids: [],
  picked_up_at: null,
  thr_order_id: '',
  need_retry: 0,
  print_count: 0,
  receive_name: '张三',
  receive_city: '',
  allow_print: 1,
  undecided: false,
  stopping: false,
};
const answer = (changes: Partial<FoundParcel>, given = {}): string =>
  judge(visit, { ...parcel, ...changes }, { no: 1, given: [], again: false, ...given }).result;

describe('the response to a scan into a hand-over', () => {
  it.each([
    [100, 'given'],
    [500, 'cancelled'],
    [10, 'on_hold'],
    [0, 'not_ordered'],
    [20, 'not_ordered'],
    [90, 'not_ordered'],
    [200, 'collected'],
    [210, 'collected'],
    [220, 'collected'],
    [300, 'collected'],
    [400, 'collected'],
    [410, 'collected'],
    [420, 'collected'],
  ] as const)(
    'a parcel in state %i that is scanned into a hand-over is answered as %s',
    (state_code, result) => {
      expect(answer({ state_code })).toBe(result);
    },
  );

  it('a scanned parcel is handed over if it was picked up after the hand-over was opened, and is refused if it was picked up earlier', () => {
    const collected = (at: number) =>
      judge(
        { ...visit, opened_at: new Date(1_000) },
        { ...parcel, state_code: 200, picked_up_at: new Date(at) },
        { no: 1, given: [], again: false },
      );
    expect(collected(1_000)).toEqual({ result: 'given', detail: { state_code: 200 } });
    expect(collected(999)).toEqual({ result: 'collected', detail: { state_code: 200 } });
  });

  it('a package that the courier left behind can be scanned into a later hand-over, although its parcel is in transit', () => {
    const given = [{ handover_id: 5, package_no: 2, closed: true }];
    for (const state_code of [200, 210, 220, 300] as const)
      expect(
        judge(visit, { ...parcel, state_code, package_count: 2 }, { no: 1, given, again: false }),
      ).toEqual({ result: 'given', detail: { state_code } });
    expect(answer({ state_code: 210, package_count: 2 }, { given, no: null })).toBe(
      'which_package',
    );
    expect(answer({ state_code: 210, package_count: 2 }, { given, no: 2 })).toBe('collected');
    for (const state_code of [400, 410, 420] as const)
      expect(answer({ state_code, package_count: 2 }, { given })).toBe('collected');
    expect(answer({ state_code: 500, package_count: 2 }, { given })).toBe('cancelled');
  });

  it('a scanned parcel is not given to the courier if its cancel is requested or its waybill is not decided yet', () => {
    expect(answer({ stopping: true })).toBe('cancelling');
    expect(answer({ undecided: true })).toBe('undecided');
  });

  it('a second scan of a package into the same hand-over shows “given before”, or is refused if the parcel is cancelled or being cancelled', () => {
    const given = [{ handover_id: 7, package_no: 1, closed: false }];
    expect(answer({ state_code: 210 }, { given })).toBe('given_before');
    expect(answer({ state_code: 500 }, { given })).toBe('cancelled');
    expect(answer({ stopping: true }, { given })).toBe('cancelling');
  });
});
