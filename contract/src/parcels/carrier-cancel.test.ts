import { expect, it } from 'vitest';
import { carrierCancelProblem } from './carrier-cancel.ts';

it.each([
  ['jdl', 10, false, null],
  ['jdl', 100, false, null],
  ['jdl', 210, true, null],
  ['sf', 10, false, null],
  ['sf', 20, false, null],
  ['sf', 100, false, null],
  ['sf', 200, true, 'carrier_no_intercept'],
  ['sf', 400, true, 'carrier_no_intercept'],
  ['sf', 400, false, null],
  [undefined, 400, true, null],
  // A carrier that this version does not know.
  ['unknown' as 'sf', 210, true, 'carrier_no_cancel'],
] as const)(
  'the reason why a parcel of %s in state %i, picked up: %s, cannot be cancelled at its carrier is %s',
  (provider, state_code, picked_up, problem) => {
    expect(carrierCancelProblem({ provider, state_code, picked_up })).toBe(problem);
  },
);
