import { coverExpress } from '@waystation/contract/parcels/express-calls.ts';
import type { InputOf, OutputOf } from '@waystation/contract/base/endpoint.ts';
import { useCalls } from '#base/query.ts';

export type Coverage = OutputOf<typeof coverExpress>;

/** The number of milliseconds after which a carrier that did not answer is asked again. */
const silenceAgain = 30_000;
/**
 * The number of milliseconds after which an answer with pickup windows is outdated, because some
 * windows may be over. If the answer is still shown then, it is requested again.
 */
export const windowsKnownFor = 5 * 60_000;
const coverageKnownFor = 2 * windowsKnownFor;

/**
 * The carriers' answers about pairs of places. They arrive one by one, and the form does not wait
 * for them. While an answer with pickup windows is shown, it is requested again regularly. If
 * `fresh` is true, each answer is also requested when the form opens.
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
