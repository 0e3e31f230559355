import type { LiveEvents } from '@waystation/contract/shell/events.ts';

type Hear = (message: LiveEvents) => void;

/**
 * The period in milliseconds after a reset within which all browsers read again at random times.
 */
const spread = 5_000;

/**
 * Passes messages on immediately, but a reset only after a random delay. A failover resets all
 * browsers at the same time, and they should not all read again together.
 */
export const spreadResets = (hear: Hear, signal: AbortSignal): Hear => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const reset = (): void => {
    timer = undefined;
    if (!signal.aborted) hear({ cursor: '', reset: 1, events: [] });
  };
  return (message) => {
    if (message.reset === 1) timer ??= setTimeout(reset, Math.random() * spread);
    if (message.events.length > 0) hear({ ...message, reset: 0 });
  };
};
