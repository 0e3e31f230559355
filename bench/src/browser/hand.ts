import type { Page } from 'playwright-core';
import { pause } from './program.ts';

/**
 * The milliseconds that a person needs for a key press. The next constant is the time for a
 * decision.
 */
const keyMs = 250;
const decisionMs = 1_350;

/**
 * Acts on the keyboard with the speed of a person. The time of waiting for the product is counted
 * separately.
 */
export interface Hand {
  press: (key: string) => Promise<void>;
  type: (text: string) => Promise<void>;
  decide: () => Promise<void>;
  /**
   * Waits until the page shows the content that the person needs. The duration is added to the
   * waiting time.
   */
  wait: (what: () => Promise<unknown>) => Promise<void>;
  waited: () => number;
  keys: () => number;
}

export const handOn = (page: Page): Hand => {
  let waited = 0;
  let keys = 0;
  const press = async (key: string): Promise<void> => {
    keys += 1;
    await pause(keyMs);
    await page.keyboard.press(key);
  };
  return {
    press,
    type: async (text) => {
      for (const character of text) await press(character);
    },
    decide: () => pause(decisionMs),
    wait: async (what) => {
      const from = performance.now();
      await what();
      waited += performance.now() - from;
    },
    waited: () => waited,
    keys: () => keys,
  };
};
