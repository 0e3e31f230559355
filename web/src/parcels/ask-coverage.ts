import { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { useCalls } from '#base/query.ts';

export type Coverage = OutputOf<typeof coverExpress>;

/** A carrier that does not answer is asked again after so long. */
const silenceAgain = 30_000;
/**
 * Pickup windows pass: an answer with some is requested again after this time, or when it is shown.
 */
export const windowsKnownFor = 5 * 60_000;
const coverageKnownFor = 2 * windowsKnownFor;

/**
 * The carriers' answers about two places each. The form does not wait for them, and each arrives by
 * itself; one with pickup windows is requested again while it is shown. `fresh`: whenever the form
 * opens.
 */
export const useCoverageCalls = (
  inputs: readonly InputOf<typeof coverExpress>[],
  fresh: boolean,
): ReturnType<typeof useCalls<typeof coverExpress>> =>
  useCalls(coverExpress, inputs, {
    staleTime: (data) =>
      fresh ? 0 : data?.pickup_windows?.length ? windowsKnownFor : coverageKnownFor,
    refetchAfter: (data) =>
      data?.reason ? silenceAgain : data?.pickup_windows?.length ? windowsKnownFor : false,
    whenShown: true,
  });
