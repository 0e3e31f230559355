import { createInFlight } from './in-flight.ts';
import { isWellFormed } from './api-key.ts';
import { throttledAddress } from './login-throttle.ts';

/**
 * The largest number of simultaneous checks of keys from one IP address in a process. An office may
 * run several programs.
 */
const checksOfAddress = 100;

/**
 * The limits of a process's simultaneous work for API keys. Checking a key counts for its IP
 * address, so that a stranger uses up only the limit of the stranger's own address. A call counts
 * for its key and account after the key was checked. Each function returns a function that ends the
 * work; null beyond a limit.
 */
export interface KeySlots {
  /**
   * Begins the check of an API key from an IP address. Returns the function that ends the check;
   * null if too many checks run. A text that is no key is not limited, because it causes no query.
   */
  check(address: string, token: string): (() => void) | null;
  /**
   * Begins a call of a key that was checked. Returns the function that ends the call; null if too
   * many calls run.
   */
  call(key: { id: number; account_id: number }): (() => void) | null;
}

/**
 * Ends the first piece of work and returns null if the second could not begin. Otherwise returns a
 * function that ends both pieces.
 */
const both = (
  first: (() => void) | null,
  begin: () => (() => void) | null,
): (() => void) | null => {
  const second = first && begin();
  if (!first || !second) {
    first?.();
    return null;
  }
  return () => {
    first();
    second();
  };
};

/** Allows each key, and each account, `each` simultaneous calls. */
export const createKeySlots = (each: number): KeySlots => {
  const checks = createInFlight({ each, names: Infinity });
  const addresses = createInFlight({ each: checksOfAddress, names: Infinity });
  const calls = createInFlight({ each, names: Infinity });
  return {
    check: (address, token) => {
      if (!isWellFormed(token)) return () => {};
      const from = throttledAddress(address);
      return both(checks.enter(`${from} ${token}`), () => addresses.enter(from));
    },
    call: ({ id, account_id }) =>
      both(calls.enter(`key ${id}`), () => calls.enter(`account ${account_id}`)),
  };
};
