import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { progressMinimum, startProgress, trickleEvery, trickled, useProgress } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const state = () => useProgress.getState();

describe('the progress bar', () => {
  it('the progress bar starts at 0.08 and advances every 800 ms, as specified in requirements §9', () => {
    const end = startProgress();
    expect(state()).toEqual({ running: 1, share: 0.08 });
    expect([progressMinimum, trickleEvery]).toEqual([0.08, 800]);
    vi.advanceTimersByTime(799);
    expect(state().share).toBe(0.08);
    vi.advanceTimersByTime(1);
    expect(state().share).toBeGreaterThan(0.08);
    end();
  });

  it('the progress bar runs until the last of several loads ends, and is then full and hidden', () => {
    const [first, second] = [startProgress(), startProgress()];
    vi.advanceTimersByTime(1600);
    const { share } = state();
    first();
    first();
    expect(state()).toEqual({ running: 1, share });
    second();
    expect(state()).toEqual({ running: 0, share: 1 });
    vi.advanceTimersByTime(5000);
    expect(state()).toEqual({ running: 0, share: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the progress bar never becomes full during a load and never moves back', () => {
    let share = progressMinimum;
    for (let step = 0; step < 1000; step++) {
      const next = trickled(share);
      expect(next).toBeGreaterThanOrEqual(share);
      share = next;
    }
    expect(share).toBeLessThan(1);
  });
});
