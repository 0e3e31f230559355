import { expect, it } from 'vitest';
import { carrierCancelProblem } from './carrier-cancel.ts';

it.each([
  ['jdl', 10, null],
  ['jdl', 100, null],
  ['jdl', 210, null],
  ['sf', 10, null],
  ['sf', 20, null],
  ['sf', 100, null],
  ['sf', 200, 'carrier_no_intercept'],
  ['sf', 400, 'carrier_no_intercept'],
  [undefined, 400, null],
] as const)(
  'a parcel of %s in state %i is cancelled as far as its carrier offers it: %s',
  (provider, state_code, problem) => {
    expect(carrierCancelProblem({ provider, state_code })).toBe(problem);
  },
);
