import type { Config } from '@waystation/server/testing/product.ts';
import type { TestSystem } from '@waystation/server/testing/test-system.ts';

/** What came of one try: `held` is false where the attacker got what the product must not give. */
export interface Verdict {
  held: boolean;
  what: string;
}

/** Notes one try. */
export type Judge = (held: boolean, what: string) => void;

/** One thing an attacker does, as often as it takes, against a product that is running. */
export interface Attack {
  /** The attacker and the attempt, as a sentence without a full stop. */
  name: string;
  /** What the product lets through at most, printed beside the result; none: nothing. */
  bound?: string;
  /** Part of `npm test` too: short, and undone by the attack itself where it changes what others use. */
  slice?: true;
  run(system: TestSystem, judge: Judge): Promise<void>;
}

/** The attacks on one area of the product; each area gets a product of its own. */
export interface AttackArea {
  area: string;
  config?: Partial<Config>;
  attacks: readonly Attack[];
}

/** `status` is a refusal on purpose: neither a success nor a failure of ours. */
export const isRefusal = (status: number): boolean => status >= 400 && status < 500;
