import type { Config } from '@waystation/server/testing/product.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';

/**
 * The result of one attempt. `held` is false if the attacker got something that the product must
 * not give.
 */
export interface Verdict {
  held: boolean;
  what: string;
}

/** Records one attempt: `held` is true if the product repelled it. */
export type Judge = (held: boolean, what: string) => void;

/** One kind of attack on a running product. It may make any number of attempts. */
export interface Attack {
  /** The act of the attacker, as a sentence without a full stop. */
  name: string;
  /**
   * The limit up to which the product permits the attack, as a text such as "60 phones an hour". It
   * is printed beside the result. Absent if the product permits nothing.
   */
  bound?: string;
  /**
   * True if `npm test` also runs this attack. Such an attack must be short, and must revert its
   * changes of shared data.
   */
  slice?: true;
  run(system: TestSystem, judge: Judge): Promise<void>;
}

/** The attacks on one area of the product. Each area is attacked in a separate product. */
export interface AttackArea {
  area: string;
  config?: Partial<Config>;
  attacks: readonly Attack[];
}

/**
 * True if `status` is an intended refusal, that is a client error and not a success or a server
 * error.
 */
export const isRefusal = (status: number): boolean => status >= 400 && status < 500;
