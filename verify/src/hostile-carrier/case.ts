import type { Ground, Seen } from './ground.ts';

/** Records whether one expectation was met. */
export type Judge = (held: boolean, what: string) => void;

/** One wrong act of a hostile carrier, with the expected result for the parcel and its amounts. */
export interface HostileCase {
  /** The wrong act of the carrier, as a phrase without a full stop. */
  name: string;
  /** True if `npm test` also runs this case. */
  slice?: true;
  run(ground: Ground, judge: Judge): Promise<void>;
}

/** Checks that a parcel has these values. Each value counts as one attempt. */
export const expects = (judge: Judge, seen: Seen, wanted: Partial<Seen>): void => {
  for (const [name, value] of Object.entries(wanted)) {
    const found = seen[name as keyof Seen];
    judge(
      JSON.stringify(found) === JSON.stringify(value),
      `${name} is ${JSON.stringify(found)}, not ${JSON.stringify(value)}`,
    );
  }
};
