/**
 * The simulated time and the real time at the same moment, from which the clock continues after a
 * restart.
 */
export type ClockMark = { sim: number; real: number; speed: number; paused: boolean };

/**
 * The simulated carrier's clock. It runs at a speed, can be stopped and moved forward, and never
 * runs backwards. Times are epoch milliseconds.
 */
export type SimClock = {
  now(): number;
  mark(): ClockMark;
  change(change: { speed?: number; paused?: boolean }): void;
  /** Moves the clock forward to a time. Throws a RangeError if that time has passed. */
  moveTo(at: number): void;
  /** Real milliseconds until an instant of simulated time; null while the clock is paused. */
  realUntil(at: number): number | null;
};

export const slowest = 1;
export const fastest = 100_000;

/**
 * Returns the clock mark from which a stopped program continues. A paused clock stays where it was;
 * a running clock has advanced at 1× while the program was stopped.
 */
export const afterStop = (mark: ClockMark, real: number): ClockMark => ({
  ...mark,
  sim: mark.paused ? mark.sim : mark.sim + Math.max(0, real - mark.real),
  real,
});

/**
 * Creates the clock. `onChange` is called after the speed, pause or time was changed, so that
 * timers can be set again.
 */
export const createSimClock = (
  start: ClockMark,
  realNow: () => number,
  onChange: () => void,
): SimClock => {
  let anchor = start;
  let latest = start.sim;
  const now = (): number => {
    const reached = anchor.paused
      ? anchor.sim
      : anchor.sim + Math.max(0, realNow() - anchor.real) * anchor.speed;
    // The machine's clock may be set back, but the simulated clock never runs backwards.
    latest = Math.max(latest, Math.floor(reached));
    return latest;
  };
  const settle = (change: Partial<ClockMark>): void => {
    anchor = { ...anchor, sim: now(), real: realNow(), ...change };
    latest = anchor.sim;
    onChange();
  };
  return {
    now,
    mark: () => ({ ...anchor, sim: now(), real: realNow() }),
    change: (change) => settle(change),
    moveTo: (at) => {
      if (at < now()) throw new RangeError('the simulated time does not run backwards');
      settle({ sim: at });
    },
    realUntil: (at) => (anchor.paused ? null : Math.max(0, (at - now()) / anchor.speed)),
  };
};
