import type { Ground, Seen } from './ground.ts';

/** Records one expectation. */
export type Judge = (held: boolean, what: string) => void;

/** One act of a hostile carrier, with the expected result for parcel and money. */
export interface HostileCase {
  /** The wrong act of the carrier, as a phrase without a full stop. */
  name: string;
  /** Part of `npm test` too. */
  slice?: true;
  run(ground: Ground, judge: Judge): Promise<void>;
}

/** Expects values of a parcel. */
export const expects = (judge: Judge, seen: Seen, wanted: Partial<Seen>): void => {
  for (const [name, value] of Object.entries(wanted)) {
    const found = seen[name as keyof Seen];
    judge(
      JSON.stringify(found) === JSON.stringify(value),
      `${name} is ${JSON.stringify(found)}, not ${JSON.stringify(value)}`,
    );
  }
};
