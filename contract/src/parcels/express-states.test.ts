import { expect, it } from 'vitest';
import {
  expressStates,
  isLive,
  isOver,
  isUnsent,
  liveStates,
  reweighNeedsReason,
  stateAllows,
  stateCode,
  stateCodes,
} from './express-states.ts';
import type { StateAction } from './express-states.ts';

it('every parcel state code has a name', () => {
  expect(stateCodes.map(String)).toEqual(Object.keys(expressStates));
});

it('each parcel action is allowed only in the states that §4 of the requirements lists for it', () => {
  const allowing = (action: StateAction) => stateCodes.filter((code) => stateAllows(code, action));
  expect(allowing('cancel')).toEqual([0, 10, 20, 90, 100, 200, 210, 220, 400]);
  expect(allowing('print')).toEqual([100, 200, 210, 220, 400]);
  expect(allowing('edit')).toEqual([0, 10, 90, 100]);
  expect(allowing('weigh')).toEqual([0, 10, 90, 100]);
  expect(allowing('order')).toEqual([0, 10]);
  expect(allowing('retry')).toEqual([90]);
});

it('a parcel in an unknown state, sent by a newer server, allows no action and counts as on the way', () => {
  const unknown = 999 as (typeof stateCodes)[number];
  expect(stateAllows(unknown, 'cancel')).toBe(false);
  expect([isUnsent(unknown), isLive(unknown), isOver(unknown)]).toEqual([false, true, false]);
});

it('every parcel state is exactly one of: not sent, ordering, on the way, or finished', () => {
  expect(stateCodes.filter(isUnsent)).toEqual([0, 10, 90]);
  expect(liveStates).toEqual([100, 200, 210, 220, 400, 410]);
  expect(stateCodes.filter(isOver)).toEqual([300, 420, 500]);
  expect(
    stateCodes.filter((code) => !isUnsent(code) && !liveStates.includes(code) && !isOver(code)),
  ).toEqual([stateCode.ordering]);
});

it('a new weight needs a reason if it differs from the previous weight by more than 30 %', () => {
  expect([1_300, 1_301, 700, 699].map((after) => reweighNeedsReason(1_000, after))).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(reweighNeedsReason(0, 5_000)).toBe(false);
});
