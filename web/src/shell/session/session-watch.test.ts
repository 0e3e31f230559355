import { describe, expect, it } from 'vitest';
import { expiryStep } from './session-watch.ts';

const minute = 60_000;
const idleMs = 30 * minute;
/**
 * Returns the next step at minute `now`. The last answered request was at minute 0, and the last
 * key press at minute `active`.
 */
const step = (now: number, active: number) =>
  expiryStep({ now: now * minute, answered: 0, active: active * minute, idleMs });

describe('a session that dies of idleness', () => {
  it('a session is not extended if its end is far away', () => {
    expect(step(1, 0)).toEqual({ kind: 'wait' });
    expect(step(27, 0)).toEqual({ kind: 'wait' });
  });

  it('if a user types for some time and no request is sent, the session is extended by a request', () => {
    expect(step(16, 15)).toEqual({ kind: 'keep' });
    expect(step(29, 28)).toEqual({ kind: 'keep' });
  });

  it('a session without activity shows a warning two minutes before its end', () => {
    expect(step(28, 0)).toEqual({ kind: 'warn', endsAt: 30 * minute });
    expect(step(28, 5)).toEqual({ kind: 'warn', endsAt: 30 * minute });
    expect(step(31, 0)).toEqual({ kind: 'warn', endsAt: 30 * minute });
  });

  it('a session of one minute shows its warning only in the second half of the minute', () => {
    expect(expiryStep({ now: 20_000, answered: 0, active: 0, idleMs: minute })).toEqual({
      kind: 'wait',
    });
    expect(expiryStep({ now: 31_000, answered: 0, active: 0, idleMs: minute })).toEqual({
      kind: 'warn',
      endsAt: minute,
    });
  });
});
