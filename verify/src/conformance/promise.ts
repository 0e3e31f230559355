import type { Kit } from './kit.ts';

/** Records whether one expectation was met. */
export type Judge = (held: boolean, what: string) => void;

/** The end of a promise's check: an observation, or the reason why there is no observation. */
export type Ended =
  | { seen: string }
  /** The adapter declares that the carrier does not have this operation. */
  | { not_declared: string }
  /** The promise cannot be checked in the environment at this URL. */
  | { not_tried: string };

/** One promise of the port `Carrier` that every adapter must keep. It is written as a sentence. */
export interface CarrierPromise {
  name: string;
  /** True if `npm test` does not check the promise, because the check takes seconds. */
  slow?: true;
  run(kit: Kit, judge: Judge): Promise<Ended>;
}

export const noSwitch: Ended = { not_tried: 'no fault switch' };
