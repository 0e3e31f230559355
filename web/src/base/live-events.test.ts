import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveEvent } from '@waystation/contract/shell/events.ts';
import { hear, onLiveEvents } from './live-events.ts';

const created = (express_id: number) =>
  ({ kind: 'parcel', change: 'created', express_id }) as LiveEvent;
const message = (...events: LiveEvent[]) => ({ cursor: '', reset: 0 as const, events });

/** Registers a handler for events of parcels and returns the ids of the parcels it is called for. */
const parcelsSince = (since?: number): number[] => {
  const ids: number[] = [];
  onLiveEvents('parcel', ({ express_id }) => ids.push(express_id), since);
  return ids;
};

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => {
  vi.advanceTimersByTime(61_000);
  vi.useRealTimers();
});

describe('live events', () => {
  it('a handler of live events gets only the events after its registration, unless it asks for earlier ones', () => {
    hear(message(created(1)));
    const ids = parcelsSince();
    hear(message(created(2)));
    expect(ids).toEqual([2]);
  });

  it('a handler that is registered late gets the earlier events from the time that it names, the oldest first', () => {
    hear(message(created(1)));
    vi.advanceTimersByTime(1_000);
    const read = Date.now();
    hear(message(created(2), created(3)));
    hear({ cursor: '', reset: 1, events: [] });
    const ids = parcelsSince(read);
    hear(message(created(4)));
    expect(ids).toEqual([2, 3, 4]);
  });

  it('live events older than a minute, and those before the last 500, are not repeated', () => {
    hear(message(created(1)));
    vi.advanceTimersByTime(60_000);
    for (let id = 2; id < 600; id++) hear(message(created(id)));
    const ids = parcelsSince(0);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([500, 100, 599]);
  });
});
