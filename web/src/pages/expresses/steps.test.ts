import { expect, test } from 'vitest';
import type { StateCode } from '@waystation/contract/parcels/express.ts';
import { stepsOf } from './steps.ts';

const way = (state_code: StateCode, picked = true) => ({
  state_code,
  ordered_at: 'o',
  picked_up_at: picked ? 'p' : null,
  signed_at: state_code === 300 ? 's' : null,
  canceled_at: state_code === 500 ? 'c' : null,
  last_event_at: 'l',
});
const done = (state_code: StateCode, picked = true): string[] =>
  stepsOf(way(state_code, picked))
    .filter((step) => step.done)
    .map((step) => step.key);

test('a parcel’s progress shows the steps that it has passed', () => {
  expect(done(100, false)).toEqual(['ordered']);
  expect(done(200)).toEqual(['ordered', 'picked_up']);
  expect(done(220)).toEqual(['ordered', 'picked_up', 'delivering']);
  expect(done(300)).toEqual(['ordered', 'picked_up', 'delivering', 'signed']);
});

test('a parcel that was never ordered shows no passed step', () => {
  expect(stepsOf({ ...way(10, false), ordered_at: null }).some((step) => step.done)).toBe(false);
});

test('the steps of a cancelled parcel end with the cancellation, and include the pickup only if the parcel was picked up', () => {
  expect(stepsOf(way(500, false)).map((step) => step.key)).toEqual(['ordered', 'cancelled']);
  expect(stepsOf(way(500)).map((step) => step.key)).toEqual(['ordered', 'picked_up', 'cancelled']);
});

test('a parcel on its way back to the sender has not yet passed the step “returned”; a returned parcel has', () => {
  expect(done(410)).toEqual(['ordered', 'picked_up']);
  expect(done(420)).toEqual(['ordered', 'picked_up', 'returned']);
});
