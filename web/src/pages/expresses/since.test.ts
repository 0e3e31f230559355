import { describe, expect, it } from 'vitest';
import { follow, hear, sinceRead } from './since.ts';

const created = (express_id: number) =>
  ({ kind: 'parcel', change: 'created', express_id }) as never;
const counted = (number: number) => ({ kind: 'parcels', created: number }) as never;
const reset = { kind: 'reset' } as const;

describe('the events since a list was read', () => {
  it('a parcel created before the last read of the parcel list is no longer announced as new', () => {
    const before = hear(sinceRead(1, false), created(7));
    expect([...before.ids]).toEqual([7]);
    const after = follow(follow(before, 1, true), 2, false);
    expect(after).toMatchObject({ at: 2, events: 0, gap: false });
    expect(after.ids.size).toBe(0);
  });

  it('a parcel ordered while the parcel list is read is still announced as new afterwards', () => {
    const after = follow(hear(sinceRead(0, true), created(7)), 2, false);
    expect([...after.ids]).toEqual([7]);
    expect(after).toMatchObject({ at: 2, events: 1, gap: false });
  });

  it('parcels announced only by their count while the parcel list is read mark the list as possibly incomplete', () => {
    const after = follow(hear(sinceRead(1, true), counted(40)), 2, false);
    expect(after).toMatchObject({ unnamed: 0, gap: true, events: 1 });
  });

  it('a gap in the live events during a read of the parcel list remains reported until the next read has ended', () => {
    const after = follow(hear(sinceRead(1, true), reset), 2, false);
    expect(after.gap).toBe(true);
    expect(follow(follow(after, 2, true), 3, false).gap).toBe(false);
  });

  it('live events heard during a read that fails are kept until the next read succeeds', () => {
    const failed = follow(hear(sinceRead(1, true), created(7)), 1, false);
    expect([...failed.ids]).toEqual([7]);
    expect(follow(follow(failed, 1, true), 2, false).ids.size).toBe(0);
  });
});
