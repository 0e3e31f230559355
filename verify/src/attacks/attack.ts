import type { Config } from '@waystation/server/testing/product.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';

/**
 * The result of one attempt; `held` is false if the attacker got something that the product must
 * not give.
 */
export interface Verdict {
  held: boolean;
  what: string;
}

/** Records one attempt: `held` is true if the product repelled it. */
export type Judge = (held: boolean, what: string) => void;

/** One kind of attack, with any number of attempts, against a running product. */
export interface Attack {
  /** The attempt of the attacker, as a sentence without a full stop. */
  name: string;
  /**
   * How much the product allows an attacker, printed beside the result; absent if it allows
   * nothing.
   */
  bound?: string;
  /**
   * True: `npm test` also runs this attack. It must be short, and must revert any change of shared
   * data itself.
   */
  slice?: true;
  run(system: TestSystem, judge: Judge): Promise<void>;
}

/** The attacks on one area of the product; each area has a separate product. */
export interface AttackArea {
  area: string;
  config?: Partial<Config>;
  attacks: readonly Attack[];
}

/** True if `status` is an intended refusal: neither a success nor a server error. */
export const isRefusal = (status: number): boolean => status >= 400 && status < 500;
