import type { Kit } from './kit.ts';

/** Records one expectation. */
export type Judge = (held: boolean, what: string) => void;

/** The end of a promise's run: the observation, or why there is none. */
export type Ended =
  | { seen: string }
  /** The adapter declares that the carrier has no such thing. */
  | { not_declared: string }
  /** The address gives no way to try it. */
  | { not_tried: string };

/** One promise of the port `Carrier`, as a sentence about any adapter. */
export interface CarrierPromise {
  name: string;
  /** Left out of `npm test`, since it takes seconds. */
  slow?: true;
  run(kit: Kit, judge: Judge): Promise<Ended>;
}

export const noSwitch: Ended = { not_tried: 'no fault switch' };
